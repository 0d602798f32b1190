import fc from 'fast-check'
import { expect, test } from 'vitest'
import { card, factsOf, shipment, thing } from '../../../../test/fixtures/rate-cards.ts'
import { decideFulfillment } from './decide-fulfillment.ts'
import { decideRates, type RatedCard, type Shipment } from './decide-rates.ts'
import { type PlainRate, type Rate, tierBases } from './rate.ts'
import { fulfillmentTypes } from './rate-card.ts'
import { timeUnits } from './timing.ts'

const amount = fc.integer({ min: 0, max: 20 }).map((tens) => tens * 100)
const steps = fc
  .tuple(fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 4 }), fc.boolean())
  .chain(([ends, isOpen]) =>
    fc.array(amount, { minLength: ends.length, maxLength: ends.length }).map((amounts) =>
      ends
        .toSorted((a, b) => a - b)
        .map((end, index) => ({
          up_to: isOpen && index === ends.length - 1 ? null : end * 100,
          amount: amounts[index] ?? 0,
        })),
    ),
  )
const stepped: fc.Arbitrary<PlainRate> = fc.record({
  kind: fc.constant('tiered' as const),
  basis: fc.constantFrom(...tierBases.filter((basis) => basis !== 'label')),
  tiers: steps,
})
const byLabel: fc.Arbitrary<PlainRate> = amount.map((cost) => ({
  kind: 'tiered' as const,
  basis: 'label' as const,
  tiers: [{ label: 'bulky', amount: cost }, { amount: 100 }],
}))
const plain: fc.Arbitrary<PlainRate> = fc.oneof(
  fc.constant({ kind: 'free' as const }),
  fc.record({ kind: fc.constant('flat' as const), amount }),
  stepped,
  byLabel,
)
const anyRate: fc.Arbitrary<Rate> = fc.oneof(
  plain,
  fc.record({ kind: fc.constant('free_above' as const), threshold_amount: amount, otherwise: plain }),
)
const anySpan = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), fc.constantFrom(...timeUnits))
  .map(([min, more, unit]) => ({ min, max: min + more, unit }))
const anyTiming = fc.record(
  { handling: anySpan, transit: anySpan, cutoff_local_time: fc.constantFrom('09:00', '14:00') },
  { requiredKeys: [] },
)
const anyCards: fc.Arbitrary<RatedCard[]> = fc
  .array(
    fc.record({
      fulfillment_type: fc.constantFrom(...fulfillmentTypes),
      currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
      rate: anyRate,
      timing: anyTiming,
      zones: fc.subarray([{ country: 'DE' }, { country: 'FR' }, { country: 'AT', radius_km: 5 }]),
      labels: fc.constantFrom<string[]>([], [], ['bulky']),
    }),
    { maxLength: 6 },
  )
  .map((cards) => cards.map((each, index) => card(String(index), each)))
const anyItem = fc.record({
  quantity: fc.integer({ min: 1, max: 5 }),
  amount: amount.map(BigInt),
  weightGrams: fc.constantFrom(null, 100, 2500),
  label: fc.constantFrom(null, 'bulky', 'letter'),
  itemType: fc.constantFrom(null, 'product' as const, 'digital' as const, 'service' as const),
})
const anyShipment: fc.Arbitrary<Shipment> = fc
  .record({
    items: fc.array(anyItem, { minLength: 1, maxLength: 3 }),
    distanceKm: fc.constantFrom(null, 3, 40),
    country: fc.constantFrom('DE', 'FR', 'AT', null),
    types: fc.option(fc.subarray([...fulfillmentTypes], { minLength: 1 }), { nil: null }),
    minutes: fc.integer({ min: 0, max: 20_000 }),
  })
  .map(({ country, minutes, ...rest }) =>
    shipment({
      ...rest,
      place: country === null ? null : { country, state: null, city: null, postalCode: null },
      at: new Date(Date.UTC(2026, 10, 20, 0, minutes)),
    }),
  )

