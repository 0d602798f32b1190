import { expect, test } from 'vitest'
import type { Mode } from '../../../contract/context.ts'
import { decideReadiness } from './decide-readiness.ts'
import type { MerchantRow } from './merchant.ts'
import type { LastCheck, ReadinessFacts } from './port.ts'
import { blankMerchant } from './write-merchant.ts'

const at = new Date('2030-01-08T00:00:00Z')
const settings = {
  endpoint_url: 'https://tea.example/hooks',
  secret_prefix: 'whsec_ab12',
  event_types: ['order.requested'],
  responds_to_quotes: true,
  is_archived: false,
}
const orderCheck: LastCheck = {
  kind: 'order',
  status: 'passed',
  finished_at: at.toISOString(),
  order_id: 'ord_1',
  settings,
  settings_now: settings,
}
const quoteCheck: LastCheck = { ...orderCheck, kind: 'quote', order_id: null }
const done: ReadinessFacts = {
  account_created_at: at,
  published_items: 1,
  order_destinations: 1,
  quote_responders: 1,
  verification: null,
  payout_account: null,
  checks: [orderCheck, quoteCheck],
  order_destination_id: 'dest_1',
  responder_id: 'dest_1',
  last_order_id: 'ord_1',
  item: { id: 'cat_1', url: 'https://tea.example/green', price: 500, currency: 'EUR' },
}

function decide(row: Partial<MerchantRow> = {}, facts: Partial<ReadinessFacts> = {}, mode: Mode = 'test') {
  const ctx = { tenant: { accountId: 'acct_m', mode }, random: () => new Uint8Array(16) } as const
  const merchant = {
    ...blankMerchant(ctx, at),
    slug: 'tea',
    domain: 'tea.example',
    domain_verified_at: at,
    ...row,
  }
  const readiness = decideReadiness(merchant, { ...done, ...facts })
  const stateOf = (code: string) =>
    readiness.requirements.find((one) => one.code === code)?.state ?? 'not asked for'
  return { ...readiness, stateOf }
}

test('a merchant that has everything, proved, has nothing left to do', () => {
  const { status, requirements, next_action, verifications } = decide()
  expect([status, next_action]).toEqual(['test_ready', null])
  expect(requirements.every(({ state }) => state === 'satisfied')).toBe(true)
  expect(verifications.map(({ kind, status, stale }) => [kind, status, stale])).toEqual([
    ['domain', 'passed', false],
    ['order_check', 'passed', false],
    ['quote_check', 'passed', false],
  ])
})

test.each<[string, Partial<MerchantRow>, Partial<ReadinessFacts>, object]>([
  ['a slug', { slug: null }, {}, { requirement: 'slug', path: '/v1/merchant' }],
  ['a domain', { domain: null }, {}, { requirement: 'domain', path: '/v1/merchant' }],
  ['an item', {}, { published_items: 0 }, { path: '/v1/merchant/catalog_items' }],
  [
    'a destination',
    {},
    { order_destinations: 0, order_destination_id: null },
    { path: '/v1/merchant/destinations' },
  ],
  [
    'a destination that has confirmed',
    {},
    { order_destinations: 0 },
    { path: '/v1/merchant/destinations/dest_1/test', body_example: null },
  ],
  [
    'a responder that has confirmed',
    {},
    { quote_responders: 0 },
    { path: '/v1/merchant/destinations/dest_1/test', body_example: null },
  ],
  [
    'a responder',
    {},
    { quote_responders: 0, responder_id: null },
    { path: '/v1/merchant/destinations/dest_1', body_example: { responds_to_quotes: true } },
  ],
  [
    'a quote check',
    {},
    { checks: [orderCheck] },
    {
      path: '/v1/merchant/integration_checks',
      body_example: { kind: 'quote', destination_id: 'dest_1', quote_request: { catalog_item_id: 'cat_1' } },
    },
  ],
  [
    'an order check, with an order that was not read',
    {},
    { checks: [quoteCheck], last_order_id: 'ord_2' },
    {
      path: '/v1/merchant/integration_checks',
      body_example: { kind: 'order', destination_id: 'dest_1', order_id: 'ord_2' },
    },
  ],
  [
    'an order check, and has no order',
    {},
    { checks: [], last_order_id: null },
    {
      requirement: 'order_check',
      path: '/v1/purchase_intents',
      body_example: { items: [{ url: 'https://tea.example/green', expected_amount: 500 }] },
    },
  ],
  [
    'another order than the one that failed',
    {},
    { checks: [{ ...orderCheck, status: 'failed' }, quoteCheck] },
    { requirement: 'order_check', path: '/v1/purchase_intents' },
  ],
  [
    'a proof of its domain',
    { domain_verified_at: null },
    {},
    { path: '/v1/merchant/verify_domain', body_example: null },
  ],
])('a merchant without %s gets the call that brings it further', (_, row, facts, action) => {
  expect(decide(row, facts).next_action).toMatchObject({ method: 'POST', ...action })
})

