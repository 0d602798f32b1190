import fc from 'fast-check'
import Type, { type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { compileSchema } from './validation.ts'
import type { ValidationIssue } from './value-faults.ts'

function bodyIssues(schema: TSchema, value: unknown): ValidationIssue[] {
  const validator = compileSchema(schema, 'body')
  expect(validator.check(value)).toBe(false)
  return validator.errors(value)
}

function soleIssue(schema: TSchema, value: unknown): Omit<ValidationIssue, 'loc'> {
  const [issue, ...others] = bodyIssues(schema, value)
  expect(others).toEqual([])
  const { loc, ...rest } = issue ?? { type: '', loc: [], msg: '' }
  expect(loc).toEqual(['body'])
  return rest
}

const Closed = { additionalProperties: false }

test.each<[TSchema, unknown, Omit<ValidationIssue, 'loc'>]>([
  [Type.String(), 5, { type: 'string_type', msg: 'Input should be a valid string' }],
  [Type.Integer(), 'five', { type: 'int_type', msg: 'Input should be a valid integer' }],
  [
    Type.Integer(),
    1.5,
    { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part' },
  ],
  [Type.Number(), true, { type: 'float_type', msg: 'Input should be a valid number' }],
  [Type.Boolean(), 2, { type: 'bool_type', msg: 'Input should be true or false' }],
  [Type.Null(), 1, { type: 'none_required', msg: 'Input should be null' }],
  [Type.Array(Type.String()), {}, { type: 'list_type', msg: 'Input should be a valid array' }],
  [
    Type.Object({ a: Type.String() }),
    [],
    {
      type: 'model_attributes_type',
      msg: 'Input should be a valid object',
    },
  ],
  [
    Type.Record(Type.String(), Type.String()),
    'x',
    { type: 'dict_type', msg: 'Input should be a valid object' },
  ],
  [
    Type.String({ minLength: 1 }),
    '',
    { type: 'string_too_short', msg: 'String should have at least 1 character', ctx: { min_length: 1 } },
  ],
  [
    Type.String({ maxLength: 2 }),
    'abc',
    { type: 'string_too_long', msg: 'String should have at most 2 characters', ctx: { max_length: 2 } },
  ],
  [
    Type.String({ pattern: '^a+$' }),
    'b',
    { type: 'string_pattern_mismatch', msg: "String should match pattern '^a+$'", ctx: { pattern: '^a+$' } },
  ],
  [Type.String({ format: 'email' }), 'b', { type: 'value_error', msg: 'value is not a valid email address' }],
  [
    Type.Integer({ minimum: 1 }),
    0,
    { type: 'greater_than_equal', msg: 'Input should be greater than or equal to 1', ctx: { ge: 1 } },
  ],
  [
    Type.Number({ exclusiveMinimum: 0 }),
    0,
    { type: 'greater_than', msg: 'Input should be greater than 0', ctx: { gt: 0 } },
  ],
  [
    Type.Integer({ maximum: 9 }),
    10,
    { type: 'less_than_equal', msg: 'Input should be less than or equal to 9', ctx: { le: 9 } },
  ],
  [
    Type.Number({ exclusiveMaximum: 1 }),
    1,
    { type: 'less_than', msg: 'Input should be less than 1', ctx: { lt: 1 } },
  ],
  [
    Type.Integer({ multipleOf: 5 }),
    7,
    { type: 'multiple_of', msg: 'Input should be a multiple of 5', ctx: { multiple_of: 5 } },
  ],
  [
    Type.Array(Type.String(), { minItems: 1 }),
    [],
    {
      type: 'too_short',
      msg: 'Array should have at least 1 item, not 0',
      ctx: { field_type: 'Array', min_length: 1, actual_length: 0 },
    },
  ],
  [
    Type.Array(Type.String(), { maxItems: 1 }),
    [1, 2],
    {
      type: 'too_long',
      msg: 'Array should have at most 1 item, not 2',
      ctx: { field_type: 'Array', max_length: 1, actual_length: 2 },
    },
  ],
  [
    Type.Array(Type.Unknown(), { uniqueItems: true }),
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    { type: 'value_error', msg: 'Array items should be unique' },
  ],
  [
    Type.Record(Type.String(), Type.String(), { maxProperties: 1 }),
    { a: 'x', b: 'y' },
    {
      type: 'too_long',
      msg: 'Object should have at most 1 item, not 2',
      ctx: { field_type: 'Object', max_length: 1, actual_length: 2 },
    },
  ],
  [
    Type.Enum(['a', 'b', 'c']),
    'd',
    { type: 'enum', msg: "Input should be 'a', 'b' or 'c'", ctx: { expected: "'a', 'b' or 'c'" } },
  ],
  [Type.Literal('a'), 'd', { type: 'literal_error', msg: "Input should be 'a'", ctx: { expected: "'a'" } }],
  [
    Type.Union([Type.Literal('a'), Type.Literal('b')]),
    5,
    { type: 'literal_error', msg: "Input should be 'a' or 'b'", ctx: { expected: "'a' or 'b'" } },
  ],
  [
    Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
    5,
    { type: 'string_type', msg: 'Input should be a valid string' },
  ],
  [
    Type.Union([Type.String(), Type.Integer()]),
    true,
    { type: 'union_error', msg: 'Input should be a valid string or integer' },
  ],
])('%#: a refused value is reported in the words of pydantic', (schema, value, expected) => {
  expect(soleIssue(schema, value)).toEqual(expected)
})

const Item = Type.Object(
  {
    url: Type.String({ format: 'https-url' }),
    quantity: Type.Integer({ minimum: 1, maximum: 10_000 }),
    expected_amount: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12 })),
    expected_currency: Type.Optional(Type.String({ format: 'currency' })),
  },
  Closed,
)
const Intent = Type.Object(
  {
    profile_id: Type.String({ pattern: '^prof_[0-9a-z]{26}$' }),
    items: Type.Array(Item, { minItems: 1, maxItems: 100 }),
    note: Type.Optional(Type.String({ maxLength: 500, noCardNumber: true })),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 500, noCardNumber: true }), { maxProperties: 50 }),
    ),
  },
  Closed,
)
const item = {
  url: 'https://shop.example.com/p/1',
  quantity: 2,
  expected_amount: 1999,
  expected_currency: 'usd',
}
const intent = {
  profile_id: 'prof_01j9zq4m8nf2k7d3x5c6v8b0ha',
  items: [item, item, item],
  note: 'Leave it at the door',
  metadata: { order: '42' },
}

