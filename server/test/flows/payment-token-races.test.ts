import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'
import { createDestination } from '../harness/deliveries.ts'
import {
  askForToken,
  openTokenShop,
  type TokenShop,
  tokenBody,
  waiting,
  withToken,
} from '../harness/token-purchases.ts'

let buying: Buying
let buyer: Buyer
let shop: TokenShop
beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  shop = await openTokenShop(buying)
})
afterEach(() => buying.audit())
afterAll(async () => {
  await shop?.close()
  await buying?.stop()
})

/** Every end of a token, so that the next test begins with nothing open. */
async function end(id: string, token: string): Promise<void> {
  await shop.release(await shop.authorize(token))
  await shop.report(token)
  await buying.ended(buyer, id)
}

/** Ends the lease of an intent's cart now, without its holder. */
async function endLease(id: string): Promise<void> {
  await buying.sql('update carts set lease_until = now(), due_at = now() where intent_id = $1', [id])
}

test('of two requests for a token one gets it, and one credential is issued', async () => {
  const { id } = await waiting(buying, buyer, shop)
  const asked = ['a', 'b', 'c'].map((name) =>
    askForToken(buying, id, tokenBody(shop, { binding: { checkout_id: name } }), buyer),
  )
  const answers = await Promise.all(asked)
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  const made = answers.find(({ status }) => status === 201)
  await end(id, made?.body.token)
  expect((await buying.moneyOf(id)).filter((line) => line.startsWith('issue_credential'))).toHaveLength(1)
})

test('of a token and a cancel one wins, and either way nothing is charged', async () => {
  for (let round = 0; round < 6; round++) {
    const { id } = await waiting(buying, buyer, shop)
    const [made, cancelled] = await Promise.all([
      askForToken(buying, id, tokenBody(shop), buyer),
      buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, buyer),
    ])
    if (cancelled.status === 200) {
      expect([201, 409]).toContain(made.status)
      expect(await buying.read(buyer, id)).toMatchObject({ status: 'cancelled' })
      if (made.status === 201)
        expect(await shop.find(made.body.token)).toMatchObject({ credentialReference: null })
    } else {
      expect([made.status, cancelled.status]).toEqual([201, 409])
      await end(id, made.body.token)
    }
  }
  await buying.settled()
})

test('a purchase that buys by itself is begun by its worker or by its token, never by both', async () => {
  for (let round = 0; round < 6; round++) {
    const item = { url: shop.url, quantity: 1, expected_amount: 1000, expected_currency: 'USD' }
    const created = await buying.app.post(
      '/v1/purchase_intents',
      { profile_id: buyer.profileId, items: [item] },
      buyer,
    )
    const path = `/v1/purchase_intents/${created.body.id}`
    const approving = buying.app.post(`${path}/approve`, { approve: true }, buyer)
    const asking = approving.then(() => askForToken(buying, created.body.id, tokenBody(shop), buyer))
    const made = await asking
    const { carts } = await buying.until(buyer, created.body.id, (intent) => intent.carts.length > 0)
    expect(carts.map(({ channel }) => channel)).toEqual([made.status === 201 ? 'ucp' : 'native'])
    if (made.status === 201) await end(created.body.id, made.body.token)
    else expect((await buying.app.post(`${path}/cancel`, {}, buyer)).status).toBe(200)
  }
  await buying.settled()
})

test.each(['issue_credential.before', 'issue_credential.after'] as const)(
  'a worker held up at %s that lost its lease issues nothing twice, and the token is usable',
  async (point) => {
    const pause = buying.faults.pause(point)
    const { id } = await waiting(buying, buyer, shop)
    const asked = askForToken(buying, id, tokenBody(shop), buyer)
    await pause.reached
    await endLease(id)
    const { body } = await asked
    await expect.poll(async () => (await shop.find(body.token))?.status).toBe('active')
    pause.resume()
    await end(id, body.token)
    expect(await buying.moneyOf(id)).toEqual([
      'issue_credential 1080 approved',
      'charge_credential 1080 approved',
      'void 1080 voided',
    ])
  },
)

