import { defineIds } from '../../../contract/ids.ts'
import { bind } from '../../../contract/port.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { PaymentProofs } from '../intents/public.ts'
import { createApprovalVerification, createEnrollmentVerification } from './begin-verification.ts'
import { deletePasskeys } from './delete-passkeys.ts'
import { getPaymentVerification } from './get-verification.ts'
import { provePaymentByCode } from './prove-by-code.ts'
import { paymentProofs } from './use-proof.ts'
import { verificationSweeps } from './verifications.sql.ts'
import { finishElementWindow, openElementWindow } from './windows.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  pver: { names: 'a proof of a card', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const verifications = defineSlice({
  name: 'buying/verifications',
  about:
    'Has a person prove that a card is theirs, for one purchase at its cap or for the enrollment of the card.',
  needs: ['accounts/api-keys', 'buyers/payment-methods', 'buying/intents'],
  tables: ['card_passkeys', 'payment_verifications', 'used_security_codes'],
  ids,
  operations: [
    createApprovalVerification,
    createEnrollmentVerification,
    getPaymentVerification,
    provePaymentByCode,
    openElementWindow,
    finishElementWindow,
  ],
  followers: [deletePasskeys],
  sweeps: verificationSweeps,
  binds: [bind(PaymentProofs, paymentProofs)],
})