test('a correct value passes and has no errors', () => {
  const validator = compileSchema(Intent, 'body')
  expect(validator.check(intent)).toBe(true)
  expect(validator.errors(intent)).toEqual([])
})

test('all faults are reported at once, in schema order, unknown keys last', () => {
  const value = { surprise: 1, items: [{ quantity: 0, extra: { deep: 1 } }, 7], note: 4 }
  expect(bodyIssues(Intent, value).map(({ type, loc }) => [type, loc])).toEqual([
    ['missing', ['body', 'profile_id']],
    ['missing', ['body', 'items', 0, 'url']],
    ['greater_than_equal', ['body', 'items', 0, 'quantity']],
    ['extra_forbidden', ['body', 'items', 0, 'extra']],
    ['model_attributes_type', ['body', 'items', 1]],
    ['string_type', ['body', 'note']],
    ['extra_forbidden', ['body', 'surprise']],
  ])
})

test('each missing name and each unknown key is one issue of its own', () => {
  expect(bodyIssues(Type.Object({ a: Type.Null(), b: Type.Null() }, Closed), { x: 1, y: 2 })).toEqual([
    { type: 'missing', loc: ['body', 'a'], msg: 'Field required' },
    { type: 'missing', loc: ['body', 'b'], msg: 'Field required' },
    { type: 'extra_forbidden', loc: ['body', 'x'], msg: 'Extra inputs are not permitted' },
    { type: 'extra_forbidden', loc: ['body', 'y'], msg: 'Extra inputs are not permitted' },
  ])
})

