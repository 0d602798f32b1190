import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processorHandler } from '../../src/channels/ucp/paying-handler.ts'
import { createUcpChannel } from '../../src/channels/ucp/ucp.ts'
import { freePort } from '../../src/cli/up/free-port.ts'
import type {
  Buyer,
  ChannelCall,
  Offer,
  OfferRequest,
  PlaceRequest,
} from '../../src/domain/buying/channels/port.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { createSigningKeys } from '../../src/platform/signatures/signing-keys.ts'
import { createSandboxRail } from '../../src/rails/sandbox/sandbox.ts'
import { startTestApp } from '../harness/app.ts'
import { startSandbox } from '../harness/sandbox.ts'
import { openStrangers } from '../harness/strangers.ts'
import { type CartUnderTest, conformsToBuyingChannel, type Disposition, offered } from './buying-channel.ts'

const call: ChannelCall = { mode: 'test', share: 'buyer', timeoutMs: 20_000 }
const home = {
  recipientName: 'Ada Lovelace',
  line1: '12 Analytical Way',
  line2: null,
  city: 'Springfield',
  state: 'IL',
  postalCode: '62704',
  country: 'US',
}

const goods: Readonly<Record<Disposition, { path: string; quantity?: number; unitAmount?: bigint }>> = {
  ok: { path: 'kettle', quantity: 2 },
  out_of_stock: { path: 'sold-out' },
  too_few: { path: 'last-two', quantity: 3 },
  dearer: { path: 'dearer-than-listed', unitAmount: 2100n },
  refuses: { path: 'declined' },
}

/** The shop, and carts there whose credential is good for `limit`. Our profile is where a service of ours would have it. */
async function openWorld() {
  const sandbox = await startSandbox()
  const app = await startTestApp({ port: await freePort(), sandboxNames: sandbox.names })
  const egress = createEgress({
    allowLoopback: () => true,
    trustedOrigins: [sandbox.processorUrl],
    sandboxNames: sandbox.names,
  })
  const rail = createSandboxRail({ url: sandbox.processorUrl, egress })
  const channel = createUcpChannel({
    egress,
    publicUrl: app.url,
    signer: createSigningKeys(app.parts).signer,
    payable: { test: [processorHandler], live: [] },
  })
  const strangers = openStrangers({ app, sandbox, sql: app.sql })

  async function cart(
    path: string,
    more: { quantity?: number; unitAmount?: bigint } = {},
  ): Promise<CartUnderTest> {
    const id = randomUUID()
    const { quantity = 1, unitAmount = 2500n } = more
    const buyer: Buyer = {
      name: 'Ada Lovelace',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: `${id}@example.com`,
      phone: null,
      shipTo: home,
      billTo: home,
    }
    const item = {
      id: 'item_1',
      url: `https://ucp.shop.test/products/${path}`,
      quantity,
      unitAmount,
      variant: null,
    }
    const shared = { buyer, merchantDomain: 'ucp.shop.test', site: 'https://ucp.shop.test', items: [item] }
    const request: OfferRequest = {
      ...shared,
      cartKey: id,
      currency: 'USD',
      fulfillment: { method: 'ship', speed: 'cheapest', feeAllowance: 2000n },
      promoCode: null,
    }
    const credential = {
      key: `${id}:issue`,
      card: { testCard: 'visa_auto_approved', vaultToken: 'none' },
      limit: 20_000n,
      currency: 'USD',
      merchant: 'ucp.shop.test',
      expiresAt: new Date(Date.now() + 3_600_000),
      reference: id,
    }
    const issued = await rail.issueCredential(credential, call)
    if (issued.kind !== 'done') throw new Error('no credential')
    let known: Offer = noOffer
    const place = (offer: Offer): PlaceRequest => ({
      ...shared,
      key: id,
      offer,
      fulfillment: { method: 'ship', speed: 'cheapest', feeAllowance: 800n },

      promoCode: null,
      instrument: { kind: 'credential', form: 'token', reference: issued.value.reference },
      reference: id,
    })
    return {
      item,
      offer: () => channel.offer(request, call),
      place(offer) {
        known = offer
        return channel.place(place(offer), call)
      },
      ask: () => channel.ask(place(known), call),
      close: () => channel.close(place(known), call),
      decide: async () => undefined,
      orders: async () =>
        (await strangers.log('ucp')).filter(
          ({ kind, result, email }) => kind === 'order' && result === 'opened' && email === buyer.email,
        ).length,
    }
  }
  return {
    cart,
    log: () => strangers.log('ucp'),
    async stop() {
      await egress.close()
      await app.stop()
      await sandbox.stop()
    },
  }
}

/** What was never placed has no checkout either. */
const noOffer: Offer = {
  reference: null,
  lines: [],
  subtotal: 0n,
  fulfillment: 0n,
  tax: 0n,
  discount: 0n,
  total: 0n,
  currency: 'USD',
}

conformsToBuyingChannel('a business that speaks UCP', async () => {
  const { cart, stop } = await openWorld()
  return {
    cart: (disposition) => cart(goods[disposition].path, goods[disposition]),
    stop,
    forgetsRefusals: true,
  }
})

let world: Awaited<ReturnType<typeof openWorld>>
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.stop())

test('an answer that is lost is unknown, and looking at the checkout finds the order', async () => {
  const cart = await world.cart('dies-after-order')
  expect(await cart.place(offered(await cart.offer()))).toEqual({ kind: 'unknown' })
  expect(await cart.ask()).toMatchObject({ kind: 'done' })
})

test('an order that is lost on its way is not found, and after a close never placed', async () => {
  const cart = await world.cart('dies-before-order')
  const offer = offered(await cart.offer())
  expect(await cart.place(offer)).toEqual({ kind: 'unknown' })
  expect(await cart.ask()).toEqual({ kind: 'not_found' })
  expect(await cart.close()).toEqual({ kind: 'closed' })
  expect((await cart.place(offer)).kind).not.toBe('done')
  expect(await cart.orders()).toBe(0)
})

test('a checkout whose buyer is wanted at its page is left to that page, and what leads nowhere is cancelled', async () => {
  const lastCall = async () => (await world.log()).filter(({ kind }) => kind === 'call').at(-1)
  const sent = await world.cart('escalates-at-update')
  const answer = await sent.offer()
  const last = await lastCall()
  expect(last?.result).toBe('update_checkout requires_escalation')
  expect(answer).toEqual({
    kind: 'elsewhere',
    why: 'The shop wants its buyer to go on at its page.',
    page: {
      url: `https://ucp.shop.test/continue/${last?.cart}`,
      titles: { item_1: 'Escalates at update' },
      promo: null,
      toldAs: { sender: 'https://ucp.shop.test/.well-known/ucp', checkout: last?.cart },
    },
  })
  expect(await (await world.cart('miscounted')).offer()).not.toHaveProperty('page')
  expect((await lastCall())?.result).toBe('cancel_checkout canceled')
})
