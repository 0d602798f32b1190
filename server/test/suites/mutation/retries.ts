import { type Listed, missedBeside, missedBy } from './guard.ts'

/** A retry is decided by today's rules, and nothing is shipped without an address. */
export const retriesGuards: readonly Listed[] = [
  ...missedBeside({
    'paid-with-somewhere-to-go': 'never',
  }),
  ...missedBy(['src/domain/buying/intents/retry/retry-decisions.http.test.ts'], {
    'retry-is-decided-anew': { how: ['isStanding', 'isStanding || true'], only: 'threshold was lowered' },
    'account-tolerance-of-today': { how: 'gone', only: "account's tolerance" },
    'denied-retry': { how: 'never', only: 'merchant is blocked' },
    'retry-asks-for-the-step-up': {
      how: ["found) => attentionTo(found).kind !== 'none'", ') => false'],
      only: 'security code',
    },
    'approval-of-a-person-ends': {
      how: ['until !== null && now < until', 'until !== null'],
      only: 'eight days ago.*always asked',
    },
    'approval-rules-of-a-retry': {
      how: ["occasion !== 'approve' && (asks", "occasion === 'create' && (asks"],
      only: 'always asked',
    },
  }),
  ...missedBy(['src/domain/buying/intents/retry/retry-waiting.http.test.ts'], {
    'retry-counts-again': { how: 'never', only: 'counts in the window' },
    'retry-for-who-asks': { how: ['agentOf(ctx.actor)', 'null'], only: 'two keys' },
    'carts-that-were-asked-for': {
      how: ['({ id }) => asked.includes(id)', 'canRetryCart'],
      only: 'exactly the carts',
    },
    'fees-of-today': {
      how: ['verdict.feeAllowance', 'retried.loaded.intent.fee_allowance'],
      only: 'pays no more for shipping',
    },
    'tolerance-of-today': { how: 'never', only: 'pays no more for shipping' },
    'refused-retry-fails-again': { how: 'never', only: 'leaves the purchase failed' },
    'approved-for-who-asked': { how: ['intent.retry_agent_id', 'null'], only: 'two keys' },
    'threshold-caps-a-retry': {
      how: ["occasion !== 'approve' && result", "occasion === 'create' && result"],
      only: 'above a threshold',
    },
    'threshold-of-the-whole': { how: [' + (purchase.charged ?? 0n)'], only: 'above a threshold' },
    'stricter-of-two-keys': {
      how: ['hasActor ? [ofCreator, ofActor] : [ofCreator]', '[ofCreator]'],
      only: 'may buy nothing unattended',
    },
    'policies-of-who-asked': { how: [' || policy.attached_to_actor)', ')'], only: 'two keys' },
  }),
  ...missedBy(['test/flows/awaited-address.test.ts'], {
    'approved-with-an-address': { how: ["'awaited'", 'null'], only: 'without an address to ship to waits' },
    'nothing-to-nobody': { how: 'never', only: 'without an address to ship to waits' },
    'revoked-key-buys-nothing-later': { how: [' || !agentIsLive'], only: 'a revoked key asked for' },
    'frozen-until-an-address-comes': { how: 'never', only: 'freeze lasts' },
  }),
  ...missedBy(['test/races/retries.test.ts'], {
    'retry-behind-a-freeze': {
      how: [')', ').then(({ loaded }) => ({ control: null, loaded }))'],
      only: 'freeze',
    },
  }),
]
