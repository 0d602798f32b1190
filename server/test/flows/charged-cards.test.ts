import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { type Sandbox, startSandbox } from '../harness/sandbox.ts'
import { stripeTestKey } from '../harness/stripe.ts'

const secret = 'whsec_test_sandbox'
let app: TestApp
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
  app = await startTestApp({ authorizationSecrets: { test: new Secret(secret) } })
  await control('issuing', { endpoint: `${app.url}/inbound/stripe/authorizations`, secret })
})
afterAll(async () => {
  await app.stop()
  await sandbox.stop()
})

async function control(path: string, body: object): Promise<void> {
  const answer = await fetch(`${sandbox.stripeUrl}/control/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
}

// biome-ignore lint/suspicious/noExplicitAny: tests read what they know to be there
async function atStripe(path: string, fields?: Record<string, string>): Promise<any> {
  const answer = await fetch(`${sandbox.stripeUrl}/v1/issuing/${path}`, {
    method: fields ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${stripeTestKey}` },
    ...(fields ? { body: new URLSearchParams(fields) } : {}),
  })
  return JSON.parse(await answer.text())
}

/** A card at Stripe that pays far more than its cart allows here. */
async function openCard(limit: number) {
  const terms = { cardholder: 'ich_sandbox', currency: 'usd', type: 'virtual', status: 'active' }
  const { id } = await atStripe('cards', terms)
  const { number, cvc, exp_month, exp_year } = await atStripe(`cards/${id}?expand[]=number&expand[]=cvc`)
  await app.sql(
    `insert into chargeable_cards (account_id, mode, reference, cart_id, attempt, profile_id, limit_amount, currency)
     values ($1, 'test', $2, 'cart_1', 1, 'prof_1', $3, 'USD')`,
    [app.account.accountId, id, limit],
  )
  const typed = { number, security_code: cvc, expiry: `${exp_month}/${exp_year % 100}` }
  return {
    id: String(id),
    async charge(path: string, body: object): Promise<{ status: number; id: string }> {
      const answer = await fetch(`${sandbox.stripeUrl}/network/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify({ ...typed, currency: 'USD', merchant: 'classic.shop.test', ...body }),
      })
      const said = JSON.parse(await answer.text())
      return { status: answer.status, id: String(said.id) }
    },
  }
}

test('Stripe asks about each charge of a card, and does what it is told', async () => {
  const card = await openCard(1_000)
  const held = await card.charge('card_authorizations', { amount: 600 })
  expect(held.status).toBe(201)
  expect((await card.charge(`card_authorizations/${held.id}/increments`, { amount: 300 })).status).toBe(201)
  expect((await card.charge(`card_authorizations/${held.id}/increments`, { amount: 101 })).status).toBe(402)
  expect((await card.charge('card_authorizations', { amount: 1, merchant: 'other.shop.test' })).status).toBe(
    402,
  )
  const { data } = await atStripe(`authorizations?card=${card.id}`)
  const [declined, standing] = data
  expect(declined).toMatchObject({
    approved: false,
    status: 'closed',
    metadata: { cart: 'cart_1', reason: 'other_merchant' },
    request_history: [{ reason: 'webhook_declined' }],
  })
  expect(standing).toMatchObject({ amount: 900, status: 'pending' })
  const reasons = standing.request_history.map(({ reason }: { reason: string }) => reason)
  expect(reasons).toEqual(['webhook_approved', 'webhook_approved', 'webhook_declined'])
  const rows = await app.sql<{ request: number; declined_because: string | null }>(
    'select request, declined_because from card_authorizations where authorization_id = $1 order by request',
    [held.id],
  )
  expect(rows).toEqual([
    { request: 0, declined_because: null },
    { request: 1, declined_because: null },
    { request: 2, declined_because: 'over_limit' },
  ])
})

// The first one may be a check of the card, which leaves the limit as it is.
test('a hundred shops at once get no more than the limit, and each its answer in time', async () => {
  const card = await openCard(1_000)
  const charges = Array.from({ length: 100 }, () => card.charge('card_authorizations', { amount: 30 }))
  const statuses = (await Promise.all(charges)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(34)
  const { data } = await atStripe(`authorizations?card=${card.id}&limit=100`)
  const reasons = new Set(
    data.map((one: { request_history: { reason: string }[] }) => one.request_history[0]?.reason),
  )
  expect([...reasons].sort()).toEqual(['webhook_approved', 'webhook_declined'])
})
