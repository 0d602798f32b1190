import type { Reads, Tenant } from '../../../contract/context.ts'
import type { Place } from '../../../core/place.ts'
import { atomKeysOf } from '../markets/public.ts'
import type { PlaceKeys } from '../markets/reads.sql.ts'
import type { RateFacts } from './decide-rates.ts'
import { selectRateFacts } from './rate-cards.sql.ts'
import type { ZoneKeys } from './reads.sql.ts'

/** Everything that a merchant's fees depend on, for goods that go to this place. One read. */
export async function readRateFacts(
  reads: Pick<Reads, 'maybe'>,
  { accountId: account_id, mode }: Tenant,
  place: Place | null,
): Promise<RateFacts> {
  const facts = await reads.maybe(selectRateFacts({ account_id, mode, ...rateKeysOf(place) }))
  return facts ?? noRates
}

/** A merchant without cards, locations and markets. */
export const noRates: RateFacts = { cards: [], unreached: [], locations: [], markets: [] }

/** A place in the form in which `selectRateFacts` searches for it. */
export function rateKeysOf(place: Place | null): PlaceKeys & ZoneKeys {
  const keys = place === null ? { subdivisions: [''], postalPrefixes: [''] } : atomKeysOf(place)
  return {
    country: place?.country ?? null,
    subdivisions: keys.subdivisions,
    postal_prefixes: keys.postalPrefixes,
    zone_subdivisions: keys.subdivisions.map((each, index) => (index > 0 && each === '' ? '?' : each)),
    zone_prefixes: keys.postalPrefixes,
  }
}
