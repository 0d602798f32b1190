import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareCloseness } from '../../../core/place.ts'
import { decideMarket, type RoutedMarket } from './decide-market.ts'
import { atomKeysOf, atomsOf, normalRegions } from './regions.ts'

type Written = {
  country: string
  subdivisions?: string[]
  postal_prefixes?: string[]
}

function market(
  code: string,
  routing: { include?: Written[]; exclude?: Written[]; priority?: number; is_fallback?: boolean },
): RoutedMarket {
  const { include = [], exclude = [], priority = 0, is_fallback = false } = routing
  return {
    id: `mkt_${code}`,
    code,
    currency: 'EUR',
    include: normalRegions(include),
    exclude: normalRegions(exclude),
    priority,
    is_fallback,
  }
}

function place(country: string, state: string | null = null, postalCode: string | null = null) {
  return { country, state, city: null, postalCode }
}

const world = [
  market('germany', { include: [{ country: 'DE' }] }),
  market('bavaria', { include: [{ country: 'DE', subdivisions: ['BY'] }] }),
  market('munich', { include: [{ country: 'DE', postal_prefixes: ['80', '81'] }] }),
  market('munich centre', { include: [{ country: 'DE', postal_prefixes: ['803'] }] }),
  market('munich in bavaria', {
    include: [{ country: 'DE', subdivisions: ['BY'], postal_prefixes: ['81'] }],
  }),
  market('germany first', { include: [{ country: 'AT' }], priority: 1 }),
  market('austria', { include: [{ country: 'AT' }] }),
  market('rest', {
    is_fallback: true,
    exclude: [{ country: 'KP' }, { country: 'UA', subdivisions: ['43'] }],
  }),
]

const cases: [string, ReturnType<typeof place> | null, string | null][] = [
  ['a country', place('DE'), 'germany country'],
  ['a subdivision before its country', place('DE', 'BY'), 'bavaria subdivision'],
  ['a subdivision with its country, in any case', place('DE', 'de-by'), 'bavaria subdivision'],
  ['a postal code before a subdivision', place('DE', 'BY', '80999'), 'munich postal_prefix'],
  ['the longer of two beginnings', place('DE', 'BY', '80331'), 'munich centre postal_prefix'],
  [
    'a subdivision on top of the same beginning',
    place('DE', 'BY', '81000'),
    'munich in bavaria postal_prefix',
  ],
  ['not a subdivision that the address does not name', place('DE', null, '81000'), 'munich postal_prefix'],
  ['blanks in postal codes', place('DE', null, '8 0-3 1'), 'munich centre postal_prefix'],
  ['priority between equals', place('AT'), 'germany first country'],
  ['the fallback for an address that no market includes', place('FR'), 'rest fallback'],
  ['the fallback where there is no place', null, 'rest fallback'],
  ['nothing where the fallback excludes it', place('KP'), null],
  ['the fallback beside a subdivision that it excludes', place('UA', '32'), 'rest fallback'],
  ['nothing in that subdivision', place('UA', 'UA-43'), null],
]

test.each(cases)('routing takes %s', (_, at, expected) => {
  const verdict = decideMarket(world, at)
  expect(verdict && `${verdict.market.code} ${verdict.matchedBy}`).toBe(expected)
})

test('an exclusion takes a market out, and the next one has the place', () => {
  const markets = [
    market('eu', {
      include: [{ country: 'ES' }],
      exclude: [{ country: 'ES', postal_prefixes: ['35', '38'] }],
    }),
    market('rest', { is_fallback: true }),
  ]
  expect(decideMarket(markets, place('ES', null, '28001'))?.market.code).toBe('eu')
  expect(decideMarket(markets, place('ES', null, '35001'))?.market.code).toBe('rest')
})

const anyPart = fc.record({
  country: fc.constantFrom('DE', 'AT'),
  subdivisions: fc.subarray(['BY', 'BE']),
  postal_prefixes: fc.subarray(['1', '10', '101', '2']),
})
const anyMarket = fc.record({
  include: fc.array(anyPart, { maxLength: 3 }),
  exclude: fc.array(anyPart, { maxLength: 2 }),
  priority: fc.integer({ min: 0, max: 1 }),
  is_fallback: fc.boolean(),
})
const anyMarkets = fc
  .array(anyMarket, { maxLength: 5 })
  .map((routings) => routings.map((routing, index) => market(String(index), routing)))
const anyPlace = fc.record({
  country: fc.constantFrom('DE', 'AT', 'FR'),
  state: fc.constantFrom(null, 'BY', 'BE'),
  city: fc.constant(null),
  postalCode: fc.constantFrom(null, '10115', '20095', '9'),
})

function rivals(a: RoutedMarket, b: RoutedMarket): boolean {
  if (a.priority !== b.priority) return false
  const keys = new Set(atomsOf(a).map((atom) => JSON.stringify(atom)))
  return atomsOf(b).some((atom) => keys.has(JSON.stringify(atom)))
}

test('markets that do not overlap never share a place, in any order', () => {
  fc.assert(
    fc.property(anyMarkets, anyPlace, (markets, at) => {
      const kept: RoutedMarket[] = []
      for (const each of markets) {
        if (!kept.some((other) => rivals(other, each) || (other.is_fallback && each.is_fallback)))
          kept.push(each)
      }
      const verdict = decideMarket(kept, at)
      expect(decideMarket(kept.toReversed(), at)).toEqual(verdict)
    }),
    { numRuns: 2000 },
  )
})

test('the candidates that the database finds by regions are all that the decision needs', () => {
  fc.assert(
    fc.property(anyMarkets, anyPlace, (markets, at) => {
      const { subdivisions, postalPrefixes } = atomKeysOf(at)
      const candidates = markets.filter(
        (each) =>
          each.is_fallback ||
          atomsOf(each).some(
            (atom) =>
              atom.country === at.country &&
              subdivisions.includes(atom.subdivision) &&
              postalPrefixes.includes(atom.postalPrefix),
          ),
      )
      expect(decideMarket(candidates, at)).toEqual(decideMarket(markets, at))
    }),
    { numRuns: 2000 },
  )
})

test('a longer postal code is closer than any subdivision', () => {
  const far = { postalLength: 1, isSubdivision: true }
  expect(compareCloseness({ postalLength: 2, isSubdivision: false }, far)).toBeGreaterThan(0)
})
