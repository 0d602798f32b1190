import type { Offer } from '../../src/domain/buying/channels/port.ts'
import { startPaidCarts } from '../harness/paid-carts.ts'
import { type CartUnderTest, conformsToBuyingChannel, type Disposition, offered } from './buying-channel.ts'

/** What a paid API of each disposition does. */
const habits: Record<Disposition, object> = {
  ok: {},
  out_of_stock: { unpaid: { status: 409, body: '{"code":"sold_out","detail":"None left."}' } },
  too_few: { unpaid: { status: 409, body: '{"type":"https://kiosk.example/problems/insufficient-stock"}' } },
  dearer: { challenge: () => ({ amount: 1500n }) },
  refuses: { paying: () => 'rejects' },
}

conformsToBuyingChannel(
  'a paid API over MPP',
  async () => {
    const carts = await startPaidCarts()
    return {
      async cart(disposition): Promise<CartUnderTest> {
        const cart = await carts.cart(carts.api.path(habits[disposition]))
        let known: Offer | undefined
        const sent = async () => {
          known ??= offered(await cart.offer())
          return known
        }
        return {
          item: cart.item,
          offer: () => cart.offer(),
          place(offer) {
            known = offer
            return cart.place(offer)
          },
          ask: async () => cart.ask(await sent()),
          async close() {
            await cart.revoke()
            return cart.close(await sent())
          },
          decide: async () => undefined,
          orders: async () => cart.sold(),
        }
      },
      stop: () => carts.stop(),
    }
  },
  { closedBy: 'credential' },
)
