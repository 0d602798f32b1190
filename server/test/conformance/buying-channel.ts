import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  ChannelItem,
  Elsewhere,
  Offer,
  OfferAnswer,
  PlaceAnswer,
  PlaceMemory,
} from '../../src/domain/buying/channels/port.ts'

/** What a merchant can be like; every way of buying has to meet one of each. */
export type Disposition = 'ok' | 'out_of_stock' | 'too_few' | 'dearer' | 'refuses'

/** A cart of one item at a merchant of this disposition, ready to be asked about and placed. */
export type CartUnderTest = {
  item: ChannelItem
  offer(): Promise<OfferAnswer | Elsewhere>
  /** Always with the key of this cart, as execution would. */
  place(offer: Offer): Promise<PlaceAnswer>
  /** What has become of that key, whether or not anything was placed with it. */
  ask(): Promise<PlaceMemory>
  /** Where the credential closes it, that is revoked before, as execution would. */
  close(): Promise<PlaceMemory>
  /** Lets the merchant decide, where it takes its time. */
  decide(): Promise<void>
  /** How many orders the merchant has of this cart, by its own account. */
  orders(): Promise<number>
}

type ChannelUnderTest = {
  cart(disposition: Disposition): Promise<CartUnderTest>
  stop(): Promise<void>
  /** Whether merchants that have refused an order say only that there is none when they are asked. */
  forgetsRefusals?: boolean
}

/**
 * What every way of buying must do, for our merchants and for others. `closedBy`: the merchant refuses a key that was closed; or it keeps
 * no keys, and the credential that it is paid with is revoked. Then asking about an order is sending it again. `rail`: the merchant cannot be
 * asked at all, and nobody but the rail says what became of an order.
 */
export function conformsToBuyingChannel(
  name: string,
  start: () => Promise<ChannelUnderTest>,
  { closedBy = 'key' }: { closedBy?: 'key' | 'credential' | 'rail' } = {},
): void {
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
      const known = closedBy === 'rail' ? placed : await cart.ask()
      expect(known).toMatchObject({ kind: 'done', value: { orderId: expect.any(String) } })
      expect(await cart.ask()).toEqual(closedBy === 'rail' ? { kind: 'unknown' } : known)
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
      const answer = await cart.place(offered(await cart.offer()))
      await cart.decide()
      const known = under.forgetsRefusals ? answer : await cart.ask()
      const code = expect.stringMatching(/^(order_rejected_by_merchant|payment_declined)$/)
      expect(known).toMatchObject({ kind: 'refused', refusal: { code } })
      if (under.forgetsRefusals)
        expect(await cart.ask()).toEqual({ kind: closedBy === 'rail' ? 'unknown' : 'not_found' })
    })

    test('does not make up an order that was never placed', async () => {
      const cart = await under.cart('ok')
      const known = await cart.ask()
      if (closedBy === 'key') expect(['not_found', 'closed']).toContain(known.kind)
      await cart.ask()
      expect(await cart.orders()).toBe(known.kind === 'done' ? 1 : 0)
    })

    test('closes an order that was never placed', async () => {
      const cart = await under.cart('ok')
      const offer = closedBy === 'key' ? null : offered(await cart.offer())
      const closed = [await cart.close(), await cart.close()]
      if (closedBy === 'key') expect(closed).toEqual([{ kind: 'closed' }, { kind: 'closed' }])
      else for (const { kind } of closed) expect(['closed', 'unknown']).toContain(kind)
      if (offer !== null) expect((await cart.place(offer)).kind).toBe('refused')
      expect(await cart.orders()).toBe(0)
    })

    test('says of an order that was placed before it was closed that it is placed', async () => {
      const cart = await under.cart('ok')
      await cart.place(offered(await cart.offer()))
      await cart.decide()
      expect(await cart.close()).toMatchObject({ kind: closedBy === 'rail' ? 'unknown' : 'done' })
      expect(await cart.orders()).toBe(1)
    })
  })
}

export function offered(answer: OfferAnswer | Elsewhere): Offer {
  expect(
    answer.kind,
    JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
  ).toBe('offer')
  if (answer.kind !== 'offer') throw new Error('no offer')
  return answer.offer
}
