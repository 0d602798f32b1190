import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../src/cli/program.ts'
import { invariants, operations, product } from '../src/composition.ts'
import { openApiDocument } from '../src/contract/openapi.ts'
import { toolsOf } from '../src/contract/tools.ts'
import { failures } from '../src/domain/buying/intents/failure.ts'
import { breakWords } from '../src/platform/audit/break-words.ts'
import { settingsTable } from '../src/platform/config/settings-table.ts'
import { isObject } from '../src/schema/schema-node.ts'

/** How a summary may begin: what a caller does, in the imperative. */
const verbs =
  /^(?:Accept|Add|Answer|Approve|Archive|Calculate|Cancel|Confirm|Create|Decline|Delete|Disable|Enable|End|Export|Find|Freeze|Import|List|Pause|Preview|Publish|Read|Recover|Redeliver|Refresh|Refund|Report|Reprice|Request|Resume|Retry|Revoke|Rotate|Run|Simulate|Start|Stop|Stream|Test|Unarchive|Unfreeze|Update|Verify|Write) /

/** Words that readers of a second language stumble over, and spellings that the wire does not have. */
const unclear =
  /\b(?:whoever|(?:is|are) told|come to|comes to|came of|ha(?:s|ve) it looked for|fulfilments?|enrolments?|catalogues?|the caller)\b/i

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

test('every amount says that it is in minor units', () => {
  const fields = operations.flatMap(({ id, params, query, body, responses }) =>
    [params, query, body, ...Object.values(responses)].flatMap((schema) => fieldsOf(schema, id)),
  )
  const amounts = fields.filter(({ name, schema }) => isAmount(name, schema))
  expect(new Set(amounts.map(({ name }) => name)).size).toBeGreaterThan(20)
  const wrong = amounts.filter(({ schema }) => !/minor units/.test(saidOf(schema)))
  expect(wrong.map(({ place, schema }) => `${place}: ${saidOf(schema)}`)).toEqual([])
})

test('no field is said in words that readers stumble over', () => {
  const fields = operations.flatMap(({ id, params, query, body, responses }) =>
    [params, query, body, ...Object.values(responses)].flatMap((schema) => fieldsOf(schema, id)),
  )
  const wrong = fields.filter(({ schema }) => unclear.test(saidOf(schema)))
  expect([...new Set(wrong.map(({ schema }) => saidOf(schema)))]).toEqual([])
})

test('every argument of every tool is described, in one short text without a word of HTTP', () => {
  const tools = toolsOf(operations)
  const args = tools.flatMap(({ definition: { name, inputSchema } }) =>
    fieldsOf(inputSchema, name).map(({ place, schema }) => ({ place, said: saidOf(schema) })),
  )
  expect(args.length).toBeGreaterThan(500)
  expect(args.filter(({ said }) => said === '' || said.length > 220)).toEqual([])
  expect(args.filter(({ said }) => http.test(said))).toEqual([])
})

test('every command and option is said in words that readers know, a command in whole sentences', async () => {
  const commands = commandsBelow(await createProgram())
  expect(commands.length).toBeGreaterThan(30)
  expect(commands.map((one) => one.description()).filter((text) => !/^[A-Z][a-z]+ .*\.$/.test(text))).toEqual(
    [],
  )
  const texts = commands.flatMap((one) => [
    one.description(),
    ...[...one.options, ...one.registeredArguments].map(({ description }) => description),
  ])
  expect(texts.filter((text) => unclear.test(text))).toEqual([])
})

test.each([
  ['problem', [...product.problems.values()].map(({ message }) => message)],
  ['failure of a purchase', Object.values(failures).map(({ message }) => message)],
  ['break of an audit chain', Object.values(breakWords)],
  ['invariant', invariants.map(({ title }) => title)],
  ['setting', Object.values(settingsTable).map(({ description }) => description)],
  ['rule of a request', rulesOf(openApiDocument(operations, product))],
])('every %s is said in words that readers know', (_what, texts) => {
  expect(texts.length).toBeGreaterThan(10)
  expect(texts.filter((text) => unclear.test(text))).toEqual([])
})

test.each(['Whoever sent it', 'Nobody is told of it', 'what the uses come to', 'Have it looked for'])(
  '"%s" is found',
  (text) => {
    expect(text).toMatch(unclear)
  },
)

function commandsBelow(command: Command): Command[] {
  return command.commands.flatMap((one) => [one, ...commandsBelow(one)])
}

/** The sentences with which a request is refused that keeps to its schema and not to what is beyond it. */
function rulesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(rulesOf)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'x-rules' && Array.isArray(each) ? each.map(String) : rulesOf(each),
  )
}

type Field = { place: string; name: string; schema: Record<string, unknown> }

/** Every named member below a schema, at any depth. */
function fieldsOf(schema: unknown, place: string): Field[] {
  if (!isObject(schema)) return []
  const members = Object.entries(isObject(schema.properties) ? schema.properties : {}).flatMap(
    ([name, member]) =>
      isObject(member)
        ? [{ place: `${place}.${name}`, name, schema: member }, ...fieldsOf(member, `${place}.${name}`)]
        : [],
  )
  const parts = [schema.items, ...['anyOf', 'oneOf', 'allOf'].flatMap((word) => schema[word] ?? [])]
  return [...members, ...parts.flatMap((part) => fieldsOf(part, place))]
}

const amountName =
  /(?:^|_)(?:amount|amounts|cents|fee|subtotal|price)$|^(?:auto_approve_up_to|per_transaction_max|order_value|spent|reserved|remaining|tax|discount|fulfillment)$|amount_cents$/

/** Whether a field is money: a whole number, by its name. */
function isAmount(name: string, schema: Record<string, unknown>): boolean {
  const types = [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf : [])]
  return amountName.test(name) && types.some((each) => isObject(each) && each.type === 'integer')
}

function saidOf(schema: Record<string, unknown>): string {
  return typeof schema.description === 'string' ? schema.description : ''
}
