import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulatedChannel } from '../../src/channels/simulated/simulated.ts'
import type {
  Buyer,
  ChannelCall,
  Offer,
  OfferRequest,
  PlaceRequest,
} from '../../src/domain/buying/channels/port.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { createSandboxRail } from '../../src/rails/sandbox/sandbox.ts'
import { type Sandbox, startSandbox } from '../harness/sandbox.ts'
import { type CartUnderTest, conformsToBuyingChannel, type Disposition, offered } from './buying-channel.ts'

const call: ChannelCall = { mode: 'test', share: 'buyer', timeoutMs: 8_000 }
const buyer: Buyer = {
  name: 'Ada Lovelace',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: null,
  shipTo: null,
  billTo: null,
}
const scenarios: Record<Disposition, string> = {
  ok: 'none',
  out_of_stock: 'out_of_stock',
  too_few: 'insufficient_stock',
  dearer: 'price_up_20',
  refuses: 'rejected',
}

/** The shops know an order by its key alone. */
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

/** The shops, and carts there whose credential is good for `limit`. */
function openWorld(sandbox: Sandbox) {
  const egress = createEgress({
    allowLoopback: () => false,
    trustedOrigins: [sandbox.processorUrl, sandbox.shopsUrl],
  })
  const rail = createSandboxRail({ url: sandbox.processorUrl, egress })
  const channel = createSimulatedChannel({ shopsUrl: sandbox.shopsUrl, egress })

  async function cart(scenario: string, limit = 10_000n): Promise<CartUnderTest> {
    const id = randomUUID()
    const url = `https://shop.example/thing?scenario=${scenario}`
    const item = { id: 'item_1', url, quantity: 2, unitAmount: 1000n, variant: null }
    const request: OfferRequest = {
      cartKey: id,
      buyer,
      merchantDomain: 'shop.example',
      site: null,
      items: [item],
      currency: 'USD',
      fulfillment: { method: 'ship', speed: 'cheapest', feeAllowance: 500n },
      promoCode: null,
    }
    const issued = await rail.issueCredential(
      {
        key: `credential ${id}`.replace(' ', ':'),
        card: { testCard: 'visa_auto_approved', vaultToken: 'none' },
        limit,
        currency: 'USD',
        merchant: 'shop.example',
        expiresAt: new Date(Date.now() + 3_600_000),
        reference: id,
      },
      call,
    )
    if (issued.kind !== 'done') throw new Error('no credential')
    const place: Omit<PlaceRequest, 'offer'> = {
      key: id,
      buyer,
      merchantDomain: 'shop.example',
      site: null,
      items: [item],
      fulfillment: { method: 'ship', speed: 'cheapest', feeAllowance: 800n },

      promoCode: null,
      instrument: { kind: 'credential', form: 'token', reference: issued.value.reference },
      reference: id,
    }
    return {
      item,
      offer: () => channel.offer(request, call),
      place: (offer) => channel.place({ ...place, offer }, call),
      ask: () => channel.ask({ ...place, offer: noOffer }, call),
      close: () => channel.close({ ...place, offer: noOffer }, call),
      decide: async () => undefined,
      orders: async () =>
        (await sandbox.shopsLog()).filter(({ key, result }) => key === id && result === 'placed').length,
    }
  }
  return { egress, cart }
}

conformsToBuyingChannel('the simulated shop', async () => {
  const sandbox = await startSandbox()
  const { egress, cart } = openWorld(sandbox)
  return {
    cart: (disposition) => cart(scenarios[disposition]),
    async stop() {
      await egress.close()
      await sandbox.stop()
    },
  }
})

let sandbox: Sandbox
let world: ReturnType<typeof openWorld>
beforeAll(async () => {
  sandbox = await startSandbox()
  world = openWorld(sandbox)
})
afterAll(async () => {
  await world.egress.close()
  await sandbox.stop()
})

test('an answer that is lost is unknown, and asking finds the order', async () => {
  const cart = await world.cart('lost_answer_placed')
  const placed = await cart.place(offered(await cart.offer()))
  expect(placed).toEqual({ kind: 'unknown' })
  expect(await cart.ask()).toMatchObject({ kind: 'done' })
})

test('an order that is lost on its way is not found, and after a close never placed', async () => {
  const cart = await world.cart('lost_answer_not_placed')
  const offer = offered(await cart.offer())
  expect(await cart.place(offer)).toEqual({ kind: 'unknown' })
  expect(await cart.ask()).toEqual({ kind: 'not_found' })
  expect(await cart.close()).toEqual({ kind: 'closed' })
  expect((await cart.place(offer)).kind).toBe('refused')
  expect(await cart.orders()).toBe(0)
})

test('an order that is confirmed late is pending until it is placed', async () => {
  const cart = await world.cart('late_confirmation')
  const placed = await cart.place(offered(await cart.offer()))
  expect(placed.kind).toBe('pending')
  await expect.poll(async () => (await cart.ask()).kind).toBe('done')
})

test('a shop cannot take more than the credential is good for', async () => {
  const cart = await world.cart('none', 2000n)
  const placed = await cart.place(offered(await cart.offer()))
  expect(placed).toMatchObject({
    kind: 'refused',
    refusal: { code: 'payment_declined', declineCode: 'over_limit' },
  })
  expect(await cart.orders()).toBe(0)
})

test('live mode is never simulated', async () => {
  const { egress } = world
  const channel = createSimulatedChannel({ shopsUrl: sandbox.shopsUrl, egress })
  const live: ChannelCall = { mode: 'live', share: 'buyer', timeoutMs: 1_000 }
  const offer = {
    merchantDomain: 'shop.example',
    site: null,
    cartKey: 'k',
    buyer,
    items: [],
    currency: 'USD',
  }
  const fulfillment = { method: 'ship', speed: 'cheapest', feeAllowance: 0n } as const
  await expect(channel.offer({ ...offer, fulfillment, promoCode: null }, live)).rejects.toThrow()
})
