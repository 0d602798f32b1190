import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../../test/harness/buyers.ts'
import { noFaults } from '../../../../platform/faults/faults.ts'
import { silentLog } from '../../../../platform/logs/logs.ts'
import { createMetrics } from '../../../../platform/metrics/metrics.ts'
import type { Claimed, Lease } from '../../../../platform/work/lease.ts'
import { createStepContext } from '../../../../platform/work/step-context.ts'
import { railsByMode } from '../../rails/rails.ts'
import { beginIntent } from '../begin-intent.ts'
import { createChannels, type LookAtHost } from '../channels.ts'

/** Live mode looks at sites that nobody has added, before it makes a cart for them. */
let app: TestApp
let buyer: Buyer
let liveProfile: string
beforeAll(async () => {
  app = await startTestApp()
  buyer = await newBuyer(app)
  const { body } = await app.post(
    '/v1/profiles',
    { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'US' },
    { key: app.account.keys.secret_live },
  )
  liveProfile = body.id
})
afterAll(() => app.stop())

const ucp = {
  name: 'ucp',
  modes: ['test', 'live'],
  payment: 'credential',
  hasStrangers: true,
  longestCallMs: 20_000,
  // This process does not buy by it, so that the cart stays as it was made.
  channel: null,
} as const
const said = {
  version: '2026-08-25',
  endpoints: [],
  capabilities: [],
  services: [],
  site_name: 'The Shop',
  payment_methods: [],
  payment_instruments: [],
  payment_provenance: [],
  item_types: [],
  categories: [],
}

/** Sites of which these hosts speak UCP. */
function world(...speaking: string[]) {
  const looked: string[] = []
  const lookAt: LookAtHost = async ({ host }, { mode, now }) => {
    looked.push(`${mode} ${host}`)
    const last_checked_at = now.toISOString()
    const found = { ...said, protocol: 'ucp', status: 'live', failures: 0, last_checked_at } as const
    return { host, origin: `https://${host}`, found: speaking.includes(host) ? [found] : [] }
  }
  return { looked, channels: createChannels({ rails: railsByMode({}), channels: [ucp], lookAt }) }
}

/** As if it had been approved in live mode, where there is a rail. */
async function approvedLive(...urls: string[]): Promise<string> {
  const items = urls.map((url) => ({ url, quantity: 1, expected_amount: 1000, expected_currency: 'USD' }))
  const { body } = await createPurchase(app, buyer, { items })
  await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  await app.sql(
    `insert into purchase_intents select (jsonb_populate_record(i, jsonb_build_object('mode', 'live', 'profile_id', $2::text,
       'payment_method_id', null, 'policy_id', null, 'api_key_id', null))).* from purchase_intents i where i.id = $1`,
    [body.id, liveProfile],
  )
  return body.id
}

const lasting: Lease = {
  token: 0n,
  remainingMs: () => 30_000,
  assertHeld: () => undefined,
  renewed: () => undefined,
}

async function begin(id: string, { channels }: ReturnType<typeof world>, mode: 'live' | 'test' = 'live') {
  const { accountId } = app.account
  const row = {
    account_id: accountId,
    mode,
    id: id as `pi_${string}`, // made above
    lease_token: 0n,
    step_failures: 0,
  } satisfies Claimed & { id: string }
  const deps = { ...app.parts, log: silentLog(), metrics: createMetrics(), faults: noFaults }
  const bound = { isOver: false }
  const signal = new AbortController().signal
  const step = await createStepContext(deps, { kind: 'test', row, lease: lasting, signal, bound })
  await beginIntent(step, row, channels)
  const key = mode === 'live' ? app.account.keys.secret_live : app.account.keys.secret_test
  return (await app.get(`/v1/purchase_intents/${id}`, { key })).body
}

test('what a site speaks is found out once a day, and the cart says how that is known', async () => {
  const shops = world('speaks.example')
  const first = await begin(await approvedLive('https://speaks.example/a', 'https://speaks.example/b'), shops)
  expect(first.carts).toHaveLength(1)
  expect(first.carts[0]).toMatchObject({
    channel: 'ucp',
    status: 'created',
    route: {
      site: 'https://speaks.example',
      chosen: 'ucp',
      candidates: [{ channel: 'ucp', evidence_at: expect.any(String) }],
    },
  })
  await begin(await approvedLive('https://speaks.example/c'), shops)
  expect(shops.looked).toEqual(['live speaks.example'])
  expect((await app.sql('select from registry_entries')).length).toBe(0)
  await app.sql(`update site_looks set good_until = now()`)
  await begin(await approvedLive('https://speaks.example/d'), shops)
  expect(shops.looked).toHaveLength(2)
})

test('a site that speaks nothing is not bought from, and is asked again after an hour', async () => {
  const shops = world()
  for (const path of ['a', 'b']) {
    const { status, carts } = await begin(await approvedLive(`https://silent.example/${path}`), shops)
    expect([status, carts[0].failure_reason.code]).toEqual(['failed', 'merchant_unsupported'])
  }
  expect(shops.looked).toEqual(['live silent.example'])
  const [kept] = await app.sql<{ hours: string }>(
    `select extract(epoch from good_until - looked_at) / 3600 as hours from site_looks where host = 'silent.example'`,
  )
  expect(Number(kept?.hours)).toBe(1)
})

test('several sites are looked at together, each once', async () => {
  const shops = world('one.example')
  const { carts } = await begin(
    await approvedLive('https://one.example/x', 'https://two.example/x', 'https://one.example/y'),
    shops,
  )
  expect(shops.looked.sort()).toEqual(['live one.example', 'live two.example'])
  expect(carts.map(({ channel, status }: Record<string, string>) => `${channel} ${status}`)).toEqual([
    'ucp created',
    'browser failed',
  ])
})

test('test mode looks at nothing', async () => {
  const shops = world('speaks.example')
  const { body } = await createPurchase(app, buyer, {
    items: [{ url: 'https://other.example/a', quantity: 1, expected_amount: 1000, expected_currency: 'USD' }],
  })
  await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  await begin(body.id, shops, 'test')
  expect(shops.looked).toEqual([])
})
