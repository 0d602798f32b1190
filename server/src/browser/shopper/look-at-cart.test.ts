import { expect, test } from 'vitest'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { control, snapshotWith } from '../reading/snapshot.testing.ts'
import { lookAtCart } from './look-at-cart.ts'
import type { ShopTask } from './shop-task.ts'

const checkout = 'https://shop.example/checkout'
const asksForCard = snapshotWith({ url: checkout, controls: [control({ label: 'Card number' })] })

/** A purchase that has come to a page without a total; the addresses that it opens. */
function purchase(cartUrl: string | null, cart: PageSnapshot = snapshotWith({})) {
  const opened: string[] = []
  const tab = {
    open: async (url: string) => opened.push(url),
    read: async () => cart,
    visit: { evidence: async () => undefined },
  }
  const request = {
    items: [{ id: 'item-1', quantity: 1 }],
    currency: 'USD',
    fulfillment: { method: 'ship' },
    buyer: { shipTo: null, billTo: null },
  }
  const task = {
    tab,
    request,
    cartUrl,
    hasLookedAtCart: false,
    titles: new Map([['item-1', ['Kettle']]]),
    goods: null,
    delivery: null,
    lastSummary: null,
    typed: new Map(),
  } as unknown as ShopTask // the parts of a purchase that a look at the cart needs
  return { task, opened }
}

test('a cart is opened once for a total that the page of the card does not show, and the page of the card after it', async () => {
  const { task, opened } = purchase('https://shop.example/cart')
  expect([await lookAtCart(task, asksForCard), await lookAtCart(task, asksForCard)]).toEqual([true, false])
  expect(opened).toEqual(['https://shop.example/cart', checkout])
})

test.each<[string, string | null, PageSnapshot]>([
  ['where the cart is the page itself', `${checkout}/#cart`, asksForCard],
  ['where no link leads to a cart', null, asksForCard],
  ['where no card is asked for', 'https://shop.example/cart', snapshotWith({ url: checkout })],
])('no cart is opened %s', async (_, cartUrl, page) => {
  const { task, opened } = purchase(cartUrl)
  expect(await lookAtCart(task, page)).toBe(false)
  expect(opened).toEqual([])
})