test('a credential that never left is issued by the next worker, although the backend of its merchant has not confirmed its endpoint', async () => {
  const other = await openTokenShop(buying)
  await createDestination(buying.app, 'merchant', {
    endpointUrl: 'https://unconfirmed.example/',
    key: other.seller.keys.secret_test,
  })
  const pause = buying.faults.pause('issue_credential.before')
  const { id } = await waiting(buying, buyer, other)
  const asked = askForToken(buying, id, tokenBody(other), buyer)
  await pause.reached
  await endLease(id)
  const { token } = (await asked).body
  await expect.poll(async () => (await other.find(token))?.status).toBe('active')
  pause.resume()
  await other.release(await other.authorize(token))
  await other.report(token)
  await buying.ended(buyer, id)
  await other.close()
})

test.each(['revoke.before', 'revoke.after'] as const)(
  'a worker held up at %s while another one takes over revokes nothing twice and writes nothing late',
  async (point) => {
    const { id } = await withToken(buying, buyer, shop)
    const pause = buying.faults.pause(point)
    await buying.sql(
      `update carts set created_at = created_at - interval '15 minutes', due_at = now() where intent_id = $1`,
      [id],
    )
    await pause.reached
    await endLease(id)
    expect(await buying.ended(buyer, id)).toMatchObject({ failure_reason: { code: 'payment_token_expired' } })
    const before = await buying.eventTypes(buyer, id)
    pause.resume()
    await buying.settled()
    expect(await buying.eventTypes(buyer, id)).toEqual(before)
    expect(await buying.moneyOf(id)).toEqual(['issue_credential 1080 approved', 'revoke 1080 revoked'])
  },
)

test.each(['ask.before', 'ask.after'] as const)(
  'a worker held up at %s while another one finds the capture writes nothing late',
  async (point) => {
    const { id, token } = await withToken(buying, buyer, shop)
    const pause = buying.faults.pause(point)
    const held = await shop.authorize(token)
    await shop.report(token)
    await pause.reached
    await shop.capture(held)
    await endLease(id)
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1080 })
    const before = await buying.eventTypes(buyer, id)
    pause.resume()
    await buying.settled()
    expect(await buying.eventTypes(buyer, id)).toEqual(before)
  },
)

test('news that comes while the rail is being asked is not lost', async () => {
  const { id, token } = await withToken(buying, buyer, shop)
  const held = await shop.authorize(token)
  // As after many questions: without news the next one is minutes away.
  await buying.sql(`update effects set asked = 9 where intent_id = $1 and step = 'place'`, [id])
  const pause = buying.faults.pause('ask.after')
  await shop.report(token)
  await pause.reached
  // The worker has read that the money is held; now it is captured, and the worker does not know.
  await shop.capture(held)
  await shop.report(token)
  pause.resume()
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1080 })
})

test('a merchant whose answers get lost has authorized once, and the purchase follows the rail', async () => {
  const { id, token } = await withToken(buying, buyer, shop)
  await buying.sandbox.fault({ match: { operation: 'charge_credential' }, fault: 'lose_answer' })
  await expect(shop.authorize(token)).rejects.toThrow()
  await shop.report(token)
  await expect.poll(async () => (await shop.find(token))?.status).toBe('authorized')
  expect(await buying.read(buyer, id)).toMatchObject({ status: 'approved' })
  const charged = await fetch(`${buying.sandbox.processorUrl}/v1/holds`)
  const { data } = (await charged.json()) as { data: { hold: { status: string; reference: string } }[] }
  expect(data.filter(({ hold }) => hold.reference.includes(id)).map(({ hold }) => hold.status)).toEqual([
    'authorized',
  ])
  const log = await buying.sql<{ reference: string }>(
    'select reference from authorizations where intent_id = $1',
    [id],
  )
  expect(log).toHaveLength(1)
  const made = await fetch(`${buying.sandbox.processorUrl}/v1/credentials/${log[0]?.reference}/revoke`, {
    method: 'POST',
    headers: { 'idempotency-key': `again-${id}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(((await made.json()) as { status: string }).status).toBe('authorized')
})
