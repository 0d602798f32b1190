import { expect, test } from 'vitest'
import type { MerchantRow } from './merchant.ts'
import { hostsOf, isHostWithin, merchantForUrl } from './merchant-of-url.ts'
import { blankMerchant } from './write-merchant.ts'

const at = new Date('2030-01-01T00:00:00Z')

function merchant(account: string, domain: string | null, isVerified: boolean): MerchantRow {
  const ctx = {
    tenant: { accountId: `acct_${account}`, mode: 'test' },
    random: () => new Uint8Array(16),
  } as const
  return { ...blankMerchant(ctx, at), domain, domain_verified_at: isVerified ? at : null }
}

test('asks for a host and every domain above it, each once, and for no top-level domain', () => {
  expect(hostsOf(['https://www.shop.co.uk/a', 'https://SHOP.co.uk/b'])).toEqual([
    'www.shop.co.uk',
    'shop.co.uk',
    'co.uk',
  ])
})

test('a domain covers its subdomains and no look-alikes', () => {
  expect(isHostWithin('shop.example', 'shop.example')).toBe(true)
  expect(isHostWithin('de.shop.example', 'shop.example')).toBe(true)
  expect(isHostWithin('myshop.example', 'shop.example')).toBe(false)
  expect(isHostWithin('shop.example.evil.example', 'shop.example')).toBe(false)
})

test('a merchant that claims a domain never takes purchases from the one that proved it', () => {
  const owner = merchant('owner', 'shop.example', true)
  const claims = merchant('buyer', 'www.shop.example', false)
  expect(merchantForUrl([claims, owner], 'https://www.shop.example/tea')).toBe(owner)
  expect(merchantForUrl([claims], 'https://www.shop.example/tea')).toBe(claims)
})

test('of two proved domains the longer one sells', () => {
  const platform = merchant('platform', 'shops.example', true)
  const tenant = merchant('tenant', 'tea.shops.example', true)
  expect(merchantForUrl([platform, tenant], 'https://tea.shops.example/')).toBe(tenant)
  expect(merchantForUrl([platform, tenant], 'https://coffee.shops.example/')).toBe(platform)
  expect(merchantForUrl([platform, tenant], 'https://elsewhere.example/')).toBeNull()
})
