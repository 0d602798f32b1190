import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Freezes, revocations, scopes, and proof of the cardholder. */
export const powersGuards: readonly Listed[] = [
  ...missedBeside({
    'approving-is-a-scope': {
      how: ["scope: 'purchase_intents:approve'", "scope: 'purchase_intents:write'"],
      only: 'agent',
    },
    'right-security-code': ['=== `cvc_${digits}_digit`', '!== undefined'],
    'step-up-by-its-method': ['?.method === stepUp', ' !== undefined'],
  }),
  ...missedBy(['src/domain/accounts/controls/controls.http.test.ts'], {
    'control-is-locked': ['mode = $mode for share`', 'mode = $mode`'],
  }),
  ...missedBy(['test/races/locks.test.ts'], {
    'revocation-waits': { how: [' for update'], only: 'revo' },
    'methods-are-locked': { how: ['order by id for update`', 'order by id`'], only: 'password' },
  }),
  ...missedBy(['src/domain/buying/intents/decide/release-money.http.test.ts'], {
    'frozen-account': { how: ['control.frozen ||'], only: 'frozen account' },
    'frozen-profile': ['control.frozen_profile_ids.includes(of.profileId) ||'],
    'deleted-card-pays-nothing': [' and deleted_at is null'],
    'card-of-the-profile': ['profile_id = $profile_id and '],
    'agents-do-not-freeze': {
      how: ["scope: 'controls:write'", "scope: 'policies:read'"],
      only: 'frozen account',
    },
  }),
  ...missedBy(['src/domain/accounts/api-keys/live-keys.test.ts'], {
    'revoked-key-is-not-live': [' and revoked_at is null'],
    'expired-key-is-not-live': ['(expires_at is null or expires_at > prokura_now())', 'true'],
  }),
  ...missedBy(['src/domain/buying/intents/decide/approve-purchase-intent.http.test.ts'], {
    'agents-do-not-approve': { how: ['toolsets', "presets: ['buyer_agent'], toolsets"], only: 'agent' },
    'reconciling-is-approving': { how: ['approve', 'write'], only: 'agent' },
  }),
  ...missedBy(['src/domain/policies/policies.http.test.ts'], {
    'agents-change-no-policy': ["scope: 'policies:write'", "scope: 'policies:read'"],
  }),
  ...missedBy(['src/domain/buyers/payment-methods/payment-methods.http.test.ts'], {
    'deleted-cards-are-shredded': { how: 'gone', only: 'its card shredded' },
    'agents-add-no-card': {
      how: ["scope: 'payment_methods:write'", "scope: 'payment_methods:read'"],
      only: 'agent',
    },
    'refused-passwords-are-kept': {
      how: ["new Problem('verification_failed')", "(() => { throw new Problem('verification_failed') })()"],
      only: 'password',
    },
    'passwords-are-counted': { how: 'never', only: 'refused passwords' },
    'steps-of-an-enrolment': { how: [' || expected !== attempt.method'], only: 'in that order' },
    'no-test-card-in-live-mode': {
      how: ["ctx.tenant.mode === 'live'", 'ctx.tenant.mode === null'],
      only: 'live mode',
    },
  }),
  ...missedBy(['src/domain/buyers/payment-methods/check-verification.test.ts'], {
    'only-test-cards-are-proven': 'gone',
    'step-up-is-proven': 'always',
  }),
]
