import { type Guard, guardsOf } from './guard.ts'

const decisions = 'src/domain/buying/intents/decisions.test.ts'
const releaseMoney = 'src/domain/buying/intents/decide/release-money.http.test.ts'
const approvePurchaseIntent = 'src/domain/buying/intents/decide/approve-purchase-intent.http.test.ts'
const priceQuestion = 'src/domain/buying/intents/create/price-room.http.test.ts'
const locks = 'test/races/locks.test.ts'
const purchaseResults = 'src/domain/buying/intents/read/purchase-results.http.test.ts'
const nativePurchase = 'test/flows/native-purchase.test.ts'

/** Who may release money, when, and only once. */
export const approvalGuards: readonly Guard[] = [
  ...guardsOf('src/domain/buying/intents/decide/decide-approve.ts', [decisions], {
    'approved-once': {
      keeps: 'only a purchase that awaits an approval is approved',
      find: "intent.status !== 'awaiting_approval' || intent.is_approval_over",
      replace: 'intent.is_approval_over',
    },
    'approval-in-time': {
      keeps: 'an approval that comes too late is none',
      find: ' || intent.is_approval_over',
      replace: '',
      killers: [decisions, releaseMoney],
    },
    'live-needs-a-rail': {
      keeps: 'live mode approves nothing where nothing can be paid',
      find: "facts.tenant.mode === 'live' && !facts.livePayments",
      replace: 'false',
    },
  }),
  ...guardsOf('src/domain/buying/intents/decide/approve-purchase-intent.ts', [approvePurchaseIntent], {
    'declined-once': {
      keeps: 'only a purchase that awaits an approval is declined',
      find: "loaded.intent.status !== 'awaiting_approval' || ",
      replace: '',
    },
    'declined-in-time': {
      keeps: 'a purchase that nobody answers in time ends as expired, not as declined by a person',
      find: ' || loaded.intent.is_approval_over',
      replace: '',
      killers: [releaseMoney],
    },
    'cap-that-was-seen': {
      keeps: 'a person approves the cap that they saw and no other',
      find: 'BigInt(body.max_allowed_amount) !== cap',
      replace: 'cap < 0n',
      only: 'stale',
    },
    'approval-is-held': {
      keeps: 'an approval beyond a limit is refused',
      find: 'if (!held.ok) throw',
      replace: 'if (!held) throw',
      only: 'full window',
    },
    'approval-for-an-active-profile': {
      keeps: 'nothing is released for an archived profile',
      find: "if (profile?.status !== 'active')",
      replace: 'if (!profile)',
      killers: [releaseMoney],
    },
    'card-is-verified': {
      keeps: 'a card that needs its holder is not released without them',
      find: '  if (!checked.ok)',
      replace: '  if (!checked)',
      only: 'needs its code',
    },
    'new-price-as-a-whole': {
      keeps: 'a price that was proposed is not approved at less than it costs',
      find: 'if (terms.reapproval && cap < terms.cap)',
      replace: 'if (cap < 0n)',
      killers: [priceQuestion],
    },
    'no-test-code-in-live-mode': {
      keeps: 'live mode takes no identifier of a test security code',
      find: "ctx.tenant.mode === 'live' && isTestIdentifier(token)",
      replace: 'false',
      killers: [releaseMoney],
    },
  }),
  ...guardsOf('src/domain/buying/intents/intents.sql.ts', [locks], {
    'intent-is-locked': {
      keeps: 'of two decisions about an intent the second sees the first',
      find: 'and id = $intent_id for update`',
      replace: 'and id = $intent_id`',
      only: 'intent',
    },
  }),
  ...guardsOf('src/domain/buying/intents/carts.sql.ts', [locks], {
    'carts-are-locked': {
      keeps: 'a call that changes a cart sees the lease that a worker has just taken',
      find: 'order by position for update`',
      replace: 'order by position`',
      only: 'cart',
    },
  }),
  ...guardsOf('src/domain/buying/intents/lock-purchase.ts', [locks], {
    'looked-at-after-the-wait': {
      keeps: 'whoever waited for a lock decides by what was there when it was given',
      find: 'return seen?.version === locked?.version',
      replace: 'return seen === locked || true',
      only: 'waited',
    },
  }),
  ...guardsOf('src/domain/buying/intents/decide/release-money.ts', [releaseMoney], {
    'frozen-where-it-was-created': {
      keeps: 'another key does not release a purchase that a frozen key asked for',
      find: 'agentId: intent.agent_id }))\n    throw',
      replace: "agentId: '' }))\n    throw",
    },
    'frozen-where-it-is-released': {
      keeps: 'a frozen key releases nothing',
      find: 'agentId: agent }))\n    throw',
      replace: "agentId: '' }))\n    throw",
    },
    'revoked-key-approves-nothing': {
      keeps: 'a key that was revoked after it was looked up releases nothing',
      find: 'if (!isLive) throw',
      replace: 'if (isLive === undefined) throw',
      killers: [locks],
      only: 'revo',
    },
  }),
  ...guardsOf('src/domain/buying/intents/create/create-purchase-intent.ts', [locks], {
    'revoked-key-buys-nothing': {
      keeps: 'a key that was revoked after it was looked up buys nothing unattended',
      find: 'if (!isLive) throw',
      replace: 'if (isLive === undefined) throw',
      only: 'revo',
    },
    'frozen-buys-nothing-unattended': {
      keeps: 'a purchase that a policy allows is refused while frozen',
      find: 'if (control && isFrozen(control',
      replace: 'if (control === undefined && isFrozen(control',
      only: 'freeze',
    },
  }),
  ...guardsOf('src/domain/buying/intents/retry/retry-purchase-intent.ts', [purchaseResults], {
    'retry-with-the-approved-card': {
      keeps: 'a key that may not approve charges no other card than the approved one',
      find: "if (!ctx.scopes.has('purchase_intents:approve'))",
      replace: 'if (false)',
      only: 'may not approve retries',
    },
    'retry-is-held': {
      keeps: 'a retry beyond a limit is refused',
      find: 'if (!held.ok) throw',
      replace: 'if (!held) throw',
      only: 'retry',
    },
    'live-retries-need-a-rail': {
      keeps: 'live mode tries nothing again where nothing can be paid',
      find: "ctx.tenant.mode === 'live' && !ctx.settings.livePayments",
      replace: 'false',
      killers: [releaseMoney],
      only: 'live mode',
    },
    'retry-for-an-active-profile': {
      keeps: 'nothing is tried again for an archived profile',
      find: "if (profile?.status !== 'active')",
      replace: 'if (!profile)',
      killers: [releaseMoney],
    },
  }),
  ...guardsOf('src/domain/buying/intents/retry/decide-retry.ts', [decisions], {
    'retried-when-failed': {
      keeps: 'only failed carts are tried again',
      find: "if (status !== 'failed')",
      replace: "if (status === 'queued')",
    },
  }),
  ...guardsOf('src/domain/buying/intents/cart.ts', [decisions], {
    'retry-knows-the-outcome': {
      keeps: 'nothing is tried again that may have been bought',
      find: "cart.status === 'failed' && cart.outcome_known",
      replace: "cart.status === 'failed'",
    },
    'retry-after-cleanup': {
      keeps: 'nothing is tried again while its money is not back',
      find: ' && cart.stage !== cleanupStage',
      replace: '',
    },
    'attempts-end': {
      keeps: 'a cart is tried three times and not once more',
      find: 'isOver && cart.attempt_number < cart.max_attempts',
      replace: 'isOver',
    },
    'cancelled-before-no-return': {
      keeps: 'nothing is cancelled that is being paid for',
      find: 'isOpen && !cart.past_no_return',
      replace: 'isOpen',
    },
  }),
  ...guardsOf('src/domain/buying/intents/decide/decide-cancel.ts', [decisions], {
    'cancelled-once': {
      keeps: 'a purchase that is over is not cancelled',
      find: 'if (isTerminalIntent(status))',
      replace: 'if (status === null)',
    },
    'bought-is-not-cancelled': {
      keeps: 'a purchase of which something was bought is not cancelled as a whole',
      find: 'if (mayBeBought || ',
      replace: 'if (',
    },
  }),
  ...guardsOf('src/domain/buying/intents/decide/cancel-purchase-intent.ts', [nativePurchase], {
    'answered-order-is-not-cancelled': {
      keeps: 'a cart whose merchant has answered is not cancelled',
      find: 'if (unstoppable.length > 0)',
      replace: 'if (unstoppable.length > 99)',
      killers: [releaseMoney],
      only: 'merchant has confirmed',
    },
  }),
  ...guardsOf('src/domain/buying/intents/retry/reconcile-purchase-intent.ts', [purchaseResults], {
    'reconciled-when-unknown': {
      keeps: 'a person decides only about carts whose outcome is unknown',
      find: 'if (!isUnknown(cart))',
      replace: "if (cart.status === 'created')",
      only: 'unknown outcome|turns out placed',
    },
    'reconciled-within-the-cap': {
      keeps: 'a cart that a person calls placed counts no more than the cap',
      find: 'min(cost, cart.max_allowed_amount)',
      replace: 'cost',
      killers: [releaseMoney],
      only: 'calls placed',
    },
  }),
  ...guardsOf('src/domain/buying/intents/change-intent.ts', [purchaseResults], {
    'states-are-law': {
      keeps: 'no intent and no cart moves in a way that is not published',
      find: 'if (from !== to && !moves.includes(to)) throw',
      replace: 'if (from === to && !moves) throw',
      only: 'state tables',
    },
  }),
]
