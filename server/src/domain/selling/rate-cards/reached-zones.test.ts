import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import type { Place } from '../../../core/place.ts'
import { createReads } from '../../../platform/calls/reads.ts'
import { decideFulfillment } from './decide-fulfillment.ts'
import { decideRates, type RatedCard, type RateFacts, type Shipment } from './decide-rates.ts'
import { fulfillmentTypes, type Zone } from './rate-card.ts'
import { readRateFacts } from './read-rate-facts.ts'

/** Of a merchant's cards only what an address can need leaves the database; what is decided must be as if all of it did. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const prefixes = ['1', '10', '10 1', '10-11', '101', 'a1', 'A12', 'sw1', 'SW1-A', '9']
const zone: fc.Arbitrary<Zone> = fc.record(
  {
    country: fc.constantFrom('DE', 'US', 'GB'),
    subdivision: fc.constantFrom('BE', 'de-be', 'US-CA', 'ca ', 'CA', 'US-', 'US--', 'US-US-CA', 'US- CA'),
    city: fc.constantFrom('Berlin', ' berlin', 'London'),
    postal_prefixes: fc.uniqueArray(fc.constantFrom(...prefixes), { maxLength: 4 }),
    radius_km: fc.constantFrom(5, 12.5, 1e-7),
  },
  { requiredKeys: ['country'] },
)
type WrittenCard = Pick<RatedCard, 'fulfillment_type' | 'currency' | 'zones' | 'labels'> & { amount: number }
const cards: fc.Arbitrary<WrittenCard[]> = fc.array(
  fc.record({
    fulfillment_type: fc.constantFrom(...fulfillmentTypes),
    currency: fc.constantFrom('EUR', 'EUR', 'USD'),
    amount: fc.integer({ min: 0, max: 9 }),
    zones: fc.oneof(
      { weight: 1, arbitrary: fc.constant<Zone[]>([]) },
      { weight: 6, arbitrary: fc.array(zone, { maxLength: 4 }) },
    ),
    labels: fc.constantFrom<string[]>([], [], ['bulky']),
  }),
  { minLength: 1, maxLength: 8 },
)
const place: fc.Arbitrary<Place | null> = fc.option(
  fc.record({
    country: fc.constantFrom('DE', 'US', 'GB', 'FR'),
    state: fc.constantFrom(
      null,
      'BE',
      'be',
      'US-CA',
      'CA',
      ' ca',
      'US-',
      'US--',
      'US-US-CA',
      'us- ca',
      'Ä',
      '',
    ),
    city: fc.constantFrom(null, 'Berlin', 'LONDON', 'Paris'),
    postalCode: fc.constantFrom(null, '', '10117', '10 117', '1', 'a1 2', 'SW1A 1AA', 'sw1-a', '99'),
  }),
  { nil: null, freq: 12 },
)
const sent = fc.record({
  place,
  distanceKm: fc.constantFrom(null, 3, 12.5, 40),
  itemType: fc.constantFrom(null, 'product' as const, 'digital' as const),
  label: fc.constantFrom(null, 'bulky'),
})

/** As a merchant would have written them; some are drafts first, and some change. */
async function write(accountId: string, written: readonly WrittenCard[]): Promise<RatedCard[]> {
  const rows = written.map(({ amount, ...rest }, index) => ({
    id: `rc_${String(index).padStart(3, '0')}` as const,
    name: `Card ${index}`,
    provider: null,
    market_ids: [],
    timing: {},
    location_ids: [],
    rate: { kind: 'flat' as const, amount },
    ...rest,
  }))
  await app.sql('delete from rate_cards where account_id = $1', [accountId])
  await app.sql('delete from rate_card_zones where account_id = $1', [accountId])
  await app.sql(
    `insert into rate_cards (account_id, mode, id, name, fulfillment_type, currency, market_ids, timing, rate, zones, labels, location_ids,
       status, metadata, seq, created_at, updated_at)
     select $1, 'test', id, name, fulfillment_type, currency, '{}', timing, rate,
       case when number % 3 = 1 then '[{"country": "FR"}]' else zones end, array(select jsonb_array_elements_text(labels)), '{}',
       case when number % 3 = 2 then 'draft' else 'active' end, '{}', 1, now(), now()
     from rows from (jsonb_to_recordset($2) as (id text, name text, fulfillment_type text, currency text, timing jsonb, rate jsonb,
       zones jsonb, labels jsonb)) with ordinality as r (id, name, fulfillment_type, currency, timing, rate, zones, labels, number)`,
    [accountId, JSON.stringify(rows)],
  )
  await app.sql(
    `update rate_cards c set status = 'active', zones = r.zones from jsonb_to_recordset($2) as r (id text, zones jsonb)
     where c.account_id = $1 and c.id = r.id`,
    [accountId, JSON.stringify(rows)],
  )
  return rows
}

const casesPerWriting = 25

test('the cards that the database returns decide as all cards would: options, choices, reasons and fees', async () => {
  const { accountId } = await app.newAccount()
  const reads = createReads(app.parts.pools)
  let cases = 0
  let options = 0
  let unreached = 0
  await fc.assert(
    fc.asyncProperty(
      cards,
      fc.array(sent, { minLength: casesPerWriting, maxLength: casesPerWriting }),
      async (written, orders) => {
        const all: RateFacts = {
          cards: await write(accountId, written),
          unreached: [],
          locations: [],
          markets: [],
        }
        for (const { place: to, distanceKm, itemType, label } of orders) {
          const facts = await readRateFacts(reads, { accountId, mode: 'test' }, to)
          const line = { quantity: 1, amount: 1000n, weightGrams: null, label }
          const order = { currency: 'EUR', place: to, at: new Date('2026-11-20T10:00:00Z') }
          const shipment: Shipment = {
            ...order,
            items: [{ ...line, itemType }],
            coordinates: null,
            distanceKm,
            types: null,
          }
          expect(told(decideRates(facts, shipment))).toEqual(told(decideRates(all, shipment)))
          const purchase = {
            ...order,
            method: 'ship',
            speed: 'cheapest',
            lines: [{ ...line, itemType: itemType ?? 'product' }],
          } as const
          expect(decideFulfillment(facts, purchase)).toEqual(decideFulfillment(all, purchase))
          cases += 1
          options += decideRates(facts, shipment).options.length
          unreached += facts.unreached.length
        }
      },
    ),
    { numRuns: 2000 / casesPerWriting },
  )
  expect(cases).toBeGreaterThanOrEqual(2000)
  // Neither side of the filter was empty all along.
  expect(options).toBeGreaterThan(500)
  expect(unreached).toBeGreaterThan(500)
})

/** What callers are told; the zones that were looked at are not. */
function told({ options, cheapest, fastest, skipped, market }: ReturnType<typeof decideRates>) {
  return {
    market,
    options: options.map(({ card: { id }, ...rest }) => ({ id, ...rest })),
    cheapest: cheapest && [cheapest.option.card.id, cheapest.explanation],
    fastest: fastest && [fastest.option.card.id, fastest.explanation],
    skipped: skipped.map(({ card: { id, name }, ...rest }) => ({ id, name, ...rest })),
  }
}
