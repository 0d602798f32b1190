import { acceptQuote } from './create/accept-quote.ts'
import { createPurchaseIntent } from './create/create-purchase-intent.ts'
import { answerPurchaseIntentInput } from './decide/answer-purchase-intent-input.ts'
import { approvePurchaseIntent } from './decide/approve-purchase-intent.ts'
import { cancelPurchaseIntent } from './decide/cancel-purchase-intent.ts'
import type { CredentialTickets } from './decide/credential-tickets.ts'
import type { PaymentProofs } from './decide/payment-proofs.ts'
import type { ChargeOf } from './port.ts'
import { checkShop } from './preview/check-shop.ts'
import { previewPurchaseIntent } from './preview/preview-purchase-intent.ts'
import type { ApprovalPages } from './read/approval-pages.ts'
import { getPurchaseIntent } from './read/get-purchase-intent.ts'
import { listPurchaseIntentEvents } from './read/list-purchase-intent-events.ts'
import { listPurchaseIntents } from './read/list-purchase-intents.ts'
import { reconcilePurchaseIntent } from './retry/reconcile-purchase-intent.ts'
import { retryPurchaseIntent } from './retry/retry-purchase-intent.ts'

export function purchaseIntentOperations({
  chargeOf,
  tickets,
  proofs,
  pages,
}: {
  chargeOf: ChargeOf
  tickets: CredentialTickets
  proofs: PaymentProofs
  pages: ApprovalPages
}) {
  return [
    createPurchaseIntent,
    acceptQuote,
    listPurchaseIntents,
    previewPurchaseIntent,
    checkShop,
    getPurchaseIntent(pages),
    approvePurchaseIntent(proofs),
    answerPurchaseIntentInput,
    cancelPurchaseIntent,
    retryPurchaseIntent(tickets),
    reconcilePurchaseIntent(chargeOf),
    listPurchaseIntentEvents,
  ]
}
