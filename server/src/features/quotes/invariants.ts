import type { Invariant } from '../../platform/audit/invariants.ts'
import { checkAnswers, checkAsked, checkEnds, checkModes, checkOrdered } from './invariants.sql.ts'

export const quoteInvariants: readonly Invariant[] = [
  {
    id: 'E2-quotes',
    title: 'An answered quote has the one accepted answer of its last request, of the one it names',
    statement: checkAnswers({}),
  },
  {
    id: 'E1-quotes',
    title: 'Every request for a quote went to one destination alone, of the merchant that the quote names',
    statement: checkAsked({}),
  },
  {
    id: 'M11-quotes',
    title: 'A quote is ordered by one purchase, at the price of an offer that it made in time',
    statement: checkOrdered({}),
  },
  {
    id: 'W2-quotes',
    title: 'No quote waits for its merchant, or stands, beyond its time',
    needsWorkers: true,
    statement: checkEnds({}),
  },
  {
    id: 'M10-quotes',
    title: "The item of a quote is its merchant's, of the quote's mode",
    statement: checkModes({}),
  },
]
