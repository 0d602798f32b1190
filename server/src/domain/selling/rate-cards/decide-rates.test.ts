import { expect, test } from 'vitest'
import { berlin, card, factsOf, shipment, thing } from '../../../../test/fixtures/rate-cards.ts'
import { decideRates, type RatedCard, type Shipment } from './decide-rates.ts'
import type { Rate, TierBasis } from './rate.ts'

/** What a single card answers: its amount, or why it does not apply. */
function answerOf(over: Partial<RatedCard>, sent: Partial<Shipment> = {}, facts: object = {}): string {
  const verdict = decideRates(factsOf([card('one', over)], facts), shipment(sent))
  const [option] = verdict.options
  return option ? String(option.amount) : (verdict.skipped[0]?.code ?? 'nothing')
}

const tiers = [
  { up_to: 1000, amount: 300 },
  { up_to: 5000, amount: 600 },
]
const tiered = (basis: TierBasis, more: { amount: number }[] = []): Rate => ({
  kind: 'tiered',
  basis,
  tiers: [...tiers, ...more],
})

const rates: [string, Rate, Partial<Shipment>, string][] = [
  ['free is free', { kind: 'free' }, {}, '0'],
  ['flat is flat', { kind: 'flat', amount: 499 }, {}, '499'],
  ['a tier takes its own end', tiered('order_value'), {}, '300'],
  ['the next tier begins right after', tiered('order_value'), { items: [thing({ amount: 1001n })] }, '600'],
  [
    'beyond the last tier nothing is said',
    tiered('order_value'),
    { items: [thing({ amount: 5001n })] },
    'no_tier',
  ],
  [
    'a tier without end takes the rest',
    tiered('order_value', [{ amount: 900 }]),
    { items: [thing({ amount: 99_999n })] },
    '900',
  ],
  ['the order value counts quantities', tiered('order_value'), { items: [thing({ quantity: 2 })] }, '600'],
  ['weights add up', tiered('weight'), { items: [thing({ weightGrams: 400, quantity: 3 })] }, '600'],
  [
    'one unknown weight is an unknown weight',
    tiered('weight'),
    { items: [thing({ weightGrams: 400 }), thing()] },
    'weight_unknown',
  ],
  ['nothing weighs nothing', tiered('weight'), { items: [thing({ weightGrams: 0 })] }, '300'],
  [
    'items are counted',
    { kind: 'tiered', basis: 'item_count', tiers: [{ up_to: 2, amount: 100 }, { amount: 50 }] },
    { items: [thing({ quantity: 3 })] },
    '50',
  ],
  ['a distance has to be known', tiered('distance'), {}, 'distance_unknown'],
  ['a distance may be told', tiered('distance'), { distanceKm: 1000.5 }, '600'],
  [
    'from its threshold on it is free',
    { kind: 'free_above', threshold_amount: 1000, otherwise: { kind: 'flat', amount: 499 } },
    {},
    '0',
  ],
  [
    'below its threshold it is not',
    { kind: 'free_above', threshold_amount: 1001, otherwise: { kind: 'flat', amount: 499 } },
    {},
    '499',
  ],
  [
    'below its threshold tiers may have gaps',
    {
      kind: 'free_above',
      threshold_amount: 6000,
      otherwise: { kind: 'tiered', basis: 'order_value', tiers },
    },
    { items: [thing({ amount: 5500n })] },
    'no_tier',
  ],
]

test.each(rates)('%s', (_, rate, sent, expected) => {
  expect(answerOf({ rate }, sent)).toBe(expected)
})

const labels: Rate = {
  kind: 'tiered',
  basis: 'label',
  tiers: [{ label: 'bulky', amount: 4900 }, { label: 'letter', amount: 100 }, { amount: 500 }],
}

test.each([
  [['LETTER'], '100'],
  [['letter', 'bulky'], '4900'],
  [['unheard of'], '500'],
  [[null, 'letter'], '500'],
])('labels %j cost the dearest of their tiers', (named, expected) => {
  expect(answerOf({ rate: labels }, { items: named.map((label) => thing({ label })) })).toBe(expected)
})

test('a label without a tier is a gap', () => {
  const rate: Rate = { ...labels, tiers: labels.tiers.slice(0, 2) }
  expect(answerOf({ rate }, { items: [thing({ label: 'letter' }), thing()] })).toBe('no_tier')
})

const goods = thing({ itemType: 'product', weightGrams: 400, label: 'cool' })
const file = thing({ itemType: 'digital' })
const weighing = { rate: tiered('weight') }

