export { divideCap } from './cap.ts'
export { type Cart, cleanupStage } from './cart.ts'
export type { CartPage, CartRoute } from './cart-route.ts'
export {
  offerStage,
  parseStage,
  railStage,
  type SignInWait,
  type SubmittedTicket,
  signInStage,
} from './cart-stage.ts'
export { changeIntent, type IntentChange, type IntentEvent } from './change-intent.ts'
export { decideWithAddress, wakeMore } from './decide-address.ts'
export { endTokenWait } from './end-token-wait.ts'
export { expireApproval } from './expire-approval.ts'
export { type FailureReason, failureOf } from './failure.ts'
export { finishIfDone, isSettled } from './finish.ts'
export { type CartField, fieldsFor, inputHours } from './input-field.ts'
export type { IntentItem, LoadedCart, LoadedIntent } from './intent.ts'
export { openRequest } from './item-request.ts'
export { lockPurchase, purchaseFrom } from './lock-purchase.ts'
export { isTerminalCart } from './machine.ts'
export { type CartTerms, newCart } from './new-cart.ts'
export { type ChargeOf, Charges } from './port.ts'
export { decidedPromo } from './promo-code.ts'
export { proposePrice } from './propose-price.ts'
export { domainKeyOf, shopOfAll } from './purchase-facts.ts'
export { lockForRelease } from './release-money.ts'
export { nextSignIn, signInAction } from './sign-in-action.ts'
export { isSoldByAnother, readSellers, type SoldBy, type SoldItem } from './sold-items.ts'
