import Type from 'typebox'
import { expect, test } from 'vitest'
import type { OperationFacts } from './operation.ts'
import { Closed } from './schemas.ts'
import { splitArguments, type Tool, toolsOf } from './tools.ts'

const facts: OperationFacts = {
  id: 'v1_create_thing',
  method: 'POST',
  path: '/v1/things/{thing_id}',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Things',
  summary: 'Create a thing',
  params: Closed({ thing_id: Type.String() }),
  query: Closed({ limit: Type.Optional(Type.Integer()) }),
  body: Closed({ name: Type.String(), when: Type.Optional(Type.String({ format: 'country' })) }),
  responses: { 201: Closed({ id: Type.String() }) },
  examples: {},
  problems: [],
  surfaces: ['v1', 'mcp'],
  readOnly: false,
  reads: 'short',
  destructive: false,
  requiresIdempotencyKey: false,
  replay: 'stored',
  replyHeaders: {},
  streams: false,
  downloads: [],
  answersFile: false,
  conflicts: {},
  forBound: 'undecided',
}

function toolOf(changes: Partial<OperationFacts>): Tool {
  const [tool] = toolsOf([{ ...facts, ...changes }])
  if (!tool) throw new Error('no tool')
  return tool
}

test('arguments of all sections stand in one closed object, with the key of idempotency', () => {
  const { inputSchema } = toolOf({}).definition
  expect(inputSchema).toMatchObject({
    type: 'object',
    required: ['thing_id', 'name'],
    additionalProperties: false,
  })
  expect(Object.keys(Object(inputSchema.properties))).toEqual([
    'thing_id',
    'limit',
    'name',
    'when',
    'idempotency_key',
  ])
  expect(JSON.stringify(inputSchema)).not.toContain('"format"')
})

test('arguments go to the sections they are declared in, unknown ones into the body, or the query where there is none', () => {
  const given = { thing_id: 't', limit: 1, name: 'n', idempotency_key: 'k', other: true }
  expect(splitArguments(toolOf({}), given)).toEqual({
    path: { thing_id: 't' },
    query: { limit: 1 },
    headers: { 'idempotency-key': 'k' },
    body: { name: 'n', other: true },
  })
  const { body: _, ...bodiless } = facts
  const [tool] = toolsOf([bodiless])
  expect(tool && splitArguments(tool, { thing_id: 't', other: true, mode: 'live' })).toEqual({
    path: { thing_id: 't' },
    query: { other: true },
    headers: {},
    body: undefined,
  })
})

test('a key of idempotency is ignored by a POST that changes nothing, as over REST, and by nothing else', () => {
  const given = { thing_id: 't', name: 'n', idempotency_key: 'k' }
  const read = toolOf({ readOnly: true })
  expect(splitArguments(read, given)).toMatchObject({ query: {}, headers: {}, body: { name: 'n' } })
  expect(splitArguments(read, given).body).not.toHaveProperty('idempotency_key')
  expect(read.definition.inputSchema.properties).not.toHaveProperty('idempotency_key')
  const whole = toolOf({ readOnly: true, body: Type.Array(Type.String()) })
  expect(splitArguments(whole, { thing_id: 't', idempotency_key: 'k' }).query).toEqual({})
  const { body: _, ...bodiless } = facts
  const [got] = toolsOf([{ ...bodiless, method: 'GET', readOnly: true }])
  expect(got && splitArguments(got, { idempotency_key: 'k' }).query).toEqual({ idempotency_key: 'k' })
})

test('a body that is no object is the argument "body"', () => {
  const tool = toolOf({ body: Type.Array(Type.String()) })
  expect(splitArguments(tool, { thing_id: 't', body: ['a'] }).body).toEqual(['a'])
})

test('two arguments of one name stop the start, but for the key of idempotency that header and body share', () => {
  expect(() => toolOf({ query: Closed({ thing_id: Type.String() }) })).toThrow('thing_id')
  const shared = toolOf({ body: Closed({ idempotency_key: Type.Optional(Type.String()) }) })
  expect(splitArguments(shared, { idempotency_key: 'k' })).toMatchObject({
    headers: {},
    body: { idempotency_key: 'k' },
  })
})

test('several successes are one output schema', () => {
  const responses = { 200: Closed({ a: Type.String() }), 202: Closed({ b: Type.String() }), 404: Closed({}) }
  expect(toolOf({ responses }).definition.outputSchema).toMatchObject({ type: 'object', anyOf: [{}, {}] })
})