const fits: [string, Partial<RatedCard>, Partial<Shipment>, string][] = [
  ['another currency', { currency: 'USD' }, {}, 'currency_mismatch'],
  ['another country', { zones: [{ country: 'FR' }] }, {}, 'zone_mismatch'],
  ['its own country', { zones: [{ country: 'FR' }, { country: 'DE' }] }, {}, '500'],
  ['its own subdivision', { zones: [{ country: 'DE', subdivision: 'DE-BE' }] }, {}, '500'],
  ['another subdivision', { zones: [{ country: 'DE', subdivision: 'BY' }] }, {}, 'zone_mismatch'],
  ['its own city, in any case', { zones: [{ country: 'DE', city: 'BERLIN ' }] }, {}, '500'],
  ['another city', { zones: [{ country: 'DE', city: 'Bonn' }] }, {}, 'zone_mismatch'],
  ['its own postal codes', { zones: [{ country: 'DE', postal_prefixes: ['9', '101'] }] }, {}, '500'],
  ['other postal codes', { zones: [{ country: 'DE', postal_prefixes: ['11'] }] }, {}, 'zone_mismatch'],
  ['no address but a zone', { zones: [{ country: 'DE' }] }, { place: null }, 'address_unknown'],
  ['no address and no zone', {}, { place: null }, '500'],
  ['a radius of unknown distance', { zones: [{ country: 'DE', radius_km: 10 }] }, {}, 'distance_unknown'],
  ['a radius that is kept', { zones: [{ country: 'DE', radius_km: 10 }] }, { distanceKm: 10 }, '500'],
  [
    'a radius that is not',
    { zones: [{ country: 'DE', radius_km: 10 }] },
    { distanceKm: 10.1 },
    'zone_mismatch',
  ],
  ['a radius elsewhere', { zones: [{ country: 'FR', radius_km: 10 }] }, {}, 'zone_mismatch'],
  ['items of its labels', { labels: ['Cool', 'dry'] }, { items: [thing({ label: 'cool' })] }, '500'],
  [
    'one item without them',
    { labels: ['cool'] },
    { items: [thing({ label: 'cool' }), thing()] },
    'label_mismatch',
  ],
  ['a market of its own', { market_ids: ['mkt_1'] }, {}, '500'],
  ['other markets', { market_ids: ['mkt_2'] }, {}, 'market_mismatch'],
  ['other ways of delivery', {}, { types: ['pickup'] }, 'nothing'],
  ['nothing but files', {}, { items: [thing({ itemType: 'digital' })] }, 'no_items'],
  ['goods beside a file without a weight', weighing, { items: [goods, file] }, '300'],
  ['goods beside a file without a label', { labels: ['cool'] }, { items: [goods, file] }, '500'],
  [
    'files beside goods',
    { fulfillment_type: 'digital', labels: ['pdf'] },
    { items: [goods, file] },
    'label_mismatch',
  ],
  ['files, of goods alone', { fulfillment_type: 'digital' }, { items: [goods] }, '500'],
  ['services', { fulfillment_type: 'service' }, { items: [goods, thing({ itemType: 'booking' })] }, '500'],
  ['an API', { fulfillment_type: 'service' }, { items: [goods, thing({ itemType: 'api' })] }, '500'],
  [
    'a subscription',
    { fulfillment_type: 'service' },
    { items: [thing({ itemType: 'subscription' })] },
    '500',
  ],
  ['services, of goods alone', { fulfillment_type: 'service' }, { items: [goods] }, 'no_items'],
]
const markets = [
  {
    id: 'mkt_1' as const,
    code: 'de',
    currency: 'EUR',
    include: [{ country: 'DE', subdivisions: [], postal_prefixes: [] }],
    exclude: [],
    priority: 0,
    is_fallback: false,
  },
]

test.each(fits)('a card for %s', (_, over, sent, expected) => {
  expect(answerOf(over, sent, { markets })).toBe(expected)
})

test('distances are measured from the nearest location of the card', () => {
  const locations = [
    { id: 'loc_munich', timezone: 'Europe/Berlin', latitude: 48.1372, longitude: 11.5755 },
    { id: 'loc_potsdam', timezone: 'Europe/Berlin', latitude: 52.3989, longitude: 13.0657 },
    { id: 'loc_nowhere', timezone: 'UTC', latitude: null, longitude: null },
    { id: 'loc_berlin', timezone: 'Europe/Berlin', latitude: 52.517, longitude: 13.3889 },
  ]
  const to = { coordinates: { latitude: 52.5208, longitude: 13.4094 } }
  const zones = [{ country: 'DE', radius_km: 30 }]
  const from = (...location_ids: string[]) => answerOf({ zones, location_ids }, to, { locations })
  expect(from('loc_munich', 'loc_nowhere', 'loc_potsdam')).toBe('500')
  expect(from('loc_munich')).toBe('zone_mismatch')
  expect(from('loc_nowhere')).toBe('distance_unknown')
  expect(from('loc_gone')).toBe('distance_unknown')
})

test('ties are broken by amount, then arrival, then id, and the answer says which', () => {
  const days = (count: number) => ({ timing: { transit: { min: 1, max: count, unit: 'day' as const } } })
  const verdict = decideRates(
    factsOf([
      card('e', { rate: { kind: 'flat', amount: 900 }, ...days(1) }),
      card('d', days(2)),
      card('b', days(3)),
      card('c', days(2)),
      card('a'),
    ]),
    shipment(),
  )
  expect(verdict.options.map((option) => option.card.name)).toEqual(['c', 'd', 'b', 'a', 'e'])
  expect(verdict.cheapest?.option.card.name).toBe('c')
  expect(verdict.cheapest?.explanation).toBe(
    'It has the lowest amount and the same arrival as one other, and the lowest id of these.',
  )
  expect(verdict.fastest?.option.card.name).toBe('e')
  expect(verdict.fastest?.explanation).toBe('It has the earliest arrival.')
  const two = decideRates(factsOf([card('a', days(2)), card('b', days(1))]), shipment())
  expect(two.cheapest?.explanation).toBe(
    'It has the lowest amount, like one other, and arrives first of these.',
  )
  expect(decideRates(factsOf([card('a')]), shipment()).fastest?.explanation).toBe('The only option.')
  expect(decideRates(factsOf([]), shipment())).toMatchObject({ cheapest: null, fastest: null, options: [] })
})

test('ways that have the same time are ordered by amount', () => {
  const verdict = decideRates(
    factsOf([card('a', { rate: { kind: 'flat', amount: 900 } }), card('b')]),
    shipment({ place: berlin }),
  )
  expect(verdict.fastest?.option.card.name).toBe('b')
})