test('inherited names are neither fields nor missing fields', () => {
  const schema = Type.Object({ a: Type.Optional(Type.String()) }, Closed)
  expect(bodyIssues(schema, { toString: 1, valueOf: 2 }).map((issue) => issue.loc[1])).toEqual([
    'toString',
    'valueOf',
  ])
})

test('lengths count characters, not UTF-16 units', () => {
  const schema = Type.String({ minLength: 2, maxLength: 2 })
  expect(compileSchema(schema, 'body').check('😀😀')).toBe(true)
  expect(soleIssue(schema, '😀').type).toBe('string_too_short')
  expect(soleIssue(schema, '😀😀😀').type).toBe('string_too_long')
})

test('a card number is refused wherever the schema says noCardNumber, and is not repeated', () => {
  const value = { ...intent, note: 'card 4242 4242 4242 4242', metadata: { a: '4242424242424242' } }
  const issues = bodyIssues(Intent, value)
  const msg = 'value must not contain a card number'
  expect(issues).toEqual([
    { type: 'value_error', loc: ['body', 'note'], msg },
    { type: 'value_error', loc: ['body', 'metadata', 'a'], msg },
  ])
  expect(JSON.stringify(issues)).not.toContain('4242')
})

test('a key that looks like a card number, or is very long, is not echoed whole', () => {
  const long = 'k'.repeat(5000)
  const issues = bodyIssues(Type.Object({}, Closed), { '4242 4242 4242 4242': 1, [long]: 1 })
  expect(issues.map((issue) => issue.loc[1])).toEqual(['[redacted]', `${'k'.repeat(100)}…`])
})

test('keys of a dictionary can be constrained, also against card numbers', () => {
  const schema = Type.Record(Type.String(), Type.String(), {
    propertyNames: Type.String({ maxLength: 40, noCardNumber: true }),
  })
  expect(
    bodyIssues(schema, { '4242424242424242': 'x', ['a'.repeat(41)]: 'y' }).map(({ type, loc }) => [
      type,
      loc,
    ]),
  ).toEqual([
    ['value_error', ['body', '[redacted]', '[key]']],
    ['string_too_long', ['body', 'a'.repeat(41), '[key]']],
  ])
})

test('the values of a dictionary are checked under every key, also one with a line break', () => {
  const schema = Type.Record(Type.String(), Type.String({ maxLength: 3 }))
  const issues = bodyIssues(schema, { 'a\nb': { evil: true }, '\u2028': 'long' })
  expect(issues.map((issue) => issue.type)).toEqual(['string_type', 'string_too_long'])
})

const Card = Type.Object({ type: Type.Literal('card'), token: Type.String() }, Closed)
const Bank = Type.Object({ type: Type.Literal('bank'), iban: Type.String() }, Closed)

test('in a union whose variants name themselves, only the named variant is reported on', () => {
  const schema = Type.Union([Card, Bank])
  expect(bodyIssues(schema, { type: 'bank', token: 'x' }).map(({ type, loc }) => [type, loc])).toEqual([
    ['missing', ['body', 'iban']],
    ['extra_forbidden', ['body', 'token']],
  ])
  expect(bodyIssues(schema, { token: 'x' })).toEqual([
    { type: 'missing', loc: ['body', 'type'], msg: 'Field required' },
  ])
  expect(bodyIssues(schema, { type: 'cash' })).toEqual([
    {
      type: 'literal_error',
      loc: ['body', 'type'],
      msg: "Input should be 'card' or 'bank'",
      ctx: { expected: "'card' or 'bank'" },
    },
  ])
})

test('in any other union the variant of the same type with the fewest faults is reported on', () => {
  const schema = Type.Union([
    Type.Object({ a: Type.String(), b: Type.String(), c: Type.String() }, Closed),
    Type.Object({ a: Type.String(), d: Type.String() }, Closed),
    Type.String(),
  ])
  expect(bodyIssues(schema, { a: 'x' })).toEqual([
    { type: 'missing', loc: ['body', 'd'], msg: 'Field required' },
  ])
})

