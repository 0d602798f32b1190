import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Visit } from '../../src/browser/shopper/visit.ts'
import type { ShopWayAnswer, ShopWayRequest } from '../../src/channels/browser/shopping-words.ts'
import { type BrowserWorld, hasChromium, shopRequest, startBrowserWorld } from '../harness/browser.ts'

const { buyer: _, ...bought } = shopRequest('classic')
const request: ShopWayRequest = {
  merchantDomain: bought.merchantDomain,
  site: bought.site,
  moreHosts: [],
  currency: null,
  fulfillment: bought.fulfillment,
  items: bought.items.map(({ id, url, quantity, variant }) => ({ id, url, quantity, variant })),
  buyer: 'nobody',
}

const seen: ShopWayAnswer = {
  kind: 'way',
  items: [],
  currency: 'USD',
  country: null,
  mayBeGuest: null,
  reached: 'cart',
  stop: null,
  isLate: false,
  sums: { subtotal: 2_000n, fulfillment: null, tax: null, discount: null, total: 2_000n },
  deliveries: [],
  steps: [],
}

describe.skipIf(!hasChromium)('those who look at a shop in the browser process', () => {
  let world: BrowserWorld
  beforeAll(async () => {
    world = await startBrowserWorld({ waitMs: 200 })
  })
  afterAll(() => world?.stop())

  const look = (share = 'buyer', signal = new AbortController().signal) =>
    world.port.way(request, { mode: 'test', share, signal, onEvidence: () => undefined })

  /** A look that lasts until it is let go. */
  function lasting() {
    const begun = Promise.withResolvers<Visit>()
    const go = Promise.withResolvers<ShopWayAnswer>()
    world.look = (visit) => {
      begun.resolve(visit)
      return go.promise
    }
    return { begun: begun.promise, letGo: () => go.resolve(seen) }
  }

  test('get what was seen, with its amounts, over the socket', async () => {
    world.look = async (_visit, given) => {
      expect(given).toEqual(request)
      return seen
    }
    expect(await look()).toEqual(seen)
  })

  test('take the places of their own tenant alone, and are told that there is none, not that the shop is silent', async () => {
    const first = lasting()
    const one = look()
    await first.begun
    const second = lasting()
    const two = look()
    await second.begun
    // Of three places a tenant has two; its purchases and its looks wait for each other, and no other tenant does.
    expect(await look()).toEqual({ kind: 'no_room', why: 'no place became free in time' })
    expect(await world.price()).toEqual({ kind: 'no_room', why: 'no place became free in time' })
    world.look = async () => seen
    expect(await look('another')).toEqual(seen)
    first.letGo()
    second.letGo()
    expect(await Promise.all([one, two])).toEqual([seen, seen])
    expect(await world.browser.health()).toMatchObject({ visits: 0, kept: 0, waiting: 0 })
  })

  test('end with whoever has asked', async () => {
    const lasts = lasting()
    const asking = new AbortController()
    const asked = look('buyer', asking.signal)
    const visit = await lasts.begun
    asking.abort()
    expect(await asked).toEqual({ kind: 'lost' })
    await expect.poll(() => visit.signal.aborted).toBe(true)
    await expect.poll(async () => (await world.browser.health()).visits).toBe(0)
  })
})
