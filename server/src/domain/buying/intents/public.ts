export { type Cart, cleanupStage } from './cart.ts'
export {
  offerStage,
  parseStage,
  railStage,
  type SignInWait,
  type SubmittedTicket,
  signInStage,
} from './cart-stage.ts'
export { changeIntent, type IntentChange, type IntentEvent, readIntentWithCarts } from './change-intent.ts'
export { divideCap } from './create/cap.ts'
export type { CartPage, CartRoute } from './create/cart-route.ts'
export { openRequest } from './create/item-request.ts'
export { type CartTerms, newCart } from './create/new-cart.ts'
export { decidedPromo } from './create/promo-code.ts'
export { isSoldByAnother, readSellers, type SoldBy, type SoldItem } from './create/sold-items.ts'
export { requireCheckedCode } from './decide/approve-in-page.ts'
export { type CredentialTicket, CredentialTickets } from './decide/credential-tickets.ts'
export { decideWithAddress, wakeMore } from './decide/decide-address.ts'
export { endTokenWait } from './decide/end-token-wait.ts'
export { expireApproval } from './decide/expire-approval.ts'
export { type CartField, fieldsFor, inputHours } from './decide/input-field.ts'
export { confirmingCart, paymentAction } from './decide/payment-action.ts'
export { PaymentProofs, TypedCodes, typedCodesBudgetMs } from './decide/payment-proofs.ts'
export { proposePrice } from './decide/propose-price.ts'
export { lockForRelease } from './decide/release-money.ts'
export { termsDigest } from './decide/shown-terms.ts'
export { nextSignIn, signInAction } from './decide/sign-in-action.ts'
export { isTypedToken } from './decide/use-proofs.ts'
export { type FailureReason, failureOf } from './failure.ts'
export { finishIfDone, isSettled } from './finish.ts'
export { type IntentItem, type LoadedCart, type LoadedIntent, PurchaseIntentStatus } from './intent.ts'
export { buyerToApprove } from './intent-buyer.ts'
export { lockPurchase, purchaseFrom } from './lock-purchase.ts'
export { isTerminalCart } from './machine.ts'
export { type ChargeOf, Charges } from './port.ts'
export { ApprovalPages } from './read/approval-pages.ts'
export { domainKeyOf, shopOfAll } from './read/purchase-facts.ts'
export { whyNotApprovable } from './read/why-refused.ts'
