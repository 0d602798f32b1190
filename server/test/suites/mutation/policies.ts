import { type Guard, guardsOf } from './guard.ts'

const tables = 'test/tables.test.ts'
const decidePurchase = 'src/domain/policies/decide-purchase.test.ts'
const reservations = 'src/domain/policies/reservations.test.ts'
const holdAsDecided = 'src/domain/policies/reserve-as-decided.test.ts'
const reservationsRaces = 'src/domain/policies/reservations.races.test.ts'

/** What policies allow, and what is reserved under them. */
export const policiesGuards: readonly Guard[] = [
  ...guardsOf('migrations/0091_baseline.sql', [tables], {
    'one-open-reservation': {
      keeps: 'a purchase holds one reservation under a policy',
      find: 'create unique index policy_reservations_open',
      replace: 'create index policy_reservations_open',
    },
    'settled-within-reserved': {
      keeps: 'no purchase settles above its reservation',
      find: 'check (actual_amount <= amount)',
      replace: '',
    },
  }),
  ...guardsOf('src/domain/policies/decide-purchase.ts', [decidePurchase], {
    'policy-denies': {
      keeps: 'a purchase that a policy denies is denied',
      find: "if (rules.some(({ result }) => result === 'deny')) isDenied = true",
      replace: '',
    },
    'policy-asks': {
      keeps: 'a purchase that a policy wants approved is not bought unattended',
      find: 'asks = true',
      replace: 'asks = false',
    },
    'silence-is-no-approval': {
      keeps: 'without a policy that allows it nothing is bought unattended',
      find: '!isAllowedUnattended || ',
      replace: '',
    },
    'step-up-is-never-unattended': {
      keeps: 'a card that needs its holder is not charged without them',
      find: ' || input.stepUp',
      replace: '',
    },
    'archived-policy-is-out': {
      keeps: 'an archived policy allows nothing',
      find: 'if (policy.archived_at !== null) return false',
      replace: '',
    },
    'cap-lowered-to-room': {
      keeps: 'a cap is at most what the windows have left',
      find: ', ...rooms.filter((room) => room !== null)',
      replace: '',
    },
    'cap-lowered-to-ceilings': {
      keeps: 'a cap is at most the strictest limit of one purchase',
      find: 'cap = min(cap, ...ceilings',
      replace: 'cap = min(cap',
    },
    'policy-period': {
      keeps: 'a policy allows nothing after its end',
      find: 'now < policy.valid_until',
      replace: 'true',
    },
  }),
  ...guardsOf('src/domain/policies/judge-rules.ts', [decidePurchase], {
    'policy-currency': {
      keeps: 'a limit in one currency lets nothing through in another',
      find: 'const isOther = policy.currency !== purchase.currency',
      replace: 'const isOther = false',
    },
    'window-amount': {
      keeps: 'spent money and held money count against a limit',
      find: 'reserved + spent + purchase.expected',
      replace: 'purchase.expected',
    },
    'window-count': {
      keeps: 'purchases are counted against a limit of their number',
      find: 'count + (policy.counts ?? 1)',
      replace: '0',
    },
    'per-transaction-maximum': {
      keeps: 'one purchase stays below the limit of one purchase',
      find: "atMost('limits.per_transaction_max', limits.per_transaction_max, inAll)",
      replace: "atMost('limits.per_transaction_max', limits.per_transaction_max, 0n)",
    },
    'intents-per-day': {
      keeps: 'an agent creates no more intents a day than it may',
      find: 'windows.created.count + 1',
      replace: '0',
    },
    'block-list': {
      keeps: 'nothing is bought from whom a policy blocks',
      find: 'denyIf(isUnseen || blocked !== undefined)',
      replace: 'denyIf(isUnseen)',
    },
    'allow-list': {
      keeps: 'nothing is bought from whom an allow list leaves out',
      find: 'denyIf(isUnknown || missing !== undefined)',
      replace: 'denyIf(isUnknown)',
    },
    'unknown-is-not-on-a-list': {
      keeps: 'a merchant without a known category or country passes no allow list',
      find: 'denyIf(isUnknown || missing !== undefined)',
      replace: 'denyIf(missing !== undefined)',
    },
    threshold: {
      keeps: 'above its threshold a policy asks',
      find: 'observed > BigInt(limit)',
      replace: 'false',
    },
  }),
  ...guardsOf('src/domain/policies/reservations.ts', [reservations], {
    'intents-are-counted': {
      keeps: 'every intent that is not denied counts for its day',
      find: 'for (const { id } of verdict.judged.filter(countsIntents)) change(windows, id, withCreated)',
      replace: '',
    },
    'decided-again-under-lock': {
      keeps: 'a purchase that was allowed before the lock is decided again behind it',
      find: 'if (first && !needsLock(first)) return first',
      replace: 'if (first) return first',
      killers: [reservationsRaces, reservations],
    },
    'denied-reserves-nothing': {
      keeps: 'an approval that policies deny is refused',
      find: "  if (verdict.result === 'deny') {",
      replace: '  if (verdict.cap < 0n) {',
    },
    'approval-reserves': {
      keeps: 'an approved purchase is held under every policy',
      find: '  holdAll(ctx, { request, locked, verdict, windows: windowsOf(ctx, locked) })',
      replace: '',
    },
    'unattended-reserves': {
      keeps: 'an unattended purchase is held under every policy',
      find: "if (verdict.result === 'allow') holdAll(ctx, { request, locked, verdict, windows })\n  else writeCounters(ctx, windows)",
      replace: 'writeCounters(ctx, windows)',
    },
    'settlement-counts-as-spent': {
      keeps: 'paid money stays counted in its window',
      find: 'spent === null ? withGivenBack(stored, past) : withSettled(stored, past, spent)',
      replace: 'withGivenBack(stored, past)',
    },
  }),
  ...guardsOf('src/domain/policies/policies.sql.ts', [reservationsRaces], {
    'counters-are-locked': {
      keeps: 'two purchases at once never both take the last room of a limit',
      after: "'lock_applicable_policies'",
      find: '\n   for no key update of p, c`',
      replace: '`',
    },
    'terms-are-locked': {
      keeps: 'a purchase that waited for a new policy is judged by it',
      after: "'lock_applicable_policies'",
      find: 'for no key update of p, c`',
      replace: 'for no key update of c`',
    },
  }),
  ...guardsOf('src/domain/policies/reserve-as-decided.sql.ts', [holdAsDecided], {
    'held-under-the-version-decided-by': {
      keeps: 'a purchase that was decided by an old version of a policy is decided again',
      find: 'locked.version = decided.version',
      replace: 'true',
    },
    'held-within-limits': {
      keeps: 'a purchase that was allowed when there was room is not held when there is none',
      find: ' and room.is_enough then',
      replace: ' then',
    },
    'held-under-every-policy': {
      keeps: 'a purchase is not held past a policy that applies by now',
      find: 'full join locked',
      replace: 'join locked',
    },
  }),
  ...guardsOf('src/domain/accounts/controls/controls.sql.ts', [holdAsDecided], {
    'held-unless-frozen': {
      keeps: 'a purchase that was allowed before a freeze is not held after it',
      find: 'from control where is_frozen',
      replace: 'from control where false',
    },
  }),
  ...guardsOf('src/domain/accounts/api-keys/api-keys.sql.ts', [holdAsDecided], {
    'held-for-a-live-key': {
      keeps: 'a purchase is not held when the key that asked for it is gone',
      after: "'require_live_key'",
      find: 'and not exists (',
      replace: 'and false and not exists (',
    },
  }),
  ...guardsOf('src/domain/policies/reservations.sql.ts', [reservationsRaces], {
    'settling-locks': {
      keeps: 'two ends of reservations at once both reach the counter',
      find: '\n   for no key update of r, c`',
      replace: '`',
    },
  }),
]
