import type { Reads, Tenant } from '../../../contract/context.ts'
import type { Place } from '../../../core/place.ts'
import type { RunningPromotion } from '../promotions/public.ts'
import { noRates, type RateFacts, rateKeysOf } from '../rate-cards/public.ts'
import { selectSellingTerms } from './selling-terms.sql.ts'

/** A merchant's terms and promotions beside its catalog, for goods that go to one place. */
export type SellingTerms = { readonly rates: RateFacts; readonly running: readonly RunningPromotion[] }

/** One read. Those of several merchants, sent together, take one round trip. */
export async function readSellingTerms(
  reads: Pick<Reads, 'rows'>,
  { accountId: account_id, mode }: Tenant,
  place: Place | null,
): Promise<SellingTerms> {
  const rows = await reads.rows(selectSellingTerms({ account_id, mode, ...rateKeysOf(place) }))
  const { rates, running } = selectSellingTerms.read(rows)
  return { rates: rates[0] ?? noRates, running }
}
