export { waitSecondsMax } from './await-change.ts'
export { type CartShare, divideCap } from './cap.ts'
export { type Cart, type CartItem, type CartRow, cleanupStage, type Offer, type PastAttempt } from './cart.ts'
export {
  type CartChanges,
  changeIntent,
  type IntentChange,
  type IntentEvent,
  lockIntentWithCarts,
  readIntentWithCarts,
} from './change-intent.ts'
export { decideWithAddress, wakeMore } from './decide-address.ts'
export { expireApproval } from './expire-approval.ts'
export { type FailureCode, type FailureReason, failureOf } from './failure.ts'
export { finishIfDone } from './finish.ts'
export type {
  Fulfillment,
  IntentItem,
  IntentRow,
  LoadedIntent,
} from './intent.ts'
export { type CartStatus, type IntentStatus, isTerminalCart, isTerminalIntent } from './machine.ts'
export { type ChargeOf, Charges } from './port.ts'
export { type PriceQuestion, proposePrice } from './propose-price.ts'
export { renderIntent } from './render-intent.ts'
export { isSoldByAnother, readSellers, type SoldBy, type SoldItem } from './sold-items.ts'
