import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../schema/strict-json.ts'
import { cleanAnswer } from './clean-answer.ts'
import { isPointer, valueAt, withValueAt } from './json-pointers.ts'
import { placeholdersIn, putInPlace } from './put-in-place.ts'

const number = '4242424242424242'
const known = { numbers: [number], codes: ['123'] }

test.each([
  [{ a: number }],
  [{ a: `card ${number} was declined` }],
  [{ a: '4242 4242 4242 4242' }],
  [{ a: [[{ b: '4242-4242-4242-4242' }]] }],
  [{ a: Number(number) }],
  [{ [number]: 1 }],
  [{ a: '123' }],
])('what went into a call does not come back: %j', (body) => {
  const text = JSON.stringify(cleanAnswer(body, known))
  expect(text).toContain('[redacted]')
  expect(text.replace(/\D/g, '')).not.toContain(number)
})

test('nor does any other number or code, by whatever name it is asked for, and ids stay', () => {
  const body = {
    id: 'obj_4000056655665556',
    number: '4000056655665556',
    list: [{ cvc: 123, security_code: '456', CVV2: ['789'] }],
    error: { message: 'unknown card 4000 0566 5566 5556' },
    created: 1_790_000_000_000,
    at: '2026-11-24T19:56:14.123Z',
  }
  expect(cleanAnswer(body, { numbers: [], codes: [] })).toEqual({
    ...body,
    number: '[redacted]',
    list: [{ cvc: '[redacted]', security_code: '[redacted]', CVV2: ['[redacted]'] }],
    error: { message: '[redacted]' },
  })
})

test('of a thousand random documents nothing is left of the number, and all else stays', () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(number))
  // By these names codes and numbers are hidden, whatever they are: see the test before.
  const name = fc.string().filter((text) => !/cv[cv]|security|number/i.test(text))
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree')), fc.dictionary(name, tie('tree'))),
  }))
  fc.assert(
    fc.property(tree, (document) => {
      const cleaned = JSON.stringify(cleanAnswer(document, { numbers: [number], codes: [] }))
      expect(cleaned).not.toContain(number)
      const same = JSON.stringify(document).replaceAll(`"${number}"`, '"[redacted]"')
      expect(cleaned).toBe(same)
    }),
    { numRuns: 1_000 },
  )
})

test('pointers find members of objects and lists, and nothing that is inherited', () => {
  const document = { 'a/b': { '~': [1, { c: 2 }] } }
  expect(valueAt(document, '/a~1b/~0/1/c')).toBe(2)
  for (const odd of [
    '/a',
    '/a~1b/~0/2',
    '/a~1b/~0/01',
    '/a~1b/~0/-1',
    '/constructor',
    '/__proto__',
    '/a~1b/~0/length',
  ])
    expect(valueAt(document, odd), odd).toBeUndefined()
  expect(withValueAt(document, '/a~1b/~0/1/c', null)).toEqual({ 'a/b': { '~': [1, { c: null }] } })
  expect(document['a/b']['~'][1]).toEqual({ c: 2 })
  expect(['', 'a', '/~', '/~2', `/${'x'.repeat(200)}`].filter(isPointer)).toEqual([])
})

test('parts of cards go where a placeholder is a whole value, and nowhere else', () => {
  const place = (field: string, record = 'vrec_1') => ({ $vault: { record, field } })
  const body = {
    card: { pan: place('number'), of: { month: place('exp_month') } },
    text: '$vault',
  } as JsonValue
  expect(placeholdersIn(body)).toEqual([
    { record: 'vrec_1', field: 'number' },
    { record: 'vrec_1', field: 'exp_month' },
  ])
  expect(putInPlace(body, ({ field }) => field.toUpperCase())).toEqual({
    card: { pan: 'NUMBER', of: { month: 'EXP_MONTH' } },
    text: '$vault',
  })
  const wrong = [
    place('pan'),
    { $vault: 'vrec_1' },
    { $vault: { record: 'vrec_1' } },
    { $vault: { record: 1, field: 'number' } },
    { ...place('number'), more: 1 },
    { $vault: { record: 'vrec_1', field: 'number', more: 1 } },
  ] as JsonValue[]
  expect(wrong.map((odd) => placeholdersIn({ number: odd }))).toEqual(wrong.map(() => null))
  const elsewhere = ['reference', 'description', 'numbers', 'order_number', 'security_code'].map((name) => ({
    [name]: place('number'),
  })) as JsonValue[]
  for (const odd of [
    ...elsewhere,
    { number: [place('number')] },
    place('number'),
    { number: place('security_code') },
  ])
    expect(placeholdersIn(odd as JsonValue), JSON.stringify(odd)).toBeNull()
})
