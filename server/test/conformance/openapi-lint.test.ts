import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { operations, product } from '../../src/composition.ts'
import { openApiDocument } from '../../src/contract/openapi.ts'

const requestId = ['Request-Id']

/** What the linter's strictest set leaves to taste, and what is not taste here. */
const ownRules = {
  'array-parameter-serialization': 'error',
  'component-name-unique': 'error',
  'no-http-verbs-in-paths': { severity: 'error', splitIntoWords: true },
  // The linter closes each clause of a schema by itself; that examples name no unknown member, their own test holds.
  'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'path-http-verbs-order': 'error',
  'path-params-defined': 'error',
  'request-mime-type': {
    severity: 'error',
    allowedValues: ['application/json', 'application/x-ndjson', 'application/jsonl', 'text/csv'],
  },
  'response-mime-type': {
    severity: 'error',
    allowedValues: [
      'application/json',
      'text/event-stream',
      'application/x-ndjson',
      'text/csv',
      'application/octet-stream',
      'application/schema+json',
      'application/jwk-set+json',
      'image/png',
    ],
  },
  'response-contains-header': {
    severity: 'error',
    names: { '2xx': requestId, '4xx': requestId, '5xx': requestId, 401: ['WWW-Authenticate'] },
  },
  'spec-strict-refs': 'error',
} as const

async function problemsOf(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'], rules: ownRules })
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.flatMap(({ ruleId, message, location }) => {
    const pointer = location[0]?.pointer ?? ''
    // What receivers answer carries no header of ours.
    const isReceivers = ruleId === 'response-contains-header' && pointer.startsWith('#/webhooks/')
    return isReceivers ? [] : [`${ruleId} at ${pointer}: ${message}`]
  })
}

test('a strict linter finds nothing in the document', async () => {
  expect(await problemsOf(openApiDocument(operations, product))).toEqual([])
})

test('the linter looks: a description, a header and a reference that are missing are found', async () => {
  const text = JSON.stringify(openApiDocument(operations, product))
  const rules = async (from: string, to: string) => {
    expect(text).toContain(from)
    const problems = await problemsOf(JSON.parse(text.replace(from, to)))
    return problems.map((problem) => problem.split(' ')[0])
  }
  expect(await rules('"description":"The most entries to return.",', '')).toContain('parameter-description')
  expect(await rules('"Request-Id":{"$ref"', '"Request":{"$ref"')).toContain('response-contains-header')
  expect(await rules('#/components/schemas/ProfileList', '#/components/schemas/Nobody')).toEqual(
    expect.arrayContaining(['no-unresolved-refs', 'no-unused-components']),
  )
})

test('each part of a rate card is a component, so that generated clients have one type for it', () => {
  const text = JSON.stringify(openApiDocument(operations, product))
  for (const name of ['Rate', 'PlainRate', 'RateTier', 'Timing', 'TimeSpan', 'Zone']) {
    expect(text.split(`"#/components/schemas/${name}"`).length, name).toBeGreaterThan(1)
  }
  // Their own words stand in the document once for answers and once for requests: nowhere are they written out again.
  for (const words of [
    'The most that the tier covers',
    'Only this far from the nearest location',
    'Orders from this time of day on count',
  ])
    expect(text.split(words).length - 1, words).toBe(2)
})
