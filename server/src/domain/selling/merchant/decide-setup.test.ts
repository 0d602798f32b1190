import { expect, test } from 'vitest'
import type { Mode } from '../../../contract/context.ts'
import { decideSetup } from './decide-setup.ts'
import type { MerchantRow } from './merchant.ts'
import { blankMerchant } from './write-merchant.ts'

const at = new Date('2030-01-01T00:00:00Z')
const done = { account_created_at: at, published_items: 1, order_destinations: 1, quote_responders: 1 }

function merchant(mode: Mode, changes: Partial<MerchantRow> = {}): MerchantRow {
  const ctx = { tenant: { accountId: 'acct_m', mode }, random: () => new Uint8Array(16) } as const
  return { ...blankMerchant(ctx, at), slug: 'tea', domain: 'tea.example', ...changes }
}

test('test mode is ready on a domain that is only claimed; live mode is not', () => {
  expect(decideSetup(merchant('test'), done)).toMatchObject({ status: 'test_ready', blockers: [] })
  expect(decideSetup(merchant('live'), done)).toMatchObject({
    status: 'setup',
    blockers: ['domain_verification'],
    capabilities: { orders: false },
  })
  expect(decideSetup(merchant('live', { domain_verified_at: at }), done).status).toBe('live_ready')
})

test.each([
  ['slug', { slug: null }, {}, { quotes: false, orders: true }],
  ['domain', { domain: null }, {}, { quotes: true, orders: false }],
  ['catalog_item', {}, { published_items: 0 }, { catalog: false, quotes: true, orders: false }],
  ['order_destination', {}, { order_destinations: 0 }, { quotes: true, orders: false }],
] as const)(
  'without its %s a merchant is in setup and lacks what that blocks',
  (code, row, facts, capabilities) => {
    const setup = decideSetup(merchant('test', row), { ...done, ...facts })
    expect(setup).toMatchObject({ status: 'setup', blockers: [code], capabilities })
    expect(setup.requirements.find((one) => one.code === code)).toMatchObject({ state: 'currently_due' })
  },
)

test.each([
  ['domain_verification', {}, {}],
  ['domain', { domain: null, domain_verified_at: at }, {}],
  ['catalog_item', { domain_verified_at: at }, { published_items: 0 }],
  ['order_destination', { domain_verified_at: at }, { order_destinations: 0 }],
] as const)(
  'without its %s a live merchant cannot be asked for a price, and the setup says so',
  (code, row, facts) => {
    const setup = decideSetup(merchant('live', row), { ...done, ...facts })
    expect([setup.blockers, setup.capabilities.quotes]).toEqual([[code], false])
    expect(setup.requirements.find((one) => one.code === code)?.blocking).toContain('quotes')
    expect(decideSetup(merchant('live', { domain_verified_at: at }), done).capabilities.quotes).toBe(true)
  },
)

test('without a responder a merchant is ready but takes no quotes', () => {
  const setup = decideSetup(merchant('test'), { ...done, quote_responders: 0 })
  expect(setup).toMatchObject({
    status: 'test_ready',
    blockers: [],
    capabilities: { quotes: false, orders: true },
  })
})

test('a step that is due says how to fix it, and a finished one does not', () => {
  const { requirements } = decideSetup(merchant('live'), done)
  for (const { state, fix } of requirements) expect(fix === null).toBe(state === 'satisfied')
  const verification = requirements.find(({ code }) => code === 'domain_verification')
  expect(verification?.fix).toContain('tea.example/.well-known/')
})
