import { type Guard, guardsOf } from './guard.ts'

const controls = 'src/domain/accounts/controls/controls.http.test.ts'
const liveKeys = 'src/domain/accounts/api-keys/live-keys.test.ts'
const approvePurchaseIntent = 'src/domain/buying/intents/decide/approve-purchase-intent.http.test.ts'
const releaseMoney = 'src/domain/buying/intents/decide/release-money.http.test.ts'
const locks = 'test/races/locks.test.ts'
const policies = 'src/domain/policies/policies.http.test.ts'
const paymentMethods = 'src/domain/buyers/payment-methods/payment-methods.http.test.ts'
const checkVerification = 'src/domain/buyers/payment-methods/check-verification.test.ts'

/** Freezes, revocations, scopes, and proof of the cardholder. */
export const powersGuards: readonly Guard[] = [
  ...guardsOf('src/domain/accounts/controls/controls.sql.ts', [controls], {
    'control-is-locked': {
      keeps: 'a freeze waits for releases of money that have begun, and later ones see it',
      find: 'mode = $mode for share`',
      replace: 'mode = $mode`',
    },
    'revocation-waits': {
      keeps: 'once a key is revoked nothing that it released commits any more',
      find: 'select seq from controls where account_id = $account_id and mode = $mode for update`',
      replace: 'select seq from controls where account_id = $account_id and mode = $mode`',
      killers: [locks],
      only: 'revo',
    },
  }),
  ...guardsOf('src/domain/accounts/controls/freezes.ts', [releaseMoney], {
    'frozen-account': {
      keeps: 'in a frozen account nothing is released',
      find: 'control.frozen ||',
      replace: '',
      only: 'frozen account',
    },
    'frozen-profile': {
      keeps: 'for a frozen profile nothing is released',
      find: 'control.frozen_profile_ids.includes(of.profileId) ||',
      replace: '',
    },
  }),
  ...guardsOf('src/domain/accounts/api-keys/api-keys.sql.ts', [liveKeys], {
    'revoked-key-is-not-live': {
      keeps: 'a revoked key is not live',
      after: "'select_key_is_live'",
      find: ' and revoked_at is null',
      replace: '',
    },
    'expired-key-is-not-live': {
      keeps: 'a key that has expired since it was looked up releases nothing',
      after: "'select_key_is_live'",
      find: '(expires_at is null or expires_at > prokura_now())',
      replace: 'true',
    },
  }),
  ...guardsOf('src/domain/buyers/payment-methods/payment-methods.sql.ts', [releaseMoney], {
    'deleted-card-pays-nothing': {
      keeps: 'a card that was deleted is not charged',
      find: 'profile_id = $profile_id and deleted_at is null\n     and case',
      replace: 'profile_id = $profile_id\n     and case',
    },
    'card-of-the-profile': {
      keeps: 'the card of another profile pays nothing',
      find: 'mode = $mode and profile_id = $profile_id and deleted_at is null\n     and case',
      replace: 'mode = $mode and deleted_at is null\n     and case',
    },
    'methods-are-locked': {
      keeps: 'two passwords at once are two attempts, and two first cards one default',
      find: 'order by id for update`',
      replace: 'order by id`',
      killers: [locks],
      only: 'password',
    },
  }),
  ...guardsOf('src/domain/buying/intents/slice.ts', [approvePurchaseIntent], {
    'agents-do-not-approve': {
      keeps: 'no agent approves, its own purchases least of all',
      find: "'purchase_intents:approve': { toolsets: ['buyer'] }",
      replace: "'purchase_intents:approve': { presets: ['buyer_agent'], toolsets: ['buyer'] }",
      only: 'agent',
    },
  }),
  ...guardsOf('src/domain/buying/intents/decide/approve-purchase-intent.ts', [approvePurchaseIntent], {
    'approving-is-a-scope': {
      keeps: 'the right to ask for a purchase is no right to approve it',
      find: "scope: 'purchase_intents:approve'",
      replace: "scope: 'purchase_intents:write'",
      only: 'agent',
    },
  }),
  ...guardsOf('src/domain/buying/intents/retry/reconcile-purchase-intent.ts', [approvePurchaseIntent], {
    'reconciling-is-approving': {
      keeps: 'a key that may not approve does not decide what was bought',
      find: "scope: 'purchase_intents:approve'",
      replace: "scope: 'purchase_intents:write'",
      only: 'agent',
    },
  }),
  ...guardsOf('src/domain/accounts/controls/unfreeze-controls.ts', [controls], {
    'agents-do-not-freeze': {
      keeps: 'an agent does not unfreeze itself',
      find: "scope: 'controls:write'",
      replace: "scope: 'policies:read'",
      killers: [releaseMoney],
      only: 'frozen account',
    },
  }),
  ...guardsOf('src/domain/policies/update-policy.ts', [policies], {
    'agents-change-no-policy': {
      keeps: 'an agent does not widen its own limits',
      find: "scope: 'policies:write'",
      replace: "scope: 'policies:read'",
    },
  }),
  ...guardsOf('src/domain/buyers/payment-methods/verify-profile-payment-method.ts', [paymentMethods], {
    'agents-add-no-card': {
      keeps: 'an agent verifies no card',
      find: "scope: 'payment_methods:write'",
      replace: "scope: 'payment_methods:read'",
      only: 'agent',
    },
    'refused-passwords-are-kept': {
      keeps: 'a refused password counts although it was refused',
      find: "reply(200, method) : new Problem('verification_failed')",
      replace: "reply(200, method) : (() => { throw new Problem('verification_failed') })()",
      only: 'password',
    },
  }),
  ...guardsOf('src/domain/buyers/payment-methods/decide-enrollment.ts', [paymentMethods], {
    'passwords-are-counted': {
      keeps: 'a one-time password is guessed three times and not once more',
      find: 'failed_verifications >= failedVerificationsMax',
      replace: 'failed_verifications < 0',
      only: 'refused passwords',
    },
    'steps-of-an-enrolment': {
      keeps: 'no step of an enrolment is skipped',
      find: ' || expected !== attempt.method',
      replace: '',
      only: 'in that order',
    },
    'only-test-cards-are-proven': {
      keeps: 'nothing proves a card that no network is asked about',
      find: 'if (card === null) return false',
      replace: '',
      killers: [checkVerification],
    },
    'step-up-is-proven': {
      keeps: 'a step-up needs its proof',
      find: "assertion !== undefined && assertion !== 'invalid'",
      replace: 'true',
      killers: [checkVerification],
    },
  }),
  ...guardsOf('src/domain/buyers/payment-methods/check-verification.ts', [checkVerification], {
    'right-security-code': {
      keeps: 'a card that asks for its security code takes the right one only',
      find: "token === (row.card_brand === 'amex' ? 'cvc_4_digit' : 'cvc_3_digit')",
      replace: 'token !== undefined',
    },
    'step-up-by-its-method': {
      keeps: 'a step-up is proven by the method that the card asked for',
      find: 'given?.method === stepUp && isProven(',
      replace: 'given !== undefined && isProven(',
    },
  }),
  ...guardsOf('src/domain/buyers/payment-methods/create-profile-payment-method.ts', [paymentMethods], {
    'no-test-card-in-live-mode': {
      keeps: 'live mode takes no identifier of a test card',
      find: "ctx.tenant.mode === 'live'",
      replace: 'ctx.tenant.mode === null',
      only: 'live mode',
    },
  }),
  ...guardsOf('src/domain/buyers/payment-methods/delete-profile-payment-method.ts', [paymentMethods], {
    'deleted-cards-are-shredded': {
      keeps: 'the vault forgets a deleted card',
      find: 'if (!isShared) ctx.tx.write(',
      replace: 'if (row.id === null) ctx.tx.write(',
      killers: [releaseMoney],
      only: 'vaulted card',
    },
    'shared-cards-stay': {
      keeps: 'deleting one of two methods on a card does not take the other one its card',
      find: 'if (!isShared) ctx.tx.write(',
      replace: 'ctx.tx.write(',
      killers: [releaseMoney],
    },
  }),
]
