import { type Guard, guardsOf } from './guard.ts'

const retryDecisions = 'src/domain/buying/intents/retry/retry-decisions.http.test.ts'
const retryWaiting = 'src/domain/buying/intents/retry/retry-waiting.http.test.ts'
const retryRaces = 'test/races/retries.test.ts'
const awaitedAddress = 'test/flows/awaited-address.test.ts'
const requests = 'src/domain/buying/execution/requests.test.ts'

/** A retry is decided by today's rules, and nothing is shipped without an address. */
export const retriesGuards: readonly Guard[] = [
  ...guardsOf('src/domain/buying/intents/retry/retry-purchase-intent.ts', [retryDecisions], {
    'retry-is-decided-anew': {
      keeps: 'a purchase that policies allowed once is not bought unattended when they do not allow it now',
      find: 'isStanding\n          ? retryApproved(',
      replace: 'isStanding || true\n          ? retryApproved(',
      only: 'threshold was lowered',
    },
    'account-tolerance-of-today': {
      keeps: 'a retry is decided with the tolerance of today, as a new purchase is',
      find: '      tolerancePercent,\n      countsAgain: true,',
      replace: '      countsAgain: true,',
      only: "account's tolerance",
    },
    'denied-retry': {
      keeps: 'a purchase that policies deny today is not tried again',
      find: "if (verdict.result === 'deny') throw",
      replace: "if (verdict.result === 'allow' && verdict.cap < 0n) throw",
      only: 'merchant is blocked',
    },
    'retry-asks-for-the-step-up': {
      keeps: 'a card that needs its holder is not charged unattended by a retry',
      find: "stepUp: paying.then((found) => attentionTo(found).kind !== 'none'),",
      replace: 'stepUp: paying.then(() => false),',
      only: 'security code',
    },
    'retry-counts-again': {
      keeps: 'each decision about a purchase is one more of the window',
      find: 'countsAgain: true,',
      replace: 'countsAgain: false,',
      killers: [retryWaiting],
      only: 'counts in the window',
    },
    'retry-for-who-asks': {
      keeps: 'a key has another key’s purchase tried again only where it may itself',
      after: 'admitAgain(ctx, {',
      find: 'retryRequestOf(retried, actingAgent(ctx))',
      replace: 'retryRequestOf(retried, null)',
      killers: [retryWaiting],
      only: 'two keys',
    },
  }),
  ...guardsOf('src/domain/buying/intents/retry/decide-retry.ts', [retryDecisions], {
    'approval-of-a-person-ends': {
      keeps: 'an approved purchase is not tried again for ever without asking',
      find: 'until !== null && now < until',
      replace: 'until !== null',
      only: 'eight days ago.*always asked',
    },
  }),
  ...guardsOf('src/domain/buying/intents/retry/retry-carts.ts', [retryWaiting], {
    'carts-that-were-asked-for': {
      keeps: 'an approval tries again only the carts that were asked for',
      find: 'loaded.carts.filter(({ id }) => asked.includes(id))',
      replace: 'loaded.carts.filter(canRetryCart)',
      only: 'exactly the carts',
    },
    'fees-of-today': {
      keeps: 'a retry pays no more for shipping than policies allow today',
      find: 'feeRoom(retried, verdict.feeAllowance)',
      replace: 'feeRoom(retried, retried.loaded.intent.fee_allowance)',
      only: 'pays no more for shipping',
    },
    'tolerance-of-today': {
      keeps: 'a retry pays no new price that policies do not allow today',
      find: 'const tolerance = isAnew',
      replace: 'const tolerance = isAnew && intent.tolerance_basis_points < 0',
      only: 'pays no more for shipping',
    },
  }),
  ...guardsOf('src/domain/buying/intents/decide/expire-approval.ts', [retryWaiting], {
    'refused-retry-fails-again': {
      keeps: 'a purchase of which something was bought is not called declined',
      find: 'if (loaded.intent.retry) return',
      replace: 'if (loaded.intent.retry?.cart_ids.length === 0) return',
      only: 'leaves the purchase failed',
    },
  }),
  ...guardsOf('src/domain/buying/intents/decide/approve-purchase-intent.ts', [retryWaiting], {
    'approved-for-who-asked': {
      keeps: 'an approval does nothing for a key that the key may not do',
      find: 'intent.retry_agent_id',
      replace: 'null',
      only: 'two keys',
    },
    'approved-with-an-address': {
      keeps: 'a purchase without an address to ship to is not approved',
      find: "if (loaded.intent.ship_to === 'awaited')",
      replace: 'if (loaded.intent.ship_to === null)',
      killers: [awaitedAddress],
      only: 'without an address to ship to waits',
    },
  }),
  ...guardsOf('src/domain/policies/decide-purchase.ts', [retryDecisions], {
    'approval-rules-of-a-retry': {
      keeps: 'a retry is asked about like a new purchase',
      find: "occasion !== 'approve' && (asks",
      replace: "occasion === 'create' && (asks",
      only: 'always asked',
    },
    'threshold-caps-a-retry': {
      keeps: 'no retry without an approval is charged above a threshold',
      find: "occasion !== 'approve' && result",
      replace: "occasion === 'create' && result",
      killers: [retryWaiting],
      only: 'above a threshold',
    },
  }),
  ...guardsOf('src/domain/policies/judge-rules.ts', [retryWaiting], {
    'threshold-of-the-whole': {
      keeps: 'earlier charges of a purchase count against a threshold',
      find: 'const observed = purchase.expected + (purchase.charged ?? 0n)',
      replace: 'const observed = purchase.expected',
      only: 'above a threshold',
    },
  }),
  ...guardsOf('src/domain/policies/reservations.ts', [retryWaiting], {
    'stricter-of-two-keys': {
      keeps: 'a key that may buy nothing unattended tries nothing again unattended',
      find: 'hasActor ? [ofCreator, ofActor] : [ofCreator]',
      replace: '[ofCreator]',
      only: 'may buy nothing unattended',
    },
    'policies-of-who-asked': {
      keeps: 'an approval does not give more than the key that asked may do',
      find: ' || policy.attached_to_actor)',
      replace: ')',
      only: 'two keys',
    },
  }),
  ...guardsOf('src/domain/buying/intents/create/decide-create.ts', [awaitedAddress], {
    'nothing-to-nobody': {
      keeps: 'nothing that is shipped is bought without an address',
      find: "if (facts.shipTo === 'awaited')",
      replace: 'if (facts.shipTo === undefined)',
      only: 'without an address to ship to waits',
    },
  }),
  ...guardsOf('src/domain/buying/intents/decide/decide-address.ts', [awaitedAddress], {
    'revoked-key-buys-nothing-later': {
      keeps: 'a purchase that a revoked key asked for is not bought unattended later',
      find: ' || !agentIsLive',
      replace: '',
      only: 'a revoked key asked for',
    },
  }),
  ...guardsOf('src/domain/buying/execution/begin-intent.ts', [awaitedAddress], {
    'frozen-until-an-address-comes': {
      keeps: 'an address queues nothing that is frozen',
      find: 'if (control && isFrozen(control',
      replace: 'if (control === undefined && isFrozen(control',
      only: 'freeze lasts',
    },
  }),
  ...guardsOf('src/domain/buying/execution/requests.ts', [requests], {
    'paid-with-somewhere-to-go': {
      keeps: 'no money is held for a purchase without an address to ship to',
      find: "if (ship_to === 'awaited' || (ship_to === 'frozen' && !fulfillment.address))",
      replace: "if (ship_to === 'awaited' && ship_to === null)",
    },
  }),
  ...guardsOf('src/domain/buying/intents/decide/release-money.ts', [retryRaces], {
    'retry-behind-a-freeze': {
      keeps: 'a retry that waited for a freeze is refused by it',
      find: 'lockPurchase(ctx, intentId),',
      replace: 'lockPurchase(ctx, intentId).then(({ loaded }) => ({ control: null, loaded })),',
      only: 'freeze',
    },
  }),
]
