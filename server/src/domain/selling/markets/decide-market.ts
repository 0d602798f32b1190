import {
  type Closeness,
  closenessOf,
  compareCloseness,
  type Place,
  type Region,
} from '../../../core/place.ts'
import type { MarketRegion, MarketRow } from './market.ts'

/** The columns of a market that routing uses. */
export type RoutedMarket = Pick<
  MarketRow,
  'id' | 'code' | 'currency' | 'include' | 'exclude' | 'priority' | 'is_fallback'
>

type MatchedBy = 'postal_prefix' | 'subdivision' | 'country' | 'fallback'

export type MarketVerdict = { readonly market: RoutedMarket; readonly matchedBy: MatchedBy } | null

/**
 * The market of a place: the one that includes it most closely, then the one of higher priority, then the fallback; a market that
 * excludes the place does not count. Without a place only the fallback is left. `market_overlap` keeps ties from being written; if there
 * were one, the older market would win.
 */
export function decideMarket(markets: readonly RoutedMarket[], place: Place | null): MarketVerdict {
  const open = markets.filter(({ exclude }) => place === null || !isWithin(exclude, place))
  const fallback = open.find(({ is_fallback }) => is_fallback)
  const last: MarketVerdict = fallback ? { market: fallback, matchedBy: 'fallback' } : null
  if (place === null) return last
  let best: { market: RoutedMarket; closeness: Closeness } | null = null
  for (const market of open) {
    const closeness = closestOf(market.include, place)
    if (closeness !== null && (best === null || goesBefore({ market, closeness }, best)))
      best = { market, closeness }
  }
  return best === null ? last : { market: best.market, matchedBy: nameOf(best.closeness) }
}

type Match = { market: RoutedMarket; closeness: Closeness }

function goesBefore(a: Match, b: Match): boolean {
  const closer = compareCloseness(a.closeness, b.closeness) || a.market.priority - b.market.priority
  return closer === 0 ? a.market.id < b.market.id : closer > 0
}

function closestOf(regions: readonly MarketRegion[], place: Place): Closeness | null {
  let best: Closeness | null = null
  for (const region of regions) {
    const closeness = closenessOf(regionOf(region), place)
    if (closeness !== null && (best === null || compareCloseness(closeness, best) > 0)) best = closeness
  }
  return best
}

function isWithin(regions: readonly MarketRegion[], place: Place): boolean {
  return regions.some((region) => closenessOf(regionOf(region), place) !== null)
}

function regionOf({ country, subdivisions, postal_prefixes }: MarketRegion): Region {
  return { country, subdivisions, postalPrefixes: postal_prefixes }
}

function nameOf({ postalLength, isSubdivision }: Closeness): MatchedBy {
  return postalLength > 0 ? 'postal_prefix' : isSubdivision ? 'subdivision' : 'country'
}
