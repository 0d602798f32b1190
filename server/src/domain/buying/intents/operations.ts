import { acceptQuote } from './accept-quote.ts'
import { answerPurchaseIntentInput } from './answer-purchase-intent-input.ts'
import { approvePurchaseIntent } from './approve-purchase-intent.ts'
import { cancelPurchaseIntent } from './cancel-purchase-intent.ts'
import { createPurchaseIntent } from './create-purchase-intent.ts'
import type { CredentialTickets } from './credential-tickets.ts'
import { getPurchaseIntent } from './get-purchase-intent.ts'
import { listPurchaseIntentEvents } from './list-purchase-intent-events.ts'
import { listPurchaseIntents } from './list-purchase-intents.ts'
import type { ChargeOf } from './port.ts'
import { previewPurchaseIntent } from './preview-purchase-intent.ts'
import { reconcilePurchaseIntent } from './reconcile-purchase-intent.ts'
import { retryPurchaseIntent } from './retry-purchase-intent.ts'

export function purchaseIntentOperations({
  chargeOf,
  tickets,
}: {
  chargeOf: ChargeOf
  tickets: CredentialTickets
}) {
  return [
    createPurchaseIntent,
    acceptQuote,
    listPurchaseIntents,
    previewPurchaseIntent,
    getPurchaseIntent,
    approvePurchaseIntent,
    answerPurchaseIntentInput,
    cancelPurchaseIntent,
    retryPurchaseIntent(tickets),
    reconcilePurchaseIntent(chargeOf),
    listPurchaseIntentEvents,
  ]
}
