import { expect, test } from 'vitest'
import { type MerchantIdentity, merchantSeen } from './merchant-identity.ts'

const url = 'https://www.shop.example/tea'
const proved: MerchantIdentity = {
  account_id: 'acct_1',
  domain: 'shop.example',
  is_verified: true,
  mcc: '5411',
  is_mcc_confirmed: true,
  country: 'DE',
  is_country_confirmed: true,
}
const seen = (merchant: MerchantIdentity | null) =>
  merchantSeen({ url, mcc: '5999', country: 'US', merchant })

test('the proved and confirmed facts of our merchant are known by the host of the URL', () => {
  expect(seen(proved)).toEqual({
    domain: 'www.shop.example',
    claims: ['www.shop.example', 'shop.example'],
    mcc: '5411',
    country: 'DE',
  })
})

test('a domain that is not verified makes everything unknown, and still is a name', () => {
  expect(seen({ ...proved, is_verified: false })).toEqual({
    domain: null,
    claims: ['www.shop.example', 'shop.example'],
    mcc: null,
    country: null,
  })
})

test('a category and a country without confirmation are unknown, each by itself', () => {
  expect(seen({ ...proved, is_mcc_confirmed: false })).toMatchObject({ mcc: null, country: 'DE' })
  expect(seen({ ...proved, is_country_confirmed: false })).toMatchObject({ mcc: '5411', country: null })
})

test('for any other shop the host is known, and the facts in the request', () => {
  expect(seen(null)).toEqual({ domain: 'www.shop.example', mcc: '5999', country: 'US' })
})
