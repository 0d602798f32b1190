import { expect, test } from 'vitest'
import { operations } from '../../src/composition.ts'
import { ValidationProblem } from '../../src/contract/problem.ts'
import { createArgumentsReader, type RawSections } from '../../src/platform/calls/arguments.ts'
import { isObject, readSchema, type SchemaNode } from '../../src/schema/schema-node.ts'
import { sampleOf } from '../suites/sample.ts'

const nobody = () => undefined

const nothing: RawSections = {
  path: {},
  query: {},
  headers: {},
  body: undefined,
  bodyError: null,
  rawBody: new Uint8Array(),
  coerce: false,
}

/** The value with null in every member, however deep, that it may be without and is. */
function withNulls(node: SchemaNode, value: unknown): unknown {
  if (node.kind === 'all') return node.parts.reduce((rest, part) => withNulls(part, rest), value)
  if (node.kind === 'array' && Array.isArray(value)) return value.map((each) => withNulls(node.items, each))
  if (node.kind !== 'object' || !isObject(value)) return value
  const members = [...node.properties].map(([name, property]) => [
    name,
    name in value ? withNulls(property.node, value[name]) : null,
  ])
  return { ...value, ...Object.fromEntries(members) }
}

function countNulls(value: unknown): number {
  if (value === null) return 1
  return typeof value === 'object' ? Object.values(value).reduce((sum, each) => sum + countNulls(each), 0) : 0
}

test('every operation reads null in an optional member of a body as if it were left out', () => {
  let tried = 0
  const bodied = operations.filter(({ body, content }) => body && !content)
  for (const operation of bodied.filter(({ id }) => !id.startsWith('v1_update_'))) {
    const node = readSchema(operation.body)
    const smallest = sampleOf(node, nobody)
    const full = withNulls(node, smallest)
    tried += countNulls(full)
    const read = (body: unknown) => bodyRead(operation, body)
    expect(read(full), operation.id).toEqual(read(smallest))
  }
  expect(tried).toBeGreaterThan(150)
})

test('the same holds for the query that a tool sends', () => {
  for (const operation of operations.filter(({ query }) => query)) {
    const node = readSchema(operation.query)
    const required = sampleOf(node, nobody)
    const query = withNulls(node, required)
    if (!isObject(query)) throw new Error('a query is an object')
    const { params: _, body: __, ...queried } = operation
    const { args } = createArgumentsReader(queried)({
      ...nothing,
      query,
      headers: { 'idempotency-key': 'k' },
    })
    expect(args.query, operation.id).toEqual(required)
  }
})

/** What the handler is given, or what is wrong with it: samples know no ids and no rules between fields. */
function bodyRead(operation: (typeof operations)[number], body: unknown): unknown {
  const { params: _, headers: __, ...rest } = operation
  const read = createArgumentsReader(rest)
  try {
    return read({ ...nothing, body, headers: { 'idempotency-key': 'k' } }).args.body
  } catch (error) {
    if (error instanceof ValidationProblem) return error.issues
    throw error
  }
}
