import type { ActingContext } from '../../../contract/context.ts'
import { checkAll, Problem } from '../../../contract/problem.ts'
import { changesOf } from '../../../platform/aggregate/changes.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import { lockAccount } from '../../accounts/api-keys/public.ts'
import { requireLocations } from '../locations/public.ts'
import { requireMarkets } from '../markets/public.ts'
import type { rateCardEvents } from './events.ts'
import { checkRate } from './rate.ts'
import { type RateCardRow, type RateCardUpdate, renderRateCard } from './rate-card.ts'
import {
  countActiveRateCards,
  insertRateCard,
  lockRateCard,
  type RateCardStock,
  updateRateCardRow,
} from './rate-cards.sql.ts'
import { checkTiming } from './timing.ts'

export const { add: addRateCard, change: changeRateCard } = changesOf<
  RateCardRow,
  keyof typeof rateCardEvents
>({
  param: 'rate_card_id',
  insert: insertRateCard,
  lock: lockRateCard,
  update: updateRateCardRow,
  render: (row, { tenant }) => renderRateCard(row, tenant.mode),
})

/** The caller's fields, as columns; throws the refusal for a contradiction, or for an id that does not exist. */
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

/**
 * Throws the refusal when the merchant's active cards would exceed their limits, together with this one as it is about to be; other calls
 * wait until it is written. A card that is beyond a limit already, since it was written under another one, may still be made smaller.
 */
export async function requireRoom(
  ctx: ActingContext,
  after: RateCardRow,
  before: RateCardRow | null = null,
): Promise<void> {
  if (after.status !== 'active') return
  const own = stockOf(after)
  const was = before?.status === 'active' ? stockOf(before) : noStock
  if (stocks.every((name) => own[name] <= was[name])) return
  const { accountId: account_id, mode } = ctx.tenant
  await lockAccount(ctx)
  const others = (await ctx.tx.maybe(countActiveRateCards({ account_id, mode, id: after.id }))) ?? noStock
  const { limits } = ctx.settings
  const room = { cards: limits.rateCards, zones: limits.rateCardZones, entries: limits.rateCardEntries }
  // guard rate-cards-together: the places in all active rate cards of a merchant together have an upper bound
  // guard rate-cards-only-smaller: an object that is already over a bound can only be made smaller
  const beyond = stocks.find((name) => own[name] > was[name] && others[name] + own[name] > room[name])
  if (beyond === undefined) return
  throw new Problem('object_limit_reached', {
    ...(beyond === 'cards' ? {} : { param: beyond === 'zones' ? 'zones' : 'rate' }),
    message: `All active rate cards together may have at most ${room[beyond]} ${names[beyond]}. Archive or shorten some first.`,
  })
}

const stocks = ['cards', 'zones', 'entries'] as const satisfies readonly (keyof RateCardStock)[]
const noStock: RateCardStock = { cards: 0, zones: 0, entries: 0 }
const names = {
  cards: 'cards',
  zones: 'zones, counted once for each of their postal prefixes',
  entries: 'tiers, labels, markets and locations',
} as const satisfies Record<keyof RateCardStock, string>

/** How much one active card counts. */
function stockOf({ zones, rate, labels, market_ids, location_ids }: RateCardRow): RateCardStock {
  const places = zones.reduce(
    (sum, { postal_prefixes }) => sum + Math.max(1, postal_prefixes?.length ?? 0),
    0,
  )
  const plain = rate.kind === 'free_above' ? rate.otherwise : rate
  const tiers = plain.kind === 'tiered' ? plain.tiers.length : 0
  return {
    cards: 1,
    zones: Math.max(1, places),
    entries: tiers + labels.length + market_ids.length + location_ids.length,
  }
}