test('steps that keep a merchant from being ready come before missing proofs', () => {
  expect(decide({}, { checks: [], order_destinations: 0 }).next_action?.requirement).toBe('order_destination')
  expect(decide({ domain_verified_at: null }, { quote_responders: 0 }, 'live').next_action?.requirement).toBe(
    'domain_verification',
  )
})

test('a check is stale, and blocks nothing, once its destination has other settings', () => {
  const moved = { ...orderCheck, settings_now: { ...settings, endpoint_url: 'https://tea.example/v2' } }
  const { status, blockers, stateOf, verifications } = decide({}, { checks: [moved, quoteCheck] })
  expect([status, blockers]).toEqual(['test_ready', []])
  expect([stateOf('order_check'), stateOf('quote_check')]).toEqual(['stale', 'satisfied'])
  expect(verifications[1]).toMatchObject({ kind: 'order_check', status: 'passed', stale: true })
})

test('a check that failed later is shown, and the passed one still counts', () => {
  const later = new Date(at.getTime() + 1000).toISOString()
  const failed: LastCheck = { ...orderCheck, status: 'failed', finished_at: later, order_id: 'ord_2' }
  const { stateOf, verifications } = decide({}, { checks: [failed, orderCheck, quoteCheck] })
  expect(stateOf('order_check')).toBe('satisfied')
  expect(verifications[1]).toMatchObject({ kind: 'order_check', status: 'failed', checked_at: later })
})

test('live mode asks for no checks, and a domain whose proof was lost for good restricts', () => {
  const facts = { checks: [] }
  expect(decide({}, facts, 'live')).toMatchObject({ status: 'live_ready', next_action: null })
  expect(decide({}, facts, 'live').stateOf('order_check')).toBe('not asked for')
  const verification = {
    domain: 'tea.example',
    token: '0'.repeat(32),
    status: 'failed' as const,
    detail: 'DNS: no TXT record. File: HTTP 404.',
    checked_at: at.toISOString(),
    failing_since: at.toISOString(),
    lapsed_at: null,
  }
  const missing = decide({}, { ...facts, verification }, 'live')
  expect(missing).toMatchObject({ status: 'live_ready', blockers: [] })
  expect(missing.stateOf('domain_verification')).toBe('stale')
  expect(missing.verifications).toMatchObject([{ kind: 'domain', status: 'failed', stale: true }])
  const lapsed = { ...verification, lapsed_at: at.toISOString() }
  const lost = decide({ domain_verified_at: null }, { ...facts, verification: lapsed }, 'live')
  expect(lost).toMatchObject({ status: 'restricted', blockers: ['domain_verification'] })
  const moved = decide(
    { domain_verified_at: null, domain: 'new.example' },
    { ...facts, verification: lapsed },
    'live',
  )
  expect(moved).toMatchObject({ status: 'setup', verifications: [{ kind: 'domain', status: 'pending' }] })
})
