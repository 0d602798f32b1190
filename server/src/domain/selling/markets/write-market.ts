import type { ActingContext } from '../../../contract/context.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import { writesOf } from '../../../platform/aggregate/changes.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import { lockAccount } from '../../accounts/api-keys/public.ts'
import type { marketEvents } from './events.ts'
import { type Market, type MarketRow, type MarketUpdate, marketRules, renderMarket } from './market.ts'
import {
  type AtomLists,
  countNamedRegions,
  deleteRegions,
  insertMarket,
  insertRegions,
  lockMarket,
  selectRivals,
  updateMarketRow,
} from './markets.sql.ts'
import { type Atom, atomsOf, normalRegions } from './regions.ts'

const { add, write } = writesOf<MarketRow, keyof typeof marketEvents>({
  insert: insertMarket,
  update: updateMarketRow,
  render: (row, { tenant }) => renderMarket(row, tenant.mode),
})

export { add as addMarket }

/**
 * Changes one market: locks it, lets `change` decide (it may throw a refusal), writes the row, the places routed to it, and the event. A
 * change of nothing writes nothing.
 */
export async function changeMarket(
  ctx: ActingContext,
  marketId: string,
  type: 'market.updated' | 'market.archived',
  change: (row: MarketRow) => Partial<MarketRow>,
): Promise<Market> {
  const { accountId, mode } = ctx.tenant
  // Before the market, in the same order as a call that makes one.
  await lockAccount(ctx)
  const row = await ctx.tx.maybe(lockMarket({ account_id: accountId, mode, id: marketId }))
  if (!row) throw new Problem('not_found', { param: 'market_id' })
  const changes = change(row)
  if (Object.keys(changes).length === 0) return renderMarket(row, mode)
  const wanted = { ...row, ...changes }
  const isRouted = 'include' in changes || 'status' in changes
  if (isRouted) await requireRoomForRegions(ctx, wanted, row)
  const routes = isRouted ? await reserveRoutes(ctx, wanted) : null
  const { row: changed, object } = write(ctx, row, changes, type)
  if (routes) writeRoutes(ctx, changed, routes)
  return object
}

/** The caller's fields, as columns; throws the 422 for locales that contradict each other. */
export function withWritten(row: MarketRow, written: MarketUpdate): Partial<MarketRow> {
  const { currency, default_locale, locales, routing, ...fields } = written
  const changes = {
    ...fields,
    ...(currency === undefined ? {} : { currency: normalizeCurrency(currency) }),
    ...(default_locale === undefined ? {} : { default_locale: canonicalLocale(default_locale) }),
    ...(locales === undefined ? {} : { locales: [...new Set(locales.map(canonicalLocale))] }),
    ...(routing === undefined
      ? {}
      : {
          include: normalRegions(routing.include ?? []),
          exclude: normalRegions(routing.exclude ?? []),
          priority: routing.priority ?? 0,
          is_fallback: routing.is_fallback ?? false,
        }),
  }
  const changed = { ...row, ...changes }
  if (!changed.locales.includes(changed.default_locale))
    throw invalid(['body', 'default_locale'], marketRules.locale)
  return changes
}

/**
 * Under the account's lock: throws the refusal when all markets together would name more regions than they may. A market that is beyond
 * the limit already, since it was written under another limit, may still be made smaller.
 */
export async function requireRoomForRegions(
  ctx: ActingContext,
  after: MarketRow,
  before: MarketRow | null = null,
): Promise<void> {
  const named = namedRegions(after)
  if (after.status === 'archived' || named <= (before === null ? 0 : namedRegions(before))) return
  const { accountId: account_id, mode } = ctx.tenant
  const others = await ctx.tx.maybe(countNamedRegions({ account_id, mode, id: after.id }))
  const { marketRegions } = ctx.settings.limits
  // guard market-regions-together: the places in all markets of a merchant together have an upper bound
  if ((others?.named ?? 0) + named <= marketRegions) return
  throw new Problem('object_limit_reached', {
    param: 'routing',
    message: `All markets together may name at most ${marketRegions} countries, subdivisions and postal prefixes. Archive or shorten some markets first.`,
  })
}

function namedRegions({ include, exclude }: Pick<MarketRow, 'include' | 'exclude'>): number {
  return [...include, ...exclude].reduce(
    (sum, { subdivisions, postal_prefixes }) => sum + 1 + subdivisions.length + postal_prefixes.length,
    0,
  )
}

/** Under the account's lock: the places that are routed to the market; throws the refusal when another market has one of them already. */
export async function reserveRoutes(ctx: ActingContext, row: MarketRow): Promise<AtomLists> {
  const atoms = row.status === 'archived' ? [] : atomsOf(row)
  const routes = listsOf(atoms)
  if (row.status === 'archived' || (atoms.length === 0 && !row.is_fallback)) return routes
  const { id, priority } = row
  const rivals = await ctx.tx.rows(
    selectRivals({ account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, id, priority, ...routes }),
  )
  const rival = rivals.find((each) => !each.is_fallback || row.is_fallback)
  if (!rival) return routes
  throw new Problem('market_overlap', {
    param: rival.is_fallback ? 'routing.is_fallback' : 'routing.include',
    message: rival.is_fallback
      ? `Market ${rival.code} is already the fallback, and a merchant can have only one.`
      : `Market ${rival.code} also includes ${regionName(rival)} at priority ${priority}. Give one of the two markets another priority, or exclude the region in one of them.`,
  })
}

/** After the row, because the regions refer to it. */
export function writeRoutes(ctx: ActingContext, row: MarketRow, routes: AtomLists): void {
  const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, id: row.id }
  if (row.seq > 1) ctx.tx.write(deleteRegions(key))
  if (routes.countries.length > 0) ctx.tx.write(insertRegions({ ...key, priority: row.priority, ...routes }))
}

function listsOf(atoms: readonly Atom[]): AtomLists {
  return {
    countries: atoms.map(({ country }) => country),
    subdivisions: atoms.map(({ subdivision }) => subdivision),
    postal_prefixes: atoms.map(({ postalPrefix }) => postalPrefix),
  }
}

function regionName(rival: { country: string | null; subdivision: string; postal_prefix: string }): string {
  const parts = [rival.country ?? '', rival.subdivision].filter((part) => part !== '')
  return rival.postal_prefix === '' ? parts.join('-') : `${parts.join('-')} ${rival.postal_prefix}…`
}

function canonicalLocale(tag: string): string {
  return new Intl.Locale(tag).toString()
}
