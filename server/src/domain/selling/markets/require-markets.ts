import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { MarketRow } from './market.ts'
import { selectMarketsByIds } from './markets.sql.ts'

/**
 * The markets of these ids; throws the refusal when one of them is none of the tenant's, or archived. `param` is the field that names
 * them.
 */
export async function requireMarkets(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  ids: readonly string[],
  param: string,
): Promise<MarketRow[]> {
  if (ids.length === 0) return []
  const { accountId, mode } = ctx.tenant
  const rows = await ctx.tx.rows(selectMarketsByIds({ account_id: accountId, mode, ids }))
  for (const id of ids) {
    const row = rows.find((each) => each.id === id)
    if (!row) throw new Problem('not_found', { param })
    if (row.status === 'archived') throw new Problem('market_archived', { param })
  }
  return rows
}
