import { describe, expect, test } from 'vitest'
import { decideNews } from './decide-news.ts'
import type { NewsOfShipment, StrangerNews } from './stranger-news.ts'

const now = new Date('2026-11-20T10:00:00Z')
const line = {
  catalog_item_id: null,
  catalog_variant_id: null,
  sku: null,
  title: 'Cup',
  url: null,
  quantity: 3,
  unit_amount: 500,
  amount: 1500,
}
type Facts = Parameters<typeof decideNews>[0]

const facts = (more: Partial<Facts> = {}): Facts => ({
  id: 'ord_01kc3zt00000000000000000a0',
  status: 'confirmed',
  line_items: [line],
  fulfillments: [],
  adjustments: [],
  confirmation_reference: 'A-1',
  order_url: null,
  ...more,
})

const news = (more: Partial<StrangerNews> = {}): StrangerNews => ({
  reference: 'A-1',
  url: null,
  lineCount: 1,
  isCancelled: false,
  isFulfilled: false,
  shipments: [],
  refunds: [],
  ...more,
})

const parcel = (status: NewsOfShipment['status'], more: Partial<NewsOfShipment> = {}): NewsOfShipment => ({
  key: 'P1',
  status,
  carrier: null,
  trackingNumber: 'P1',
  trackingUrl: null,
  lines: [{ index: 0, quantity: 2 }],
  ...more,
})

const decided = (said: StrangerNews, before: Partial<Facts> = {}) => {
  const revised = decideNews(facts(before), said, now)
  return revised && { status: revised.changes.status, types: revised.types }
}

test('a message that says nothing new changes nothing', () => {
  expect(decideNews(facts(), news(), now)).toBeNull()
  const sent = decideNews(facts(), news({ shipments: [parcel('shipped')] }), now)
  const later = new Date(now.getTime() + 1000)
  expect(decideNews(facts(sent?.changes), news({ shipments: [parcel('shipped')] }), later)).toBeNull()
})

describe('what a stranger says is shown with its events', () => {
  test.each<[string, Partial<StrangerNews>, string, string[]]>([
    [
      'a parcel is made ready',
      { shipments: [parcel('processing')] },
      'confirmed',
      ['order.fulfillment_updated'],
    ],
    ['a parcel is sent', { shipments: [parcel('shipped')] }, 'fulfilling', ['order.shipped']],
    [
      'a parcel was sent and is there, and another is to come',
      { shipments: [parcel('delivered')] },
      'fulfilling',
      ['order.shipped', 'order.delivered'],
    ],
    [
      'all of it is there',
      { shipments: [parcel('delivered')], isFulfilled: true },
      'completed',
      ['order.shipped', 'order.delivered'],
    ],
    ['all of it was handed over without a parcel', { isFulfilled: true }, 'completed', []],
    ['nothing comes any more', { isCancelled: true }, 'cancelled', ['order.cancelled']],
    ['money went back', { refunds: [{ amount: 5, reason: null }] }, 'confirmed', ['order.refunded']],
    ['it has a page', { url: 'https://shop.test/1' }, 'confirmed', []],
  ])('%s', (_name, said, status, types) => {
    expect(decided(news(said))).toEqual({ status, types })
  })

  test.each(['completed', 'cancelled'] as const)('what is %s stays that', (status) => {
    for (const said of [{ isCancelled: true }, { shipments: [parcel('shipped')] }, { isFulfilled: true }])
      expect(decided(news({ ...said, url: 'https://shop.test/1' }), { status })?.status).toBe(status)
  })
})

test('no more units are shown than were bought, and none where the lines are not known', () => {
  const many = (lineCount: number) =>
    decideNews(
      facts(),
      news({
        lineCount,
        shipments: [
          parcel('failed', { key: 'lost' }),
          parcel('shipped'),
          parcel('shipped', { key: 'P2' }),
          parcel('shipped', { key: 'P3' }),
        ],
      }),
      now,
    )?.changes.fulfillments.map(({ line_items }) => line_items.map(({ quantity }) => quantity))
  expect(many(1)).toEqual([[2], [2], [1], []])
  expect(many(2)).toEqual([[], [], [], []])
})

test('a parcel keeps its id and the time at which it was first seen', () => {
  const first = decideNews(facts(), news({ shipments: [parcel('shipped')] }), now)
  const later = new Date(now.getTime() + 60_000)
  const second = decideNews(facts(first?.changes), news({ shipments: [parcel('delivered')] }), later)
  const [before] = first?.changes.fulfillments ?? []
  expect(second?.changes.fulfillments).toEqual([
    { ...before, status: 'delivered', updated_at: later.toISOString() },
  ])
})
