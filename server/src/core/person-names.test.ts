import { expect, test } from 'vitest'
import { namesOfRecipient, wholeNameOf } from './person-names.ts'

const ada = { firstName: 'Ada', lastName: 'Lovelace' }

test.each([
  [
    'María José García López',
    'María José',
    'García López',
    { firstName: 'María José', lastName: 'García López' },
  ],
  ['Vincent van der Berg', 'Vincent', 'van der Berg', { firstName: 'Vincent', lastName: 'van der Berg' }],
  ['VINCENT VAN DER BERG', 'Vincent', 'van der Berg', { firstName: 'Vincent', lastName: 'van der Berg' }],
  ['花子 佐藤', '花子', '佐藤', { firstName: '花子', lastName: '佐藤' }],
  ['佐藤花子', '花子', '佐藤', { firstName: '花子', lastName: '佐藤' }],
  ['Suharto', 'Suharto', null, { firstName: 'Suharto', lastName: null }],
])('the names of the buyer are those of the profile: %s', (whole, first, last, buyer) => {
  expect(namesOfRecipient(whole, buyer)).toEqual({ first, last })
})

test.each([
  ['Byron Lovelace', 'Byron', 'Lovelace'],
  ['Pieter de Vries', 'Pieter', 'de Vries'],
  ['Ana Maria van den Berg', 'Ana Maria', 'van den Berg'],
  ['Lovelace, Byron', 'Byron', 'Lovelace'],
  ['佐藤 太郎', '太郎', '佐藤'],
  ['Madonna', 'Madonna', null],
])('the names of another recipient are taken apart where that is sure: %s', (whole, first, last) => {
  expect(namesOfRecipient(whole, ada)).toEqual({ first, last })
})

test('what is written without a space is cut only where the family is known', () => {
  expect(namesOfRecipient('佐藤花子', { firstName: 'Hanako', lastName: 'Sato' })).toBeNull()
  expect(namesOfRecipient('佐藤太郎', { firstName: '花子', lastName: '佐藤' })).toEqual({
    first: '太郎',
    last: '佐藤',
  })
})

test('the order of a whole name is that of its script', () => {
  expect(wholeNameOf({ first: '花子', last: '佐藤' })).toBe('佐藤 花子')
  expect(wholeNameOf({ first: 'Ada', last: 'Lovelace' })).toBe('Ada Lovelace')
  expect(wholeNameOf({ first: 'Suharto', last: null })).toBe('Suharto')
})
