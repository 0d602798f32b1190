import type { Reads, Tenant } from '../../../contract/context.ts'
import type { Place } from '../../../core/place.ts'
import { type ResolvedUrl, resolveUrls, urlKeysOf } from '../catalog/public.ts'
import type { RunningPromotion } from '../promotions/public.ts'
import { noRates, type RateFacts, rateKeysOf } from '../rate-cards/public.ts'
import { selectGoods, selectSellingTerms } from './selling-terms.sql.ts'

/** A merchant's terms and promotions beside its catalog, for goods that go to one place. */
type SellingTerms = { readonly rates: RateFacts; readonly running: readonly RunningPromotion[] }

/** One read. Those of several merchants, sent together, take one round trip. */
export async function readSellingTerms(
  reads: Pick<Reads, 'rows'>,
  { accountId: merchant_account_id, mode }: Tenant,
  place: Place | null,
): Promise<SellingTerms> {
  const rows = await reads.rows(selectSellingTerms({ merchant_account_id, mode, ...rateKeysOf(place) }))
  return termsOf(selectSellingTerms.read(rows))
}

/** The cart of one merchant, of whose items each is at a URL. */
type GoodsWanted = {
  readonly buyer: Tenant
  readonly merchant: Tenant
  readonly urls: readonly string[]
  readonly place: Place | null
}

/** The same, and what stands at each of the URLs. One read. */
export async function readGoods(
  reads: Pick<Reads, 'rows'>,
  { buyer, merchant, urls, place }: GoodsWanted,
): Promise<SellingTerms & { readonly found: readonly (ResolvedUrl | null)[] }> {
  const rows = await reads.rows(
    selectGoods({
      account_id: buyer.accountId,
      merchant_account_id: merchant.accountId,
      mode: buyer.mode,
      ...urlKeysOf(urls),
      ...rateKeysOf(place),
    }),
  )
  const { sellers, items, ...terms } = selectGoods.read(rows)
  return { ...termsOf(terms), found: resolveUrls(urls, sellers, items) }
}

function termsOf({ rates, running }: ReturnType<typeof selectSellingTerms.read>): SellingTerms {
  return { rates: rates[0] ?? noRates, running }
}
