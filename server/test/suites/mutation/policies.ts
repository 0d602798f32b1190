import { type Listed, missedBeside, missedBy } from './guard.ts'

/** What policies allow, and what is reserved under them. */
export const policiesGuards: readonly Listed[] = [
  ...missedBeside({
    'policy-denies': 'gone',
    'policy-asks': ['asks = true', 'asks = false'],
    'silence-is-no-approval': ['!isAllowedUnattended || '],
    'step-up-is-never-unattended': [' || input.stepUp'],
    'archived-policy-is-out': 'gone',
    'cap-lowered-to-room': [', ...rooms.filter((room) => room !== null)'],
    'cap-lowered-to-ceilings': ['cap = min(cap, ...ceilings', 'cap = min(cap'],
    'policy-period': ['now < policy.valid_until', 'true'],
    'intents-are-counted': ['verdict.judged.filter(countsIntents)', '[]'],
    'denied-reserves-nothing': 'never',
    'approval-reserves': 'gone',
    'unattended-reserves': [
      "if (verdict.result === 'allow') holdAll(ctx, { request, locked, verdict, counted, gate })\n  else ",
    ],
  }),
  ...missedBy(['src/domain/policies/decide-purchase.test.ts'], {
    'policy-currency': 'never',
    'window-amount': ['reserved + spent + purchase.expected', 'purchase.expected'],
    'window-count': ['count + (policy.counts ?? 1)', '0'],
    'per-transaction-maximum': ['inAll', '0n'],
    'intents-per-day': ['windows.created.count + 1', '0'],
    'block-list': ['denyIf(isUnseen || blocked !== undefined)', 'denyIf(isUnseen)'],
    'allow-list': ['denyIf(isUnknown || missing !== undefined)', 'denyIf(isUnknown)'],
    'unknown-is-not-on-a-list': ['isUnknown || '],
    threshold: ['observed > BigInt(limit)', 'false'],
  }),
  ...missedBy(
    ['src/domain/policies/reservations.races.test.ts', 'src/domain/policies/reservations.test.ts'],
    {
      'decided-again-under-lock': [' && !needsLock(first)'],
    },
  ),
  ...missedBy(['src/domain/policies/policies-by-card.http.test.ts'], {
    'policies-of-the-card': {
      how: ['coalesce(${method} = any(p.scope_payment_method_ids), false)', 'true'],
      only: 'a purchase is decided',
    },
    'all-only-when-nothing-is-named': {
      how: ['keyIds, methodIds]', 'keyIds]'],
      only: 'holds for nothing else',
    },
    'cards-of-others-in-a-policy': { how: ['$profile_id::text is null', 'true'], only: 'sees policies' },
    'budget-as-it-was-approved': { how: ['approved_by: null, '], only: 'that a key changes' },
    'kept-cards-of-a-policy': { how: [' and deleted_at is null'], only: 'names no card' },
    'held-by-the-card-that-pays': {
      how: ['await how.paidBy', 'intent.payment_method_id'],
      only: 'also where',
    },
    'approved-retry-by-its-card': {
      how: ['await paidBy', 'retried.loaded.intent.payment_method_id'],
      only: 'what a person approved',
    },
    'anew-by-its-card': {
      how: ['await paidBy', 'retried.loaded.intent.payment_method_id'],
      only: 'decided by the policies of that card',
    },
  }),
  ...missedBy(['src/domain/policies/reservations.races.test.ts'], {
    'policies-are-locked': ['\n       for no key update of p'],
    'settled-by-what-was-reserved': ['w.reserved - held.reserved', '0'],
    'settlement-counts-as-spent': ['coalesce(r.actual_amount, 0) as spent', '0 as spent'],
  }),
  ...missedBy(['src/domain/policies/reserve-as-decided.test.ts'], {
    'held-under-the-version-decided-by': [
      'locked.version is distinct from decided.version',
      'locked.version is null or decided.version is null',
    ],
    'held-within-limits': [
      'then refuse_stale_decision() else true end as has_room',
      'then true else true end as has_room',
    ],
    'held-under-every-policy': ['full join locked', 'join locked'],
    'held-unless-frozen': ['from control where is_frozen', 'from control where false'],
    'held-for-a-live-key': ['and not exists (', 'and false and not exists ('],
  }),
]
