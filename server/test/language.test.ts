import { expect, test } from 'vitest'
import { operations } from '../src/api.ts'

/** How a summary may begin: what a caller does, in the imperative. */
const verbs =
  /^(?:Accept|Add|Answer|Approve|Archive|Calculate|Cancel|Confirm|Create|Decline|Delete|Disable|Enable|End|Export|Freeze|Import|List|Pause|Preview|Publish|Read|Recover|Redeliver|Refresh|Refund|Report|Reprice|Request|Resume|Retry|Revoke|Rotate|Run|Simulate|Start|Test|Unarchive|Unfreeze|Update|Verify) /

/** Words that readers of a second language stumble over, and spellings that the wire does not have. */
const unclear =
  /\b(?:whoever|(?:is|are) told|come to|comes to|came of|has it looked for|fulfilments?|enrolments?|catalogues?|the caller)\b/i

/** Tools and REST share a description, so it has no word of HTTP; `answers` of the operation has those. */
const http =
  /\b(?:HTTP|GET|POST|DELETE|headers?|Content-Type|Retry-After|Location|REST|status code|[1-5]xx|[2345]\d\d)\b|`Accept|text\/event-stream/

test('every summary is an imperative without a full stop, and says something of its own', () => {
  expect(operations.length).toBeGreaterThan(100)
  expect(operations.filter(({ summary }) => !verbs.test(summary) || summary.endsWith('.'))).toEqual([])
  const texts = operations.map(({ summary }) => summary)
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
})

test('every operation says in sentences what it does, without a word of HTTP', () => {
  const wrong = operations.flatMap(({ id, summary, description }) => {
    const text = `${summary}. ${description ?? ''}`
    const found = [
      http.exec(text)?.[0],
      unclear.exec(text)?.[0],
      /[a-z`]\.$/.test(text) ? undefined : 'no end',
    ]
    return found.filter((word) => word !== undefined).map((word) => `${id}: ${word}`)
  })
  expect(wrong).toEqual([])
  expect(operations.filter(({ description }) => description === undefined)).toEqual([])
})
