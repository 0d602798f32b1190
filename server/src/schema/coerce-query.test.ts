import Type from 'typebox'
import { expect, test } from 'vitest'
import { coerceQuery, compileSchema } from './validation.ts'

const isEmpty = '. It is empty: leave it out if it has no value'

const Closed = { additionalProperties: false }

const Query = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    archived: Type.Optional(Type.Boolean()),
    q: Type.Optional(Type.String({ minLength: 1 })),
    status: Type.Optional(Type.Array(Type.Enum(['open', 'closed']))),
    ids: Type.Optional(Type.Array(Type.Integer())),
  },
  Closed,
)

function queryIssues(raw: Record<string, string | string[] | undefined>) {
  return compileSchema(Query, 'query')
    .errors(coerceQuery(Query, raw))
    .map(({ type, loc, msg }) => [type, loc.join('.'), msg])
}

test('parameters become what their schema declares', () => {
  const raw = { limit: '50', archived: 'false', q: '123', status: 'open', ids: ['1', '-2'], gone: undefined }
  expect(coerceQuery(Query, raw)).toEqual({
    limit: 50,
    archived: false,
    q: '123',
    status: ['open'],
    ids: [1, -2],
  })
  expect(queryIssues(raw)).toEqual([])
})

test.each([
  [{ limit: 'abc' }, 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer'],
  [{ limit: '1.5' }, 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer'],
  [{ limit: ' 5' }, 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer'],
  [
    { limit: '' },
    'int_parsing',
    `Input should be a valid integer, unable to parse string as an integer${isEmpty}`,
  ],
  [{ limit: '1e2' }, 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer'],
  [
    { limit: '9'.repeat(30) },
    'int_parsing_size',
    'Unable to parse input string as an integer, exceeded maximum size',
  ],
  [{ limit: '0' }, 'greater_than_equal', 'Input should be greater than or equal to 1'],
  [{ limit: ['5', '6'] }, 'value_error', 'Parameter should be given only once'],
  [{ q: ['a', 'b'] }, 'value_error', 'Parameter should be given only once'],
  [{ archived: '2' }, 'bool_parsing', 'Input should be true or false'],
  [{ archived: '' }, 'bool_parsing', `Input should be true or false${isEmpty}`],
  [{ archived: ['true', 'true'] }, 'value_error', 'Parameter should be given only once'],
  [{ q: '' }, 'string_too_short', `String should have at least 1 character${isEmpty}`],
  [{ nope: '1' }, 'extra_forbidden', 'Extra inputs are not permitted'],
])('query %j is refused as %s', (raw, type, msg) => {
  expect(queryIssues(raw)).toEqual([[type, `query.${Object.keys(raw)[0]}`, msg]])
})

test.each([
  ['true', true],
  ['True', true],
  ['1', true],
  ['YES', true],
  ['on', true],
  ['false', false],
  ['FALSE', false],
  ['0', false],
  ['No', false],
  ['off', false],
])('a boolean written as %s is taken', (text, archived) => {
  expect(coerceQuery(Query, { archived: text })).toEqual({ archived })
})

test('1 stays a number where a number is wanted', () => {
  const Either = Type.Object({ n: Type.Union([Type.Integer(), Type.Boolean()]) }, Closed)
  expect(coerceQuery(Either, { n: '1' })).toEqual({ n: 1 })
  expect(coerceQuery(Either, { n: 'yes' })).toEqual({ n: true })
})

test('the text of a number from a tool is refused, and the refusal asks for a number', () => {
  expect(compileSchema(Query, 'query').errors({ limit: '5' })[0]?.type).toBe('int_type')
  expect(compileSchema(Query, 'query').errors({ archived: 'true' })[0]?.type).toBe('bool_type')
})

test('a parameter named __proto__ is an unknown parameter and changes no prototype', () => {
  const raw: Record<string, string> = JSON.parse('{"__proto__":"1"}')
  expect(queryIssues(raw)).toEqual([['extra_forbidden', 'query.__proto__', 'Extra inputs are not permitted']])
})
