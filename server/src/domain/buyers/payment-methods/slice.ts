import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { addBillingAddress } from './add-billing-address.ts'
import { completeWalletSignIn } from './complete-wallet-sign-in.ts'
import { createProfilePaymentMethod } from './create-profile-payment-method.ts'
import { deleteProfilePaymentMethod } from './delete-profile-payment-method.ts'
import { paymentMethodEvents } from './events.ts'
import { getProfilePaymentMethod, listProfilePaymentMethods } from './get-profile-payment-methods.ts'
import { selectOwnPaymentMethods } from './payment-methods.sql.ts'
import { sweepRefusals } from './refusals.sql.ts'
import { updateProfilePaymentMethod } from './update-profile-payment-method.ts'
import { verifyProfilePaymentMethod } from './verify-profile-payment-method.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  pm: { names: 'a payment method' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  'payment_methods:read': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  'payment_methods:write': { toolsets: ['buyer'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  client_secret_required: {
    status: 403,
    retryable: false,
    message:
      'The page has to open this component with a client secret. Have your server ask for one with v1_create_element_client_secret.',
  },
  test_card_identifier_not_allowed_in_live_mode: {
    status: 400,
    retryable: false,
    message: 'Test cards and test security codes work in test mode only. Use the token of a card.',
  },
  payment_method_required: {
    status: 409,
    retryable: false,
    message:
      'The profile has no usable payment method. Ask a person to add one (v1_create_profile_payment_method), or name another in `profile_payment_method_id`.',
  },
  enrollment_not_pending: {
    status: 409,
    retryable: false,
    message: 'The card does not wait for a verification: see `agentic_credentials_status`.',
  },
  verification_failed: {
    status: 409,
    retryable: false,
    message: 'The code or assertion was refused. Ask the person for a new one; the third refusal is final.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const paymentMethods = defineSlice({
  name: 'buyers/payment-methods',
  about: 'Keeps what is known of cards, verifies them and answers which one pays.',
  needs: ['buyers/card-setups', 'buyers/profiles', 'buyers/wallets'],
  tables: ['payment_methods', 'card_refusals'],
  ids,
  scopes,
  problems,
  tags: {
    'Payment methods': "A profile's cards, kept as tokens, and their enrollment for purchases by agents.",
  },
  events: paymentMethodEvents,
  operations: [
    createProfilePaymentMethod,
    listProfilePaymentMethods,
    getProfilePaymentMethod,
    updateProfilePaymentMethod,
    deleteProfilePaymentMethod,
    verifyProfilePaymentMethod,
    addBillingAddress,
    completeWalletSignIn,
  ],
  sweeps: [sweepRefusals],
  ownIds: part(selectOwnPaymentMethods, []),
})
