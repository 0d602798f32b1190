import Type, { type TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Changes, Closed, Nullable, OneOf } from '../contract/schemas.ts'
import { withoutNulls } from './left-out.ts'
import { compileSchema } from './validation.ts'

const Part = Closed({ size: Type.Optional(Type.Integer()), name: Type.String() })
const members = {
  needed: Type.String(),
  word: Type.Optional(Type.String()),
  note: Type.Optional(Nullable(Type.String())),
  part: Type.Optional(Part),
  parts: Type.Optional(Type.Array(Part)),
  tags: Type.Optional(Type.Record(Type.String(), Type.String())),
  rate: Type.Optional(
    Type.Union([
      Closed({ kind: Type.Literal('free'), note: Type.Optional(Type.String()) }),
      Closed({ kind: Type.Literal('flat'), amount: Type.Integer(), note: Type.Optional(Type.String()) }),
    ]),
  ),
}

function readBy(schema: TSchema, value: unknown) {
  const validator = compileSchema(schema, 'body')
  const read = validator.read(value)
  return validator.check(read) ? read : validator.errors(read).map(({ type, loc }) => [type, loc.join('.')])
}

describe('a request', () => {
  const read = (value: unknown) => readBy(Closed(members), value)

  test('means by null what it means by leaving a field out, however deep', () => {
    const nulls = { needed: 'x', word: null, note: null, part: null, parts: null, tags: null, rate: null }
    expect(read(nulls)).toEqual({ needed: 'x' })
    const deep = {
      needed: 'x',
      part: { name: 'a', size: null },
      parts: [{ name: 'b', size: null }],
      rate: { kind: 'flat', amount: 1, note: null },
    }
    expect(read(deep)).toEqual({
      needed: 'x',
      part: { name: 'a' },
      parts: [{ name: 'b' }],
      rate: { kind: 'flat', amount: 1 },
    })
  })

  test('may have the field of another form as null, but none that no form has', () => {
    expect(read({ needed: 'x', rate: { kind: 'free', amount: null } })).toEqual({
      needed: 'x',
      rate: { kind: 'free' },
    })
    expect(read({ needed: 'x', rate: { kind: 'free', price: null } })).toEqual([
      ['extra_forbidden', 'body.rate.price'],
    ])
  })

  test('needs every required member, and refuses null in a list or a record', () => {
    expect(read({ needed: null })).toEqual([['string_type', 'body.needed']])
    expect(read({ needed: 'x', part: { name: null } })).toEqual([['string_type', 'body.part.name']])
    expect(read({ needed: 'x', parts: [null] })).toEqual([['model_attributes_type', 'body.parts.0']])
    expect(read({ needed: 'x', tags: { a: null } })).toEqual([['string_type', 'body.tags.a']])
    expect(read({ needed: 'x', rate: { kind: 'flat', amount: null, note: null } })).toEqual([
      ['int_type', 'body.rate.amount'],
    ])
  })

  test('is refused an unknown field with any value', () => {
    expect(read({ needed: 'x', surprise: null })).toEqual([['extra_forbidden', 'body.surprise']])
  })

  test('without a null is handed on as it came', () => {
    const given = { needed: 'x', part: { name: 'a' } }
    expect(read(given)).toBe(given)
  })
})

describe('a change', () => {
  const read = (value: unknown) => readBy(Changes(members), value)

  test('keeps the null of a field that can be empty, and leaves out the others', () => {
    expect(read({ needed: null, word: null, note: null, parts: null })).toEqual({ note: null })
  })

  test('does so within its fields, too', () => {
    const Caps = Changes({ caps: Changes({ uses: Nullable(Type.Integer()), kind: OneOf(['a']) }) })
    expect(readBy(Caps, { caps: { uses: null, kind: null } })).toEqual({ caps: { uses: null } })
  })
})

test('where anything may stand, nulls do', () => {
  expect(withoutNulls({ kind: 'any' }, { a: null }, 'left_out')).toEqual({ a: null })
})
