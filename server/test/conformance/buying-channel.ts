import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  ChannelItem,
  Offer,
  OfferAnswer,
  PlaceAnswer,
  PlaceMemory,
} from '../../src/domain/buying/execution/port.ts'

/** What a merchant can be like; every way of buying has to meet one of each. */
export type Disposition = 'ok' | 'out_of_stock' | 'too_few' | 'dearer' | 'refuses'

/** A cart of one item at a merchant of this disposition, ready to be asked about and placed. */
export type CartUnderTest = {
  item: ChannelItem
  offer(): Promise<OfferAnswer>
  /** Always with the key of this cart, as execution would. */
  place(offer: Offer): Promise<PlaceAnswer>
  /** What has become of that key, whether or not anything was placed with it. */
  ask(): Promise<PlaceMemory>
  close(): Promise<PlaceMemory>
  /** Lets the merchant decide, where it takes its time. */
  decide(): Promise<void>
  /** How many orders the merchant has of this cart, by its own account. */
  orders(): Promise<number>
}

type ChannelUnderTest = {
  cart(disposition: Disposition): Promise<CartUnderTest>
  stop(): Promise<void>
}

/** What every way of buying must do, for our merchants and for others. */
export function conformsToBuyingChannel(name: string, start: () => Promise<ChannelUnderTest>): void {
  describe(`${name} as a way of buying`, () => {
    let under: ChannelUnderTest
    beforeAll(async () => {
      under = await start()
    })
    afterAll(() => under?.stop())

    test('names what every line costs, in parts that make the total', async () => {
      const cart = await under.cart('ok')
      const offer = offered(await cart.offer())
      expect(offer.lines).toMatchObject([
        { itemId: cart.item.id, quantity: cart.item.quantity, unitAmount: cart.item.unitAmount },
      ])
      const { subtotal, fulfillment, tax, discount, total } = offer
      expect(subtotal).toBe(cart.item.unitAmount * BigInt(cart.item.quantity))
      expect(subtotal + fulfillment + tax - discount).toBe(total)
    })

    test('can be asked for an offer again and again', async () => {
      const cart = await under.cart('ok')
      const offers = [offered(await cart.offer()), offered(await cart.offer())]
      expect(new Set(offers.map(({ total }) => total)).size).toBe(1)
      expect(await cart.orders()).toBe(0)
    })

    test("tells the merchant's price, not the one that was expected", async () => {
      const cart = await under.cart('dearer')
      const offer = offered(await cart.offer())
      expect(offer.lines[0]?.unitAmount).toBeGreaterThan(cart.item.unitAmount)
      expect(offer.subtotal).toBe((offer.lines[0]?.unitAmount ?? 0n) * BigInt(cart.item.quantity))
    })

    test.each<[Disposition, string]>([
      ['out_of_stock', 'product_out_of_stock'],
      ['too_few', 'insufficient_stock'],
    ])('makes no offer of what is %s', async (disposition, code) => {
      const cart = await under.cart(disposition)
      expect(await cart.offer()).toMatchObject({ kind: 'refused', code })
    })

    test('places an order, and tells the same when asked', async () => {
      const cart = await under.cart('ok')
      const placed = await cart.place(offered(await cart.offer()))
      expect(['done', 'pending']).toContain(placed.kind)
      await cart.decide()
      const known = await cart.ask()
      expect(known).toMatchObject({ kind: 'done', value: { orderId: expect.any(String) } })
      expect(await cart.ask()).toEqual(known)
      expect(await cart.orders()).toBe(1)
    })

    test('has one order of one key, however often it is placed', async () => {
      const cart = await under.cart('ok')
      const offer = offered(await cart.offer())
      const attempts = await Promise.allSettled([cart.place(offer), cart.place(offer), cart.place(offer)])
      expect(attempts.some(({ status }) => status === 'fulfilled')).toBe(true)
      await cart.decide()
      expect(await cart.orders()).toBe(1)
    })

    test('tells why a merchant refuses an order, also when asked', async () => {
      const cart = await under.cart('refuses')
      await cart.place(offered(await cart.offer()))
      await cart.decide()
      const known = await cart.ask()
      expect(known).toMatchObject({ kind: 'refused', refusal: { code: 'order_rejected_by_merchant' } })
    })

    test('does not make up an order that was never placed', async () => {
      const cart = await under.cart('ok')
      const known = await cart.ask()
      expect(['not_found', 'closed']).toContain(known.kind)
    })

    test('closes an order that was never placed', async () => {
      const cart = await under.cart('ok')
      expect(await cart.close()).toEqual({ kind: 'closed' })
      expect(await cart.close()).toEqual({ kind: 'closed' })
    })

    test('says of an order that was placed before it was closed that it is placed', async () => {
      const cart = await under.cart('ok')
      await cart.place(offered(await cart.offer()))
      await cart.decide()
      expect(await cart.close()).toMatchObject({ kind: 'done' })
    })
  })
}

export function offered(answer: OfferAnswer): Offer {
  expect(
    answer.kind,
    JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
  ).toBe('offer')
  if (answer.kind !== 'offer') throw new Error('no offer')
  return answer.offer
}
