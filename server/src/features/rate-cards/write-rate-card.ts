import type { ActingContext, Tenant } from '../../contract/context.ts'
import { normalizeCurrency } from '../../contract/formats.ts'
import { objectsPerAccountMax } from '../../contract/page.ts'
import { checkAll, Problem } from '../../contract/problem.ts'
import { requireLocations } from '../locations/public.ts'
import { requireMarkets } from '../markets/public.ts'
import { checkRate } from './rate.ts'
import { type RateCard, type RateCardRow, type RateCardUpdate, renderRateCard } from './rate-card.ts'
import {
  countActiveRateCards,
  lockAccount,
  lockRateCard,
  type RateCardWrite,
  updateRateCardRow,
} from './rate-cards.sql.ts'
import { checkTiming } from './timing.ts'

/** A row as its statements take it. */
export function writeOf(row: RateCardRow, { accountId, mode }: Tenant): RateCardWrite {
  return {
    ...row,
    account_id: accountId,
    mode,
    timing: JSON.stringify(row.timing),
    rate: JSON.stringify(row.rate),
    zones: JSON.stringify(row.zones),
    metadata: JSON.stringify(row.metadata),
  }
}

/**
 * Changes one rate card: locks it, lets `change` decide (it may throw a refusal), writes the row and the event. A null change writes
 * nothing.
 */
export async function changeRateCard(
  ctx: ActingContext,
  rateCardId: string,
  type: 'rate_card.updated' | 'rate_card.archived',
  change: (row: RateCardRow) => Partial<RateCardRow> | null | Promise<Partial<RateCardRow> | null>,
): Promise<RateCard> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockRateCard({ account_id: accountId, mode, id: rateCardId }))
  if (!row) throw new Problem('not_found', { param: 'rate_card_id' })
  const changes = await change(row)
  if (changes === null) return renderRateCard(row, mode)
  const changed = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
  const card = renderRateCard(changed, mode)
  ctx.tx.write(updateRateCardRow(writeOf(changed, ctx.tenant)))
  ctx.tx.emit({ type, aggregateId: row.id, sequence: changed.seq, object: card })
  return card
}

/** What a caller wrote, as columns; throws the refusal for what contradicts itself or names what is not there. */
export async function writtenFields(
  ctx: ActingContext,
  written: RateCardUpdate,
): Promise<Partial<RateCardRow>> {
  const { rate, timing } = written
  checkAll(
    () => rate && checkRate(rate),
    () => timing && checkTiming(timing),
  )
  if (written.market_ids) await requireMarkets(ctx, written.market_ids, 'market_ids')
  if (written.location_ids) await requireLocations(ctx, written.location_ids, 'location_ids')
  const { currency, ...fields } = written
  return { ...fields, ...(currency === undefined ? {} : { currency: normalizeCurrency(currency) }) }
}

/** Throws the refusal when the account has as many active cards as it may; others wait until this one is there. */
export async function requireRoom(ctx: ActingContext): Promise<void> {
  const { accountId, mode } = ctx.tenant
  await ctx.tx.maybe(lockAccount({ account_id: accountId }))
  const count = await ctx.tx.maybe(countActiveRateCards({ account_id: accountId, mode }))
  if ((count?.active ?? 0) >= objectsPerAccountMax) throw new Problem('object_limit_reached')
}