test('every card of a wanted kind is either an option or skipped with a reason, and asks no negative amount', () => {
  fc.assert(
    fc.property(anyCards, anyShipment, (cards, sent) => {
      const { options, skipped } = decideRates(factsOf(cards), sent)
      const wanted = cards.filter(({ fulfillment_type }) => sent.types?.includes(fulfillment_type) ?? true)
      const told = [...options, ...skipped].map(({ card: { id } }) => id)
      expect(told.toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
      for (const option of options) {
        expect(option.amount >= 0n).toBe(true)
        if (option.estimate) {
          expect(option.estimate.earliest.getTime()).toBeGreaterThanOrEqual(sent.at.getTime())
          expect(option.estimate.latest.getTime()).toBeGreaterThanOrEqual(option.estimate.earliest.getTime())
        }
      }
      for (const { message } of skipped) expect(message.length).toBeGreaterThan(10)
    }),
    { numRuns: 1000 },
  )
})

test('the answer does not depend on the order of the cards', () => {
  const shuffled = anyCards.chain((cards) =>
    fc.tuple(
      fc.constant(cards),
      fc.shuffledSubarray(cards, { minLength: cards.length, maxLength: cards.length }),
    ),
  )
  fc.assert(
    fc.property(shuffled, anyShipment, ([cards, others], sent) => {
      expect(decideRates(factsOf(others), sent)).toEqual(decideRates(factsOf(cards), sent))
    }),
    { numRuns: 1000 },
  )
})

test('nothing is cheaper than the cheapest and nothing arrives before the fastest', () => {
  fc.assert(
    fc.property(anyCards, anyShipment, (cards, sent) => {
      const { options, cheapest, fastest } = decideRates(factsOf(cards), sent)
      expect(cheapest === null).toBe(options.length === 0)
      expect(fastest === null).toBe(options.length === 0)
      for (const option of options) {
        expect(option.amount >= (cheapest?.option.amount ?? 0n)).toBe(true)
        const arrives = (estimate: typeof option.estimate) => estimate?.latest.getTime() ?? Infinity
        expect(arrives(option.estimate)).toBeGreaterThanOrEqual(arrives(fastest?.option.estimate ?? null))
      }
    }),
    { numRuns: 1000 },
  )
})

test('an order that reaches the threshold is never dearer than one just below it', () => {
  fc.assert(
    fc.property(plain, fc.integer({ min: 1, max: 2000 }), (otherwise, threshold_amount) => {
      const rate: Rate = { kind: 'free_above', threshold_amount, otherwise }
      const { options } = decideRates(
        factsOf([card('one', { rate })]),
        shipment({
          items: [thing({ amount: BigInt(threshold_amount) })],
        }),
      )
      expect(options[0]?.amount).toBe(0n)
    }),
  )
})

const types = fc.constantFrom('product' as const, 'digital' as const, 'service' as const, 'booking' as const)
const lines = fc.array(
  fc.tuple(anyItem, types).map(([item, itemType]) => ({ ...item, itemType })),
  { minLength: 1, maxLength: 4 },
)

test('the calculated fees of a whole order are those that its purchase pays, for each way', () => {
  const ways: { of: string[]; types: (typeof fulfillmentTypes)[number][] }[] = [
    { of: ['product'], types: ['shipping', 'delivery'] },
    { of: ['digital'], types: ['digital'] },
    { of: ['service', 'booking'], types: ['service'] },
  ]
  fc.assert(
    fc.property(anyCards, anyShipment, lines, (cards, { place, at }, sold) => {
      fc.pre(cards.length > 0)
      const facts = factsOf(cards)
      const order = { currency: 'EUR', place, at }
      const fees = ways
        .filter(({ of }) => sold.some(({ itemType }) => of.includes(itemType)))
        .filter(
          ({ of, types }) =>
            of.includes('product') || cards.some((each) => types.includes(each.fulfillment_type)),
        )
        .map(({ types }) => decideRates(facts, shipment({ ...order, items: sold, types })).cheapest)
      const paid = decideFulfillment(facts, { ...order, method: 'ship', speed: 'cheapest', lines: sold })
      if (fees.includes(null)) expect(paid.kind).toBe('undeliverable')
      else
        expect(paid).toEqual({
          kind: 'fee',
          amount: fees.reduce((sum, fee) => sum + (fee?.option.amount ?? 0n), 0n),
        })
    }),
    { numRuns: 1000 },
  )
})

test('a purchase pays what its shipments pay, and without active cards nothing', () => {
  const terms = fc.record({
    method: fc.constantFrom('ship' as const, 'pickup' as const, 'digital' as const),
    speed: fc.constantFrom('cheapest' as const, 'fastest' as const),
  })
  fc.assert(
    fc.property(anyCards, anyShipment, lines, terms, (cards, { place, at }, sold, { method, speed }) => {
      const purchase = { method, speed, place, currency: 'EUR', at, lines: sold }
      expect(decideFulfillment(factsOf([]), purchase)).toEqual({ kind: 'fee', amount: 0n })
      const verdict = decideFulfillment(factsOf(cards), purchase)
      if (verdict.kind === 'undeliverable') {
        expect(verdict.lines.every((at) => sold[at] !== undefined)).toBe(true)
        return
      }
      const cheap = decideFulfillment(factsOf(cards), { ...purchase, speed: 'cheapest' })
      expect(cheap.kind === 'fee' && cheap.amount <= verdict.amount).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
