import { combineReads, part } from '../../../platform/database/combine-reads.ts'
import { runningPromotions, runningTimes } from '../promotions/reads.sql.ts'
import { rateFacts } from '../rate-cards/reads.sql.ts'

/**
 * One merchant's terms and promotions beside its catalog. One statement for each merchant, and not one for several: over a list of
 * unknown length PostgreSQL plans again each time, which takes three times as long as the reads themselves.
 */
export const selectSellingTerms = combineReads('select_selling_terms', {
  rates: part(rateFacts, []),
  running: part(runningPromotions, runningTimes),
})
