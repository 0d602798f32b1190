import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Bounds on what one merchant's data, or one caller's question, costs all others. */
export const boundsGuards: readonly Listed[] = [
  ...missedBeside({
    'simulations-at-once': { how: 'gone', only: 'number of simulations' },
    'slices-give-back': 'gone',
    'slices-end': 'never',
    'half-for-one-owner': ['own >= half || '],
    'slow-owners-are-turned-away': 'gone',
  }),
  ...missedBy(['src/domain/selling/rate-cards/rate-cards.http.test.ts'], {
    'rate-cards-together': {
      how: ['others[name] + own[name] > room[name]', 'own[name] > room[name]'],
      only: 'active',
    },
    'rate-cards-only-smaller': {
      how: ['own[name] > was[name] && others', 'was[name] === 0 && others'],
      only: 'already over a limit',
    },
  }),
  ...missedBy(['src/domain/selling/markets/markets.http.test.ts'], {
    'market-regions-together': {
      how: ['(others?.named ?? 0) + named <= marketRegions', 'others !== undefined'],
      only: 'a maximum of regions',
    },
  }),
  ...missedBy(['src/platform/work/worker.test.ts'], {
    'slow-steps-of-one-account': { how: 'always', only: 'of one account' },
  }),
  ...missedBy(['test/flows/heavy-merchant.test.ts'], {
    'heavy-merchant-is-unavailable': { how: 'gone', only: 'takes too long to read' },
    'hopeless-only-while-untouched': { how: 'gone', only: 'ends while nothing was placed' },
    'hopeless-ends': { how: 'never', only: 'ten' },
  }),
]
