import type { Invariant } from '../../../platform/audit/invariants.ts'
import { checkAnswers, checkAsked, checkEnds, checkModes, checkOrdered } from './invariants.sql.ts'

export const quoteInvariants: readonly Invariant[] = [
  {
    id: 'E2-quotes',
    title:
      'An answered quote has exactly one accepted answer to its last request, from the responder that it names',
    statement: checkAnswers({}),
  },
  {
    id: 'E1-quotes',
    title: 'Every request for a quote went to exactly one destination, of the merchant that the quote names',
    statement: checkAsked({}),
  },
  {
    id: 'M11-quotes',
    title: 'A quote is ordered by one purchase, at the price of an offer that it made in time',
    statement: checkOrdered({}),
  },
  {
    id: 'W2-quotes',
    title: 'No quote waits for its merchant, or stays valid, past its deadline',
    needsWorkers: true,
    statement: checkEnds({}),
  },
  {
    id: 'M10-quotes',
    title: "The item of a quote belongs to the quote's merchant and mode",
    statement: checkModes({}),
  },
]