test('a refinement speaks only when the shape is right', () => {
  const schema = Type.Refine(
    Type.Object({ min: Type.Integer(), max: Type.Integer() }, Closed),
    (range) => range.min <= range.max,
    () => 'min must not exceed max',
  )
  expect(soleIssue(schema, { min: 2, max: 1 })).toEqual({
    type: 'value_error',
    msg: 'min must not exceed max',
  })
  expect(bodyIssues(schema, { min: 2 }).map((issue) => issue.type)).toEqual(['missing'])
})

test('the number of issues is bounded for every body', () => {
  const flood = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, 1]))
  expect(bodyIssues(Type.Object({}, Closed), flood)).toHaveLength(1000)
  expect(bodyIssues(Type.Array(Type.String()), new Array(50_000).fill(1))).toHaveLength(1000)
})

test.each<[string, TSchema]>([
  ['an unknown format', Type.String({ format: 'uuid' })],
  [
    'an unknown format deep inside',
    Type.Object({ a: Type.Array(Type.Union([Type.String({ format: 'emial' }), Type.Null()])) }),
  ],
  ['a misspelt keyword', Type.String({ maxLenght: 5 })],
  ['a keyword of another type', Type.Integer({ maxLength: 5 })],
  ['a reference', Type.Ref('Other')],
  ['a negation', Type.Unsafe({ not: { type: 'string' } })],
  ['a key pattern', Type.Unsafe({ type: 'object', patternProperties: { '^a': { type: 'string' } } })],
  ['an unknown type', Type.Unsafe({ type: 'text' })],
])('a schema with %s does not compile', (_, schema) => {
  expect(() => compileSchema(schema, 'body')).toThrow()
})

test('the compiled check and the report agree on every value, and no value is echoed', () => {
  const schema = Type.Object(
    {
      s: Type.String({ minLength: 1, maxLength: 3, pattern: '^[a-z]*$' }),
      i: Type.Integer({ minimum: -5, maximum: 5 }),
      o: Type.Optional(Type.Union([Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 2 }), Type.Null()])),
      l: Type.Optional(
        Type.Array(Type.Union([Card, Bank, Type.String({ noCardNumber: true })]), {
          maxItems: 3,
          uniqueItems: true,
        }),
      ),
      e: Type.Optional(Type.Enum(['x', 'y'])),
      m: Type.Optional(Type.Record(Type.String(), Type.Boolean(), { maxProperties: 2 })),
    },
    Closed,
  )
  const validator = compileSchema(schema, 'body')
  const scalar = fc.constantFrom<unknown>(
    '',
    'a',
    'abcd',
    'ZQX9',
    'x',
    0,
    1,
    -6,
    1.5,
    true,
    null,
    [],
    {},
    '4242424242424242',
  )
  const variant = fc.record(
    { type: fc.constantFrom('card', 'bank', 'q'), token: scalar, iban: scalar },
    { requiredKeys: [] },
  )
  const any = fc.oneof(
    scalar,
    variant,
    fc.array(fc.oneof(scalar, variant), { maxLength: 4 }),
    fc.dictionary(fc.string(), scalar, { maxKeys: 3 }),
  )
  const values = fc.record({ s: any, i: any, o: any, l: any, e: any, m: any, z: any }, { requiredKeys: [] })
  let accepted = 0
  const likely = fc.record(
    {
      s: fc.constantFrom('a', 'abc', ''),
      i: fc.integer({ min: -6, max: 6 }),
      o: fc.constantFrom(null, 1, 0),
      l: fc.array(fc.constantFrom<unknown>('a', 'b', { type: 'card', token: 't' }, { type: 'bank' }), {
        maxLength: 4,
      }),
      e: fc.constantFrom('x', 'y', 'z'),
      m: fc.dictionary(fc.string(), fc.boolean(), { maxKeys: 3 }),
    },
    { requiredKeys: ['s', 'i'] },
  )
  fc.assert(
    fc.property(fc.oneof(values, likely), (value) => {
      const issues = validator.errors(value)
      expect(issues.length === 0).toBe(validator.check(value))
      expect(JSON.stringify(issues)).not.toMatch(/ZQX9|Input is not valid/)
      if (issues.length === 0) accepted++
    }),
    { numRuns: 5000 },
  )
  expect(accepted).toBeGreaterThan(100)
})
