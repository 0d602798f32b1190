import { type Guard, guardsOf } from './guard.ts'

const limits = 'test/flows/limits.test.ts'
const rates = 'src/platform/limits/rates.test.ts'
const slots = 'src/platform/limits/slots.test.ts'
const approve = 'src/domain/buying/intents/decide/approve-purchase-intent.http.test.ts'
const waits = 'src/domain/buying/intents/read/get-purchase-intent.http.test.ts'
const streams = 'src/surfaces/http/stream.http.test.ts'

/** What keeps one tenant from stopping the others. */
export const neighboursGuards: readonly Guard[] = [
  ...guardsOf('src/platform/limits/slots.ts', [slots], {
    'places-at-once': {
      keeps: 'an account has so many things at once',
      find: 'if (taken >= limit)',
      replace: 'if (taken < 0)',
    },
    'places-of-an-agent': {
      keeps: 'one agent does not take the places of another',
      find: "'isOfAgent' in limitsTable[name]",
      replace: 'false',
      only: 'places of its own',
    },
    'places-together': {
      keeps: 'a process takes in so many files at once, of all accounts',
      find: 'if (together && (this.#taken.get(together) ?? 0) >= this.#limits[together])',
      replace: 'if (false)',
      killers: [limits],
    },
  }),
  ...guardsOf('src/platform/limits/rates.sql.ts', [rates], {
    'rate-in-a-window': {
      keeps: 'no more than the limit is counted in any window',
      find: 'recent}) < $limit',
      replace: 'recent}) < 1000000',
    },
  }),
  ...guardsOf('src/platform/calls/dispatch.ts', [limits], {
    'requests-at-once': {
      keeps: 'an account has so many requests under way',
      find: "held.hold('requests', principal)",
      replace: 'undefined',
      only: 'requests under way',
    },
  }),
  ...guardsOf('src/domain/buying/intents/read/list-purchase-intent-events.ts', [limits], {
    'streams-at-once': {
      keeps: 'an account opens so many streams',
      find: "ctx.hold('streams')",
      replace: '',
      only: 'number of streams',
    },
  }),
  ...guardsOf('src/domain/buying/intents/read/await-change.ts', [waits], {
    'purchase-waits-at-once': {
      keeps: 'an account waits for so many purchases at once',
      find: "ctx.hold('intentWaits')",
      replace: '',
      only: 'each have a number of waits',
    },
    'purchase-waits-of-an-agent': {
      keeps: 'an agent waits for so many purchases at once',
      find: "ctx.hold('agentIntentWaits')",
      replace: '',
      only: 'each have a number of waits',
    },
  }),
  ...guardsOf('src/surfaces/v1/rest.ts', [waits], {
    'gone-callers': {
      keeps: 'a client that has gone leaves its place to others',
      find: 'signal: callerSignalOnUse(exchange.response, draining),',
      replace: 'signal: () => draining,',
      only: 'goes away',
    },
  }),
  ...guardsOf('src/surfaces/v1/mcp/mcp.ts', [waits], {
    'gone-callers-of-tools': {
      keeps: 'a client that has gone leaves the place of its tool call to others',
      find: 'const signal = callerSignalOnUse(exchange.response, options.draining)',
      replace: 'const signal = () => options.draining',
      only: 'goes away',
    },
  }),
  ...guardsOf('src/domain/trade/quotes/create-quote.ts', [limits], {
    'quote-waits-at-once': {
      keeps: 'an account waits for so many quotes at once',
      find: "ctx.hold('quoteWaits')",
      replace: '',
      only: 'number of waits for quotes',
    },
  }),
  ...guardsOf('src/domain/selling/catalog-imports/store-content.ts', [limits], {
    'imports-at-once': {
      keeps: 'an account sends so many large files at once',
      find: "ctx.hold('imports')",
      replace: 'undefined',
      only: 'slow sender',
    },
    'upload-that-was-swept': {
      keeps: 'no import is made of a file whose pieces were swept',
      find: 'if (position > 0 && !(await ctx.tx.maybe(endUpload(key))))',
      replace: 'if (position < 0)',
      only: 'slow sender',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/recover-destination.ts', [limits], {
    'recoveries-in-an-hour': {
      keeps: 'an account recovers its destinations so often in an hour',
      find: "await takeDestinationRate(ctx, 'recover', destination.id)",
      replace: '',
      only: 'recovers a destination',
    },
  }),
  ...guardsOf('src/domain/buyers/payment-methods/try-step-up.ts', [approve], {
    'wrong-proof-counts': {
      keeps: 'wrong passwords at approvals are counted',
      find: 'const changes = afterRefusal(row)',
      replace: 'const changes = {}',
      only: 'password|guesses',
    },
  }),
  ...guardsOf('src/domain/buyers/payment-methods/paying-method.ts', [approve], {
    'guesses-one-after-the-other': {
      keeps: 'of many guesses at once as many are tried as of guesses one after the other',
      find: 'maybe(lockUsablePaymentMethod(',
      replace: 'maybe(selectUsablePaymentMethod(',
      only: 'behind the third',
    },
  }),
  ...guardsOf('src/surfaces/http/stream.ts', [streams], {
    'listener-on-the-drain': {
      keeps: 'a stream leaves nothing behind on a signal that outlives it',
      find: "this.#draining.removeEventListener('abort', this.#onDraining)",
      replace: '',
    },
  }),
]
