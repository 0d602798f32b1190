import type { ActingContext } from '../../../contract/context.ts'
import { normalizeUrl } from '../../../schema/formats.ts'
import { readMerchant } from '../merchant/public.ts'
import { planUpserts, type Upserted } from './decide-upsert.ts'
import type { ItemImport } from './item-import.ts'
import { insertItems, lockItemsNamed, updateItems, writesOf } from './items.sql.ts'

/**
 * Creates or changes the items of `ctx.tenant` that these rows name, in a few statements however many there are. It writes no event: the
 * caller writes one for the whole batch.
 */
export async function upsertItems(
  ctx: ActingContext,
  rows: readonly ItemImport[],
  { publish }: { publish: boolean },
): Promise<readonly Upserted[]> {
  if (rows.length === 0) return []
  const tenant = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
  const [merchant, known] = await Promise.all([
    readMerchant(ctx.tx, ctx.tenant),
    ctx.tx.rows(
      lockItemsNamed({
        ...tenant,
        ids: rows.flatMap(({ id }) => id ?? []),
        handles: rows.flatMap(({ handle }) => handle ?? []),
        url_keys: rows.flatMap(({ url }) => (url ? [normalizeUrl(url)] : [])),
      }),
    ),
  ])
  const facts = { tenant: ctx.tenant, merchant, now: ctx.now, publish, newId: ctx.newId }
  const { outcomes, inserts, updates } = planUpserts(rows, known, facts)
  // Changes come before additions: a handle or URL may pass from a changed item to a new one.
  if (updates.length > 0) ctx.tx.write(updateItems({ ...tenant, items: writesOf(updates) }))
  if (inserts.length > 0) ctx.tx.write(insertItems({ ...tenant, items: writesOf(inserts) }))
  return outcomes
}
