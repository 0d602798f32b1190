import { expect, test } from 'vitest'
import { judge, type Utterance } from './judge.ts'

const shoes: Utterance = {
  language: 'en',
  kind: 'capped',
  says: 'blue Shoes under 30 €, without laces or heels',
  spoken: null,
  readings: [
    [
      {
        action: 'search',
        query: 'Shoes',
        max: { amount: 3000, currency: 'EUR' },
        without: ['laces', 'heels'],
      },
    ],
    [{ action: 'unclear' }],
  ] as Utterance['readings'],
}
const read = (wishes: readonly object[], language = 'en', utterance = shoes) =>
  judge({ utterance, language, wishes: wishes as Utterance['readings'][number] })
const right = {
  action: 'search',
  without: ['heels', 'laces'],
  max: { currency: 'EUR', amount: 3000n },
  options: {},
  query: ' shoes',
}

test('a reading is right in every order of slots, in any case, with amounts in big integers, and where it is another right one', () => {
  expect(read([right])).toBe('right')
  expect(read([{ action: 'unclear' }])).toBe('right')
})

test.each([
  ['another amount', [{ ...right, max: { amount: 30n, currency: 'EUR' } }], 'wishes'],
  ['no currency', [{ ...right, max: { amount: 3000n, currency: null } }], 'wishes'],
  ['a word more', [{ ...right, query: 'blue shoes' }], 'wishes'],
  ['a slot that nobody said', [{ ...right, quantity: 1 }], 'wishes'],
  ['a wish more', [right, { action: 'thank' }], 'wishes'],
  ['nothing', [], 'wishes'],
  ['a purchase', [right, { action: 'buy' }], 'buy'],
] as const)('%s is no right reading', (_, wishes, verdict) => {
  expect(read(wishes)).toBe(verdict)
})

test('what is right is missed when it is read in another language', () => {
  expect(read([right], 'de')).toBe('language')
})

test('what is spoken of is meant where nothing else is named, and a purchase is no wrong one where somebody buys', () => {
  const utterance = { ...shoes, readings: [[{ action: 'buy' }]] }
  expect(read([{ action: 'buy', which: { by: 'it' } }], 'en', utterance)).toBe('right')
  expect(read([{ action: 'buy', which: { by: 'place', place: 1 } }], 'en', utterance)).toBe('wishes')
})
