import { expect, test } from 'vitest'
import { berlin, card, factsOf, thing } from '../../../../test/fixtures/rate-cards.ts'
import { decideFulfillment, type FulfilledPurchase } from './decide-fulfillment.ts'
import type { RatedCard } from './decide-rates.ts'

const flat = (
  name: string,
  type: RatedCard['fulfillment_type'],
  amount: number,
  over: Partial<RatedCard> = {},
) => card(name, { fulfillment_type: type, rate: { kind: 'flat', amount }, ...over })
const lineOf = (itemType: FulfilledPurchase['lines'][number]['itemType']) => ({ ...thing(), itemType })
const [product, ebook, visit, booking, subscription, api] = [
  lineOf('product'),
  lineOf('digital'),
  lineOf('service'),
  lineOf('booking'),
  lineOf('subscription'),
  lineOf('api'),
]

const all = [
  flat('parcel', 'shipping', 500, { timing: { transit: { min: 1, max: 3, unit: 'day' } } }),
  flat('courier', 'delivery', 900, { timing: { transit: { min: 1, max: 2, unit: 'hour' } } }),
  flat('counter', 'pickup', 50),
  flat('download', 'digital', 20),
  flat('technician', 'service', 4000),
]
const goods = all.slice(0, 2)

const cases: [string, RatedCard[], Partial<FulfilledPurchase>, bigint | string][] = [
  ['ships by the cheapest of shipping and delivery', all, {}, 500n],
  ['or by the fastest', all, { speed: 'fastest' }, 900n],
  ['is picked up', all, { method: 'pickup' }, 50n],
  ['comes digitally', all, { method: 'digital' }, 20n],
  ['costs nothing where there are no cards', [], {}, 0n],
  [
    'is not to be had where no card takes its way',
    goods,
    { method: 'pickup' },
    'The merchant offers no pickup.',
  ],
  [
    'is not to be had where no card goes',
    [flat('parcel', 'shipping', 500, { zones: [{ country: 'FR' }] })],
    {},
    'No rate card of the merchant for shipping or delivery fits. parcel: It does not deliver to DE BE 10117 Berlin.',
  ],
  ['of a digital item goes digitally, with every choice of the buyer', all, { lines: [ebook] }, 20n],
  ['of a digital item is free where no card is for it', goods, { lines: [ebook] }, 0n],
  ['of a service costs what services cost', all, { lines: [visit, booking, subscription, api] }, 4000n],
  ['of a service is free where no card is for it', goods, { lines: [booking, api] }, 0n],
  ['adds up the fees of its ways', all, { lines: [product, ebook, visit, product] }, 4520n],
  [
    'of goods and files that both come digitally costs once',
    all,
    { method: 'digital', lines: [product, ebook] },
    20n,
  ],
  [
    'fails for the goods alone',
    [all[3] ?? card('none')],
    { lines: [ebook, product] },
    'The merchant offers no shipping or delivery.',
  ],
]

test.each(cases)('a purchase %s', (_, cards, over, expected) => {
  const verdict = decideFulfillment(factsOf(cards), {
    method: 'ship',
    speed: 'cheapest',
    place: berlin,
    currency: 'EUR',
    at: new Date('2026-11-20T10:00:00Z'),
    lines: [product],
    ...over,
  })
  expect(verdict.kind === 'fee' ? verdict.amount : verdict.message).toBe(expected)
})

test('a refusal names the lines that cannot be delivered, and no more than three reasons', () => {
  const cards = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    flat(name, 'shipping', 1, { zones: [{ country: 'FR' }] }),
  )
  const verdict = decideFulfillment(factsOf(cards), {
    method: 'ship',
    speed: 'cheapest',
    place: berlin,
    currency: 'EUR',
    at: new Date('2026-11-20T10:00:00Z'),
    lines: [ebook, product, product],
  })
  expect(verdict).toMatchObject({ kind: 'undeliverable', lines: [1, 2] })
  if (verdict.kind === 'undeliverable')
    expect(verdict.message).toMatch(/a: .* b: .* c: .* 2 more rate cards do not fit either\.$/)
})
