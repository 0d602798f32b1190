import { expect, test } from 'vitest'
import type { MerchantIdentity } from '../../policies/public.ts'
import { hasMerchantChanged, type IdentityFacts, identityOf } from './merchant-identity.ts'

const row: IdentityFacts = {
  account_id: 'acct_1',
  mode: 'live',
  domain: 'shop.example',
  domain_verified_at: new Date('2030-01-01'),
  mcc: '5411',
  mcc_confirmed: '5411',
  country: 'DE',
  country_confirmed: 'DE',
}
const then = identityOf(row)

test('in live mode a category and a country count while they are those that the operator confirmed', () => {
  expect(then).toMatchObject({ is_verified: true, is_mcc_confirmed: true, is_country_confirmed: true })
  for (const mcc_confirmed of [null, '5999']) {
    expect(identityOf({ ...row, mcc_confirmed })).toMatchObject({
      is_mcc_confirmed: false,
      is_country_confirmed: true,
    })
  }
  expect(identityOf({ ...row, country_confirmed: 'AT' }).is_country_confirmed).toBe(false)
  expect(identityOf({ ...row, mcc: null, mcc_confirmed: null }).is_mcc_confirmed).toBe(false)
})

test('in test mode nothing has to be confirmed', () => {
  const test = identityOf({ ...row, mode: 'test', mcc_confirmed: null, country_confirmed: null })
  expect(test).toMatchObject({ is_mcc_confirmed: true, is_country_confirmed: true })
})

const changes: [string, Partial<MerchantIdentity>][] = [
  ['another account', { account_id: 'acct_2' }],
  ['another domain', { domain: 'other.example' }],
  ['no domain', { domain: null }],
  ['a lost verification', { is_verified: false }],
  ['another category', { mcc: '5999' }],
  ['another country', { country: null }],
  ['a category that is no longer confirmed', { is_mcc_confirmed: false }],
  ['a country that is no longer confirmed', { is_country_confirmed: false }],
]

test.each(changes)('%s is a change', (_, change) => {
  expect(hasMerchantChanged(then, { ...then, ...change })).toBe(true)
})

test('a merchant that stopped selling, or began since, is a change; no merchant before and after is none', () => {
  expect(hasMerchantChanged(then, null)).toBe(true)
  expect(hasMerchantChanged(null, then)).toBe(true)
  expect(hasMerchantChanged(null, null)).toBe(false)
})

test('a later proof or confirmation is no change', () => {
  const claimed = { ...then, is_verified: false, is_mcc_confirmed: false, is_country_confirmed: false }
  expect(hasMerchantChanged(claimed, then)).toBe(false)
  expect(hasMerchantChanged(then, { ...then })).toBe(false)
})
