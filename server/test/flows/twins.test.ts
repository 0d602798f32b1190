import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../harness/app.ts'
import { type Buyer, createPurchase, newBuyer } from '../harness/buyers.ts'
import { endByHand, runningPurchase } from '../harness/hand-worker.ts'

let app: TestApp
let buyer: Buyer
let bare: Buyer
let policyId: string
let waiting: string
let other: string
let running: Awaited<ReturnType<typeof runningPurchase>>
let twinsBefore: string[]

/**
 * Every row of an account stands a second and a third time under the same ids, in another account and in the other mode, with other
 * contents. A statement that forgets whose row it means finds a twin, or changes one: rows come in the order in which they were
 * written, because no index may bring them in the order of their accounts.
 */
beforeAll(async () => {
  const adminUrl = new URL(inject('adminUrl'))
  adminUrl.searchParams.set('options', '-c enable_indexscan=off -c enable_bitmapscan=off')
  app = await startTestApp({ server: { adminUrl: adminUrl.href, template: inject('template') } })
  expect(await read('show enable_bitmapscan')).toEqual([{ enable_bitmapscan: 'off' }])
  buyer = await newBuyer(app)
  bare = await newBuyer(app, { firstName: 'Grace', card: 'visa_otp_required' })
  policyId = (
    await app.post('/v1/policies', { name: 'Own', currency: 'EUR', limits: { max_intents_per_day: 90 } })
  ).body.id
  waiting = (await createPurchase(app, buyer)).body.id
  other = (await createPurchase(app, buyer)).body.id
  running = await runningPurchase(app, buyer)
  for (const [accountId, mode] of [
    [app.stranger.accountId, 'test'],
    [app.account.accountId, 'live'],
  ] as const) {
    for (const [table, marks] of twinned) await copyRows(table, { account_id: accountId, mode, ...marks })
  }
  // Every account has controls of its own: all but the owner's are frozen.
  await read(`update controls set frozen = true where not (account_id = $1 and mode = 'test')`, [
    app.account.accountId,
  ])
  // Written again, the own rows stand behind their twins: who takes the first row that is found takes a twin.
  for (const table of compared) {
    await read(`update ${table} set account_id = account_id where account_id = $1 and mode = 'test'`, [
      app.account.accountId,
    ])
  }
  twinsBefore = await readTwins()
})
afterAll(() => app.stop())

const mark = 'TWIN'

/** In the order in which they refer to each other, each with what tells a twin from its sibling, or stops who acts on it. */
const twinned: readonly [string, Record<string, unknown>][] = [
  ['profiles', { last_name: mark, status: 'archived' }],
  ['payment_methods', { label: mark, card_last4: '6666', agentic_status: 'suspended' }],
  ['policies', { name: mark, terms: twinTerms() }],
  ['policy_versions', { terms: twinTerms() }],
  ['policy_windows', {}],
  ['purchase_intents', { reference_id: mark, idempotency_key: null }],
  ['carts', { merchant_name: mark }],
  ['policy_reservations', {}],
  ['event_rows', { request_id: mark, object: `{"${mark}":true}`, object_bytes: null, object_at: null }],
]

/** Denies everything, so that it shows where it is asked. */
function twinTerms() {
  const nothing = { allow: [], block: [] }
  return {
    limits: { per_transaction_max: 1, intervals: [], max_intents_per_day: null, max_fulfillment_fee: null },
    mcc: nothing,
    merchants: nothing,
    countries: nothing,
    approval: null,
    price_drift: { tolerance_percent: null, on_exceed: 'reapprove' },
  }
}

const compared = ['controls', ...twinned.map(([table]) => table)]

async function copyRows(table: string, changes: Record<string, unknown>): Promise<void> {
  const [schema, name] = table.includes('.') ? table.split('.') : ['public', table]
  const columns = await read<{ column_name: string }>(
    `select column_name from information_schema.columns
      where table_schema = $1 and table_name = $2 and is_generated = 'NEVER' order by ordinal_position`,
    [schema, name],
  )
  const names = columns.map(({ column_name }) => column_name).join(', ')
  await read(
    `insert into ${table} (${names})
      select ${names} from (
        select (jsonb_populate_record(t, $1::jsonb)).* from ${table} t where t.account_id = $2 and t.mode = 'test') as twins`,
    [JSON.stringify(changes), app.account.accountId],
  )
}

