import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { selectLocationsByIds } from './locations.sql.ts'

/** Throws the refusal when one of the ids is not a location of the tenant, or is archived. `param` is the field that names them. */
export async function requireLocations(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  ids: readonly string[],
  param: string,
): Promise<void> {
  if (ids.length === 0) return
  const { accountId, mode } = ctx.tenant
  const rows = await ctx.tx.rows(selectLocationsByIds({ account_id: accountId, mode, ids }))
  for (const id of ids) {
    const row = rows.find((each) => each.id === id)
    if (!row) throw new Problem('not_found', { param })
    if (row.status === 'archived') throw new Problem('location_archived', { param })
  }
}
