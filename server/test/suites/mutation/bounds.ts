import { type Guard, guardsOf } from './guard.ts'

const rateCards = 'src/domain/selling/rate-cards'
const markets = 'src/domain/selling/markets'
const execution = 'src/domain/buying/execution'
const cards = `${rateCards}/rate-cards.http.test.ts`
const shares = 'src/platform/database/owner-shares.test.ts'
const heavy = 'test/flows/heavy-merchant.test.ts'

/** Bounds on what one merchant's data, or one caller's question, costs all others. */
export const boundsGuards: readonly Guard[] = [
  ...guardsOf(`${rateCards}/write-rate-card.ts`, [cards], {
    'rate-cards-together': {
      keeps: 'the places in all active rate cards of a merchant together have an upper bound',
      find: 'others[name] + own[name] > room[name]',
      replace: 'own[name] > room[name]',
      only: 'active',
    },
    'rate-cards-only-smaller': {
      keeps: 'an object that is already over a bound can only be made smaller',
      find: 'own[name] > was[name] && others',
      replace: 'was[name] === 0 && others',
      only: 'already over a limit',
    },
  }),
  ...guardsOf(`${markets}/write-market.ts`, [`${markets}/markets.http.test.ts`], {
    'market-regions-together': {
      keeps: 'the places in all markets of a merchant together have an upper bound',
      find: '(others?.named ?? 0) + named <= marketRegions',
      replace: 'others !== undefined',
      only: 'a maximum of regions',
    },
  }),
  ...guardsOf(
    'src/domain/policies/simulate-policy.ts',
    ['src/domain/policies/simulate-policy.http.test.ts'],
    {
      'simulations-at-once': {
        keeps: 'an account has number of simulations under way at once',
        find: "if (past) ctx.hold('simulations')",
        replace: '',
        only: 'number of simulations',
      },
    },
  ),
  ...guardsOf('src/platform/calls/slices.ts', ['src/platform/calls/slices.test.ts'], {
    'slices-give-back': {
      keeps: 'long computing lets others go on',
      find: '      await this.#yieldTurn()\n',
      replace: '',
    },
    'slices-end': {
      keeps: 'computing of one call has an upper bound',
      find: 'this.#spentMs > this.#cpuMsMax',
      replace: 'this.#cpuMsMax < 0',
    },
  }),
  ...guardsOf('src/platform/database/owner-shares.ts', [shares], {
    'half-for-one-owner': {
      keeps: "one owner's data takes half of the places at most",
      find: "own >= half || all.length >= places ? 'waits'",
      replace: "all.length >= places ? 'waits'",
    },
    'slow-owners-are-turned-away': {
      keeps: 'calls that wait for a slow owner do not gather connections',
      find: "if (own >= 1 || slow >= half) return 'refused'",
      replace: '',
    },
  }),
  ...guardsOf('src/platform/work/step-slots.ts', ['src/platform/work/worker.test.ts'], {
    'slow-steps-of-one-account': {
      keeps: "one account's slow steps leave places to others",
      find: 'return slow < this.#slowPerAccount',
      replace: 'return true',
      only: 'of one account',
    },
  }),
  ...guardsOf(`${execution}/native/native.ts`, [heavy], {
    'heavy-merchant-is-unavailable': {
      keeps: 'a merchant whose data takes too long to read ends its own carts',
      find: 'if (error instanceof TookTooLong) return null\n',
      replace: '',
      only: 'takes too long to read',
    },
  }),
  ...guardsOf(`${execution}/give-up.ts`, [heavy], {
    'hopeless-only-while-untouched': {
      keeps: 'failures end nothing for which money may have moved',
      find: 'if (!isUntouched(locked)) return false\n',
      replace: '',
      only: 'ends while nothing was placed',
    },
    'hopeless-ends': {
      keeps: 'a step that never succeeds ends its own purchase',
      find: 'return step_failures + 1 >= stepFailuresMax',
      replace: 'return false',
      only: 'ten',
    },
  }),
]
