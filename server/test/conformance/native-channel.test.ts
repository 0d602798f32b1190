import { expect, test } from 'vitest'
import { openTestRail } from '../../src/cli/open-rail.ts'
import type { ActingContext } from '../../src/contract/context.ts'
import { intentWork } from '../../src/domain/buying/execution/work.ts'
import type { SoldBy } from '../../src/domain/buying/intents/public.ts'
import { native } from '../../src/domain/buying/native/native.ts'
import type { NativeOfferRequest, NativePlaceRequest } from '../../src/domain/buying/native/requests.ts'
import { railsByMode } from '../../src/domain/buying/rails/rails.ts'
import { cancelOrderInTx } from '../../src/domain/trade/orders/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { noFaults } from '../../src/platform/faults/faults.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { createWorker } from '../../src/platform/work/worker.ts'
import { startTestApp, type TestAccount, type TestApp } from '../harness/app.ts'
import { intentBody, newTestBuyer } from '../harness/buying.ts'
import { type CartUnderTest, conformsToBuyingChannel, type Disposition, offered } from './buying-channel.ts'

/** Prices and stock by disposition; 1000 is what the buyer expects for each of two. */
const shelves: Record<Disposition, { price: number; quantity: number }> = {
  ok: { price: 1000, quantity: 10 },
  out_of_stock: { price: 1000, quantity: 0 },
  too_few: { price: 1000, quantity: 1 },
  dearer: { price: 1200, quantity: 10 },
  refuses: { price: 1000, quantity: 10 },
}

async function openWorld() {
  const app = await startTestApp()
  const seller = await app.newAccount('Seller')
  const key = seller.keys.secret_test
  await app.post(
    '/v1/merchant',
    { name: 'Shop', domain: 'native.example', currency: 'USD', tax_basis_points: 700 },
    { key },
  )
  await app.sql('update merchants set domain_verified_at = now()')
  // The carts are only made here, and bought by hand: nobody answers at this rail.
  const opened = openTestRail('http://127.0.0.1:1')
  const worker = createWorker({
    ...app.parts,
    log: silentLog(),
    metrics: createMetrics(),
    faults: noFaults,
    kinds: [
      intentWork({
        rails: railsByMode({ test: [{ name: 'sandbox', rail: opened.rail, circuit: null }] }),
        channels: [],
      }),
    ],
  })
  let items = 0
  return {
    app,
    cart: (disposition: Disposition) => makeCart(app, worker, seller, { disposition, number: ++items }),
    async stop() {
      await opened.close()
      await app.stop()
    },
  }
}

async function makeCart(
  app: TestApp,
  worker: ReturnType<typeof createWorker>,
  seller: TestAccount,
  { disposition, number }: { disposition: Disposition; number: number },
): Promise<CartUnderTest> {
  const key = seller.keys.secret_test
  const url = `https://native.example/${number}`
  const made = await app.post(
    '/v1/merchant/catalog_items',
    { title: 'Thing', url, variants: [shelves[disposition]] },
    { key },
  )
  await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`, undefined, { key })
  const buyer = await newTestBuyer(app)
  const { body: intent } = await app.post(
    '/v1/purchase_intents',
    intentBody(buyer, [{ url, quantity: 2 }], {}),
  )
  await app.post(`/v1/purchase_intents/${intent.id}/approve`, { approve: true })
  const readCarts = async () => (await app.get(`/v1/purchase_intents/${intent.id}`)).body.carts
  // Due by the process's clock may be a moment before due by the database's.
  await expect
    .poll(async () => (await worker.runOnce('intents')) + (await readCarts()).length)
    .toBeGreaterThan(0)
  const [cart] = await readCarts()
  const [stored] = await app.sql<{ items: [SoldBy] }>('select items from purchase_intents where id = $1', [
    intent.id,
  ])
  if (!stored) throw new Error('no such intent')
  const item = {
    id: cart.items[0].id,
    url,
    quantity: 2,
    unitAmount: 1000n,
    soldBy: stored.items[0],
    variant: null,
    quoteId: null,
    inputs: {},
  }
  const shared = {
    cartId: cart.id,
    merchantAccountId: seller.accountId,
    merchantDomain: 'native.example',
    items: [item],
    buyer: {
      name: 'Ada Lovelace',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: null,
      shipTo: null,
      billTo: null,
    },
  }
  const request: NativeOfferRequest = {
    ...shared,
    cartKey: `${cart.id}:1`,
    profileId: buyer.profileId as NativeOfferRequest['profileId'], // as the product has made it
    currency: 'USD',
    fulfillment: { method: 'ship', speed: 'cheapest', feeAllowance: 500n },
    promoCode: null,
  }
  const place: Omit<NativePlaceRequest, 'offer'> = { ...shared, intentId: intent.id, attempt: 1 }
  const inside = <T>(work: (ctx: ActingContext) => Promise<T>): Promise<T> =>
    runAs(
      app.parts,
      { tenant: { accountId: app.account.accountId, mode: 'test' }, actor: { type: 'system', id: 'carts' } },
      work,
    )
  const rows = () => app.sql<{ id: string }>('select id from orders where cart_id = $1', [cart.id])
  const orderId = async () => (await rows())[0]?.id ?? null
  const read = (id: string | null) => inside((ctx) => native.read(id, ctx))
  return {
    item,
    async offer() {
      const answer = await inside((ctx) => native.offer(request, ctx))
      if (answer.kind === 'needs_input') throw new Error('nothing is asked of whoever buys these things')
      if (answer.kind === 'refused' && answer.code === 'merchant_not_payable')
        throw new Error('test mode pays nobody')
      return answer
    },
    place: (offer) => inside((ctx) => native.place({ ...place, offer }, ctx)),
    ask: async () => await read(await orderId()),
    // As the product does where a cart is stopped.
    async close() {
      const id = await orderId()
      if (id !== null) await inside((ctx) => cancelOrderInTx(ctx, id))
      return await read(id)
    },
    async decide() {
      for (const { id } of await rows()) {
        const body =
          disposition === 'refuses'
            ? { outcome: 'rejected', note: 'No.' }
            : { outcome: 'confirmed', reservation_reference: 'R', confirmation_reference: `C-${id}` }
        expect((await app.post(`/v1/merchant/orders/${id}/responses`, body, { key })).status).toBe(200)
      }
    },
    orders: async () => (await rows()).length,
  }
}

conformsToBuyingChannel('a merchant of ours', async () => {
  return await openWorld()
})

test('an order of ours that is closed while its merchant thinks is cancelled, and stays so', async () => {
  const { cart, stop } = await openWorld()
  const one = await cart('ok')
  await one.place(offered(await one.offer()))
  expect(await one.close()).toMatchObject({ kind: 'refused', refusal: { code: 'cancelled' } })
  expect(await one.ask()).toMatchObject({ kind: 'refused', refusal: { code: 'cancelled' } })
  await stop()
})
