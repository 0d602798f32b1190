import Type, { type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { Amount, Changes, Closed, Nullable } from '../contract/schemas.ts'
import { parseJson } from './strict-json.ts'
import { compileSchema } from './validation.ts'

/** What a body is answered that arrives as this text. */
function answerTo(schema: TSchema, text: string): string[] {
  const parsed = parseJson(Buffer.from(text))
  if (!parsed.ok) throw new Error(parsed.error.msg)
  const { read, check, errors } = compileSchema(schema, 'body')
  const value = read(parsed.value)
  const found = errors(value).map(({ type, loc, msg }) => `${loc.slice(1).join('.')} ${type}: ${msg}`)
  expect(check(value)).toBe(found.length === 0)
  return found
}

const inMinorUnits = 'Input should be an amount in minor units, an integer: $49.00 is 4900'

const Order = Closed({
  amount: Amount(),
  most: Type.Optional(Nullable(Amount())),
  percent: Type.Optional(Type.Number()),
  quantity: Type.Optional(Type.Integer({ minimum: 1 })),
  note: Type.Optional(Type.String()),
})

test.each([
  ['"49.00"', 'int_type'],
  ['"4900"', 'int_type'],
  ['"$49"', 'int_type'],
  ['49.0', 'int_from_float'],
  ['49.00', 'int_from_float'],
  ['4900.00', 'int_from_float'],
  ['1999.0', 'int_from_float'],
  ['49.5', 'int_from_float'],
  ['0.49', 'int_from_float'],
  ['-49.0', 'greater_than_equal'],
  ['[4900]', 'int_type'],
  ['true', 'int_type'],
])('the amount %s is told its unit, not read as another one', (written, type) => {
  const [answer, ...more] = answerTo(Order, `{"amount":${written}}`)
  expect(more).toEqual([])
  expect(answer).toMatch(new RegExp(`^amount ${type}: `))
  if (type !== 'greater_than_equal') expect(answer).toContain(inMinorUnits)
})

test.each(['4900', '4900.0', '4.9e3', '4.9E+03', '0.0', '0', '1999'])('the amount %s is one', (written) => {
  expect(answerTo(Order, `{"amount":${written},"most":${written}}`)).toEqual([])
})

test('an amount with decimals is found where it may be null, in lists, in other objects, and beside nulls', () => {
  expect(answerTo(Order, '{"amount":1,"most":49.0,"note":null}')).toEqual([
    `most int_from_float: ${inMinorUnits}`,
  ])
  const Many = Closed({ orders: Type.Array(Type.Union([Order, Type.Null()])) })
  expect(answerTo(Many, '{"orders":[null,{"amount":4900},{"amount":19.0,"note":null}]}')).toEqual([
    `orders.2.amount int_from_float: ${inMinorUnits}`,
  ])
  expect(answerTo(Changes({ amount: Nullable(Amount()) }), '{"amount":19.0}')).toHaveLength(1)
})

test('other numbers may have a decimal point', () => {
  expect(answerTo(Order, '{"amount":1,"percent":49.0,"quantity":2.0,"note":"49.0"}')).toEqual([])
})

test.each([
  ['"2"', 'quantity int_type: Input should be a valid integer, without quotation marks'],
  ['"two"', 'quantity int_type: Input should be a valid integer'],
  ['2.5', 'quantity int_from_float: Input should be a valid integer, got a number with a fractional part'],
])('the quantity %s is no amount and has its own hint', (written, answer) => {
  expect(answerTo(Order, `{"amount":1,"quantity":${written}}`)).toEqual([answer])
})

const Nested = Closed({
  list: Type.Optional(Type.Array(Closed({ a: Type.Integer() }))),
  one: Type.Optional(Nullable(Closed({ a: Type.Integer() }))),
  pairs: Type.Optional(Type.Record(Type.String(), Type.String())),
  yes: Type.Optional(Type.Boolean()),
  q: Type.Optional(Type.String({ minLength: 1 })),
  kind: Type.Optional(Type.Enum(['a', 'b'])),
})

test.each([
  ['{"list":"[{\\"a\\":1}]"}', 'list list_type: Input should be a valid array', 'the array itself'],
  ['{"list":"{\\"a\\":1}"}', 'list list_type: Input should be a valid array', 'the array itself'],
  ['{"one":"{\\"a\\":1}"}', 'one model_attributes_type: Input should be a valid object', 'the object itself'],
  ['{"pairs":" {} "}', 'pairs dict_type: Input should be a valid object', 'the object itself'],
])('%s: what was written as text is to be sent itself', (text, answer, itself) => {
  expect(answerTo(Nested, text)).toEqual([`${answer}: send ${itself}, not text that contains it`])
})

test.each([
  ['{"list":"[a"}', 'list list_type: Input should be a valid array'],
  ['{"list":"a, b"}', 'list list_type: Input should be a valid array'],
  ['{"one":[]}', 'one model_attributes_type: Input should be a valid object'],
  ['{"yes":"true"}', 'yes bool_type: Input should be true or false, without quotation marks'],
  ['{"yes":"maybe"}', 'yes bool_type: Input should be true or false'],
  [
    '{"q":""}',
    'q string_too_short: String should have at least 1 character. It is empty: leave it out if it has no value',
  ],
  ['{"kind":""}', "kind enum: Input should be 'a' or 'b'. It is empty: leave it out if it has no value"],
])('%s is refused in the words of JSON', (text, answer) => {
  expect(answerTo(Nested, text)).toEqual([answer])
})
