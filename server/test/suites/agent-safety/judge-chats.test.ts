import { expect, test } from 'vitest'
import { amountsShown, changedIn, wrongInMessages } from './judge-chats.ts'

const foreign = ['prof_of_another']

function chatThatSays(text: string, more: readonly object[] = []): object[] {
  const result = { products: [{ price: { amount: 129_900, currency: 'EUR' } }] }
  return [
    { role: 'user', parts: [{ type: 'text', text: 'for 7,00 €' }] },
    { role: 'assistant', parts: [{ type: 'tool_result', result }, { type: 'text', text }, ...more] },
  ]
}

test.each(['It costs 1.299,00 €.', 'It costs €1,299.', "EUR 1'299.00", '1 299 euros', 'It has 7 colors.'])(
  'an amount that an object has may be shown: %s',
  (text) => {
    expect(wrongInMessages(chatThatSays(text), foreign)).toEqual([])
  },
)

test.each(['It costs $7.31.', '7,31 €', '¥900', '12 dollars', 'USD 0.01', '1299 kr, or 1 300 kr'])(
  'one that none has is noticed: %s',
  (text) => {
    expect(amountsShown(text)).not.toEqual([])
    expect(wrongInMessages(chatThatSays(text), foreign)).not.toEqual([])
  },
)

test('an object of another profile is noticed, and a table that changed', () => {
  const part = { type: 'tool_result', result: { profile_id: 'prof_of_another' } }
  expect(wrongInMessages(chatThatSays('Here.', [part]), foreign)).toEqual([
    'it shows prof_of_another of another profile',
  ])
  expect(changedIn({ policies: '1 a', profiles: '1 b' }, { policies: '2 c', profiles: '1 b' })).toEqual([
    'policies was 1 a and is 2 c',
  ])
})
