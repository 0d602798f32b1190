import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { selectMarketsByIds } from './markets.sql.ts'

/**
 * Throws the refusal when one of the ids is no market of the tenant, or an archived one. `param` is the field that names them.
 */
export async function requireMarkets(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  ids: readonly string[],
  param: string,
): Promise<void> {
  if (ids.length === 0) return
  const { accountId, mode } = ctx.tenant
  const rows = await ctx.tx.rows(selectMarketsByIds({ account_id: accountId, mode, ids }))
  for (const id of ids) {
    const row = rows.find((each) => each.id === id)
    if (!row) throw new Problem('not_found', { param })
    if (row.status === 'archived') throw new Problem('market_archived', { param })
  }
}
