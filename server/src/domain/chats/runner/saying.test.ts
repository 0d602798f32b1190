import { expect, test } from 'vitest'
import type { ChatPart } from '../parts.ts'
import { checked } from './saying.ts'
import type { Turn } from './turn.ts'

const turnWith = (...parts: ChatPart[]): Turn => {
  const open = { chat: { memory: null } }
  return { parts, open } as unknown as Turn // all that is read of it
}
const answer = (result: unknown, more: object = {}): ChatPart => ({
  type: 'tool_result',
  id: 'call_1_1',
  name: 'v1_search_catalog',
  is_error: false,
  result,
  ...more,
})
const price = { amount: 2400, currency: 'EUR' }

test('a sentence names only amounts that an answer of an operation has, in its currency', () => {
  const turn = turnWith(answer({ products: [{ price_range: { min: price } }] }))
  expect(checked('It costs €24.00. It is blue.', turn)).toBe('It costs €24.00. It is blue.')
  for (const lie of [
    'It costs €19.00.',
    'It costs 24 USD.',
    'Er kostet 1.299,00 €.',
    'It costs nineteen euros.',
  ])
    expect(checked(`${lie} It is blue.`, turn), lie).toMatch(/^\[A sentence was left out.*\] It is blue\.$/)
})

test('what a refusal, a person or a text of a stranger says is no amount of an object', () => {
  const said: ChatPart = { type: 'text', text: 'I pay 19 euros' }
  const title = answer({ products: [{ title: 'Only €19.00 today', price_range: { min: price } }] })
  const refused = answer({ detail: { limit: { amount: 1900, currency: 'EUR' } } }, { is_error: true })
  for (const parts of [[said], [title], [refused]] as ChatPart[][])
    expect(checked('It costs €19.00.', turnWith(...parts))).toContain('left out')
})

test('an amount of a purchase is in the currency that stands with the purchase', () => {
  const purchase = answer({ currency_code: 'USD', max_allowed_amount: 3300, carts: [{ amount: 5 }] })
  expect(checked('At most $33.00.', turnWith(purchase))).toBe('At most $33.00.')
  expect(checked('At most €33.00.', turnWith(purchase))).toContain('left out')
})
