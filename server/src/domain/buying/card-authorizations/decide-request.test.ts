import { expect, test } from 'vitest'
import { type ChargeableCard, declineOf } from './decide-request.ts'
import type { CardRequest } from './port.ts'

const card: ChargeableCard = {
  isOpen: true,
  isFrozen: false,
  limit: 1_000n,
  allowed: 0n,
  currency: 'USD',
  countries: null,
  merchant: null,
}
const shop = { id: '123', name: 'CLASSIC*SHOP' }
const asked: CardRequest = {
  mode: 'live',
  reference: 'ic_1',
  authorization: 'iauth_1',
  request: 0,
  amount: 1_000n,
  currency: 'USD',
  country: 'US',
  merchant: shop,
}

test.each<[string, Partial<ChargeableCard>, Partial<CardRequest>]>([
  ['all that it is good for', {}, {}],
  ['nothing, which only checks it', { allowed: 1_000n }, { amount: 0n }],
  ['what is left of it', { allowed: 700n }, { amount: 300n }],
  ['more, to the merchant that it pays already', { merchant: shop, allowed: 400n }, { amount: 600n }],
  ['in a country where it may be used', { countries: ['DE', 'US'] }, {}],
])('a card pays %s', (_, stands, request) => {
  expect(declineOf({ ...card, ...stands }, { ...asked, ...request })).toBeNull()
})

test.each<[string, Partial<ChargeableCard>, Partial<CardRequest>, string]>([
  ['after its cart has ended it', { isOpen: false }, {}, 'card_closed'],
  ['in a freeze', { isFrozen: true }, {}, 'frozen'],
  ['in another currency', {}, { currency: 'EUR' }, 'wrong_currency'],
  ['in another country', { countries: ['DE'] }, {}, 'wrong_country'],
  ['where nobody knows the country', { countries: ['US'] }, { country: null }, 'wrong_country'],
  ['to a second merchant', { merchant: { id: '456', name: shop.name } }, {}, 'other_merchant'],
  ['to a second name of the merchant', { merchant: { id: shop.id, name: 'OTHER' } }, {}, 'other_merchant'],
  ['more than it is good for', {}, { amount: 1_001n }, 'over_limit'],
  ['more than is left of it', { allowed: 701n }, { amount: 300n }, 'over_limit'],
  [
    'a second merchant not even a check',
    { merchant: { id: '456', name: 'X' } },
    { amount: 0n },
    'other_merchant',
  ],
])('a card pays nothing %s', (_, stands, request, reason) => {
  expect(declineOf({ ...card, ...stands }, { ...asked, ...request })).toBe(reason)
})
