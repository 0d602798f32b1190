import { type Listed, missedBeside, missedBy } from './guard.ts'

/** What keeps one tenant from stopping the others. */
export const neighboursGuards: readonly Listed[] = [
  ...missedBeside({
    'places-at-once': 'never',
    'places-of-an-agent': { how: 'never', only: 'places of its own' },
    'listener-on-the-drain': 'gone',
  }),
  ...missedBy(['test/flows/limits.test.ts'], {
    'places-together': 'never',
    'requests-at-once': {
      how: ["held.hold('requests', principal)", 'undefined'],
      only: 'requests under way',
    },
    'streams-at-once': { how: 'gone', only: 'number of streams' },
    'quote-waits-at-once': { how: 'gone', only: 'number of waits for quotes' },
    'imports-at-once': { how: ["ctx.hold('imports')", 'undefined'], only: 'slow sender' },
    'upload-that-was-swept': { how: 'never', only: 'slow sender' },
    'recoveries-in-an-hour': { how: 'gone', only: 'recovers a destination' },
  }),
  ...missedBy(['src/platform/limits/rates.test.ts'], {
    'rate-in-a-window': ['recent}) < $limit', 'recent}) < 1000000'],
  }),
  ...missedBy(['src/domain/buying/intents/read/get-purchase-intent.http.test.ts'], {
    'purchase-waits-at-once': { how: 'gone', only: 'each have a number of waits' },
    'purchase-waits-of-an-agent': { how: 'gone', only: 'each have a number of waits' },
    'gone-callers': {
      how: ['callerSignalOnUse(exchange.response, draining)', '() => draining'],
      only: 'goes away',
    },
    'gone-callers-of-tools': {
      how: ['callerSignalOnUse(exchange.response, options.draining)', '() => options.draining'],
      only: 'goes away',
    },
  }),
  ...missedBy(['src/domain/buying/intents/decide/approve-purchase-intent.http.test.ts'], {
    'wrong-proof-counts': {
      how: [
        'isRight ? { failed_verifications: 0 } : afterRefusal(row)',
        'isRight ? { failed_verifications: 0 } : {}',
      ],
      only: 'password|guesses',
    },
    'guesses-one-after-the-other': {
      how: ['lockUsablePaymentMethod', 'selectUsablePaymentMethod'],
      only: 'behind the third',
    },
  }),
]