function read<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return app.parts.pools.single<Row>({ name: '', text, values }).then(({ rows }) => rows)
}

async function readTwins(): Promise<string[]> {
  const rows: string[] = []
  for (const table of compared) {
    const found = await read<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t
        where (t.account_id = $1 and t.mode = 'test') or (t.account_id = $2 and t.mode = 'live') order by 1`,
      [app.stranger.accountId, app.account.accountId],
    )
    rows.push(...found.map(({ row }) => `${table} ${row}`))
  }
  return rows
}

/** Calls as the owner of the first rows; nothing of a twin may be in the answer. */
async function call(method: string, path: string, body?: unknown): Promise<Answer['body']> {
  const answer = await app.request(method, path, body === undefined ? {} : { body })
  const text = JSON.stringify(answer.body)
  expect(answer.status, `${method} ${path}: ${text}`).toBeLessThan(300)
  expect(text).not.toContain(mark)
  expect(text).not.toContain('6666')
  return answer.body
}

test('reading finds the own row of an id, once, and in lists only what is the own', async () => {
  const profile = `/v1/profiles/${buyer.profileId}`
  await call('GET', profile)
  await call('GET', `${profile}/payment_methods/${buyer.paymentMethodId}`)
  await call('GET', `/v1/policies/${policyId}`)
  await call('GET', `/v1/purchase_intents/${waiting}`)
  const counts = {
    profiles: (await call('GET', '/v1/profiles')).data.length,
    methods: (await call('GET', `${profile}/payment_methods`)).data.length,
    policies: (await call('GET', '/v1/policies')).data.length,
    purchases: (await call('GET', '/v1/purchase_intents')).data.length,
    carts: (await call('GET', `/v1/purchase_intents/${running.id}`)).carts.length,
    events: (await call('GET', `/v1/purchase_intents/${waiting}/events`)).data.length,
    replayed: (await call('POST', '/v1/policies/simulate', { policy: {}, past: {} })).past.data.length,
  }
  expect(counts).toMatchObject({
    profiles: 2,
    methods: 1,
    policies: 1,
    purchases: 3,
    carts: 1,
    events: 2,
    replayed: 3,
  })
})

test('decisions are made by the own policies, controls and cards', async () => {
  const created = await call('POST', '/v1/purchase_intents', {
    profile_id: buyer.profileId,
    items: [
      { url: 'https://www.shop.example/tea', quantity: 1, expected_amount: 1000, expected_currency: 'EUR' },
    ],
  })
  expect(created.status).toBe('awaiting_approval')
  expect((await call('POST', `/v1/purchase_intents/${waiting}/approve`, { approve: true })).status).toBe(
    'approved',
  )
  await endByHand(app, running.id, [{ cart: 0, status: 'failed' }])
  expect((await call('POST', `/v1/purchase_intents/${running.id}/retry`)).status).toBe('approved')
})

test('changes reach the own row of an id and no other', async () => {
  const profile = `/v1/profiles/${buyer.profileId}`
  const method = `${profile}/payment_methods/${buyer.paymentMethodId}`
  await call('POST', profile, { first_name: 'Augusta' })
  await call('POST', method, { label: 'own' })
  const card = { kind: 'existing', vault_token_id: 'visa_auto_approved', cardholder_name: 'Ada Lovelace' }
  await call('POST', `${profile}/payment_methods`, { type: 'card', card })
  await call('POST', `/v1/profiles/${bare.profileId}/payment_methods/${bare.paymentMethodId}/verify`, {
    method: 'otp',
    code: '123456',
  })
  await call('POST', `/v1/policies/${policyId}`, { description: 'own' })
  await call('POST', `/v1/purchase_intents/${other}/cancel`)
  await call('POST', '/v1/controls/freeze', { target: { type: 'profile', id: buyer.profileId } })
  await call('POST', '/v1/controls/unfreeze', { target: { type: 'profile', id: buyer.profileId } })
  await call('POST', `/v1/policies/${policyId}/archive`)
  await call('DELETE', method)
  await call('POST', `${profile}/archive`)
  expect(await readTwins()).toEqual(twinsBefore)
})
