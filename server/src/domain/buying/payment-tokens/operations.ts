import { createPurchaseIntentPaymentToken } from './create-purchase-intent-payment-token.ts'

export const paymentTokenOperations = [createPurchaseIntentPaymentToken]
