import { invalid } from '../../../contract/problem.ts'
import { normalPostalCode, normalSubdivision, type Place } from '../../../core/place.ts'
import { filled } from '../../../schema/rules.ts'
import { type MarketRegion, type MarketRow, marketRules, type RegionWrite } from './market.ts'

/** One part of what a market includes; '' where any subdivision or any postal code matches. */
export type Atom = {
  readonly country: string
  readonly subdivision: string
  readonly postalPrefix: string
}

/** As many as can be written and compared at once without a noticeable delay. */
const atomsMax = 5000

/** The caller's regions, in the form in which places are compared, each named once. */
export function normalRegions(written: readonly RegionWrite[]): MarketRegion[] {
  return written.map(({ country, subdivisions = [], postal_prefixes = [] }) => ({
    country,
    subdivisions: [...new Set(subdivisions.map((each) => normalSubdivision(each, country)))],
    postal_prefixes: [...new Set(postal_prefixes.map(normalPostalCode))],
  }))
}

/**
 * The parts that a market includes, without those that it excludes again. Two markets of one priority conflict exactly where they have an
 * atom in common: of two atoms of one closeness, a place lies in both only when they are equal.
 */
export function atomsOf({ include, exclude }: Pick<MarketRow, 'include' | 'exclude'>): Atom[] {
  if (include.reduce((sum, region) => sum + sizeOf(region), 0) > atomsMax) {
    throw invalid(['body', 'routing', 'include'], filled(marketRules.regions, { most: atomsMax }))
  }
  const atoms = new Map<string, Atom>()
  for (const atom of include.flatMap(partsOf)) atoms.set(Object.values(atom).join('|'), atom)
  return [...atoms.values()].filter((atom) => !exclude.some((region) => covers(region, atom)))
}

/** Every atom that a place can lie in. */
export function atomKeysOf(place: Place): { subdivisions: string[]; postalPrefixes: string[] } {
  const code = place.postalCode === null ? '' : normalPostalCode(place.postalCode)
  return {
    subdivisions: place.state === null ? [''] : ['', normalSubdivision(place.state, place.country)],
    postalPrefixes: Array.from({ length: code.length + 1 }, (_, length) => code.slice(0, length)),
  }
}

function sizeOf({ subdivisions, postal_prefixes }: MarketRegion): number {
  return Math.max(1, subdivisions.length) * Math.max(1, postal_prefixes.length)
}

function partsOf({ country, subdivisions, postal_prefixes }: MarketRegion): Atom[] {
  const prefixes = postal_prefixes.length === 0 ? [''] : postal_prefixes
  return (subdivisions.length === 0 ? [''] : subdivisions).flatMap((subdivision) =>
    prefixes.map((postalPrefix) => ({ country, subdivision, postalPrefix })),
  )
}

/** Whether the whole atom lies inside the region. */
function covers(region: MarketRegion, atom: Atom): boolean {
  const { country, subdivisions, postal_prefixes } = region
  return (
    country === atom.country &&
    (subdivisions.length === 0 || subdivisions.includes(atom.subdivision)) &&
    (postal_prefixes.length === 0 || postal_prefixes.some((prefix) => atom.postalPrefix.startsWith(prefix)))
  )
}
