import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { combineReads, part } from '../../../platform/database/combine-reads.ts'
import { correlate } from '../../../platform/database/fragment.ts'
import { itemsByUrl, itemTimes } from '../catalog/reads.sql.ts'
import type { PlaceKeys } from '../markets/reads.sql.ts'
import { merchantsAtHosts, merchantTimes, sellersAmong } from '../merchant/reads.sql.ts'
import type { RunningPromotion } from '../promotions/public.ts'
import { runningPromotions, runningTimes } from '../promotions/reads.sql.ts'
import type { RateFacts } from '../rate-cards/public.ts'
import { rateFacts, type ZoneKeys } from '../rate-cards/reads.sql.ts'

type OfMerchant = { merchant_account_id: Id<'acct'>; mode: Mode }

/** In a statement whose account is the buyer's. */
const ofMerchant = { account_id: '$merchant_account_id' } as const
const rates: Fragment<RateFacts, OfMerchant & PlaceKeys & ZoneKeys> = correlate(rateFacts, ofMerchant)
const running: Fragment<RunningPromotion, OfMerchant> = correlate(runningPromotions, ofMerchant)

const terms = { rates: part(rates, []), running: part(running, runningTimes) }

/**
 * One merchant's terms and promotions beside its catalog. One statement for each merchant, and not one for several: over a list of
 * unknown length PostgreSQL plans again each time, which takes three times as long as the reads themselves.
 */
export const selectSellingTerms = combineReads('select_selling_terms', terms)

/** The same with who sells at the URLs of a cart, and what. It reads apart, where statements are planned once and for all. */
export const selectGoods = combineReads('select_goods', {
  sellers: part(sellersAmong(merchantsAtHosts), merchantTimes),
  items: part(itemsByUrl, itemTimes),
  ...terms,
})
