import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Who may release money, when, and only once. */
export const approvalGuards: readonly Listed[] = [
  ...missedBeside({
    'declined-once': ["loaded.intent.status !== 'awaiting_approval' || "],
    'cap-that-was-seen': { how: ['BigInt(body.max_allowed_amount) !== cap', 'cap < 0n'], only: 'stale' },
    'approval-is-held': { how: 'never', only: 'full window' },
    'card-is-verified': { how: 'never', only: 'needs its code' },
    'frozen-where-it-was-created': ['intent.agent_id', "''"],
    'frozen-where-it-is-released': ['agent ', "'' "],
  }),
  ...missedBy(['test/flows/fixed-buyer.test.ts'], {
    'same-buyer-at-a-new-price': ['reapproval !== null && buyer !== null ? buyer : '],
  }),
  ...missedBy(['src/domain/buying/intents/decisions.test.ts'], {
    'approved-once': ["status !== 'awaiting_approval' || intent."],
    'payment-is-confirmed-elsewhere': 'never',
    'live-needs-a-rail': 'never',
    'retried-when-failed': ["if (status !== 'failed')", "if (status === 'queued')"],
    'retry-knows-the-outcome': ['outcome_known && cart.'],
    'retry-after-cleanup': [" && cart.stage !== 'cleanup'"],
    'attempts-end': ['isOver && cart.attempt_number < cart.max_attempts', 'isOver'],
    'cancelled-before-no-return': ['isOpen && !cart.past_no_return', 'isOpen'],
    'cancelled-once': 'never',
    'bought-is-not-cancelled': ['if (mayBeBought || ', 'if ('],
  }),
  ...missedBy(
    [
      'src/domain/buying/intents/decisions.test.ts',
      'src/domain/buying/intents/decide/release-money.http.test.ts',
    ],
    {
      'approval-in-time': [' || intent.is_approval_over'],
    },
  ),
  ...missedBy(['src/domain/buying/intents/decide/release-money.http.test.ts'], {
    'declined-in-time': [' || loaded.intent.is_approval_over'],
    'approval-for-an-active-profile': ["if (profile?.status !== 'active')", 'if (!profile)'],
    'no-test-code-in-live-mode': 'never',
    'live-retries-need-a-rail': { how: 'never', only: 'live mode' },
    'retry-for-an-active-profile': ["if (profile?.status !== 'active')", 'if (!profile)'],
    'answered-order-is-not-cancelled': { how: 'never', only: 'merchant has confirmed' },
    'reconciled-within-the-cap': {
      how: ['min(cost, cart.max_allowed_amount)', 'cost'],
      only: 'calls placed',
    },
  }),
  ...missedBy(['src/domain/buying/intents/create/price-room.http.test.ts'], {
    'new-price-as-a-whole': ['if (terms.reapproval && cap < terms.cap)', 'if (cap < 0n)'],
  }),
  ...missedBy(['test/races/locks.test.ts'], {
    'intent-is-locked': { how: ['and id = $intent_id for update`', 'and id = $intent_id`'], only: 'intent' },
    'carts-are-locked': { how: ['order by position for update`', 'order by position`'], only: 'cart' },
    'looked-at-after-the-wait': { how: 'always', only: 'waited' },
    'revoked-key-approves-nothing': { how: 'never', only: 'revo' },
    'revoked-key-buys-nothing': { how: 'never', only: 'revo' },
    'frozen-buys-nothing-unattended': { how: 'never', only: 'freeze' },
  }),
  ...missedBy(['src/domain/buying/intents/read/purchase-results.http.test.ts'], {
    'retry-with-the-approved-card': { how: 'never', only: 'may not approve retries' },
    'retry-is-held': { how: 'never', only: 'retry' },
    'reconciled-when-unknown': {
      how: ['if (!isUnknown(cart))', "if (cart.status === 'created')"],
      only: 'unknown outcome|turns out placed',
    },
    'states-are-law': { how: 'never', only: 'state tables' },
  }),
]
