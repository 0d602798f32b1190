import type { Reads, Tenant } from '../../../contract/context.ts'
import type { Place } from '../../../core/place.ts'
import { atomKeysOf } from '../markets/public.ts'
import type { RateFacts } from './decide-rates.ts'
import { selectRateFacts } from './rate-cards.sql.ts'

/** What the fees of a merchant depend on, for goods that go to this place. One read. */
export async function readRateFacts(
  reads: Pick<Reads, 'maybe'>,
  { accountId, mode }: Tenant,
  place: Place | null,
): Promise<RateFacts> {
  const keys = place === null ? { subdivisions: [''], postalPrefixes: [''] } : atomKeysOf(place)
  const facts = await reads.maybe(
    selectRateFacts({
      account_id: accountId,
      mode,
      country: place?.country ?? null,
      subdivisions: keys.subdivisions,
      postal_prefixes: keys.postalPrefixes,
      zone_subdivisions: keys.subdivisions.map((each, index) => (index > 0 && each === '' ? '?' : each)),
      zone_prefixes: keys.postalPrefixes,
    }),
  )
  return facts ?? { cards: [], unreached: [], locations: [], markets: [] }
}
