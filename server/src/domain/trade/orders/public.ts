export { answerOrder } from './answer-order.ts'
export { cancelOrderInTx } from './cancel-order-in-tx.ts'
export { countRefundCall, type LockedRefund, lockClaimedRefund, restRefund } from './claimed-refund.ts'
export { readOrdersNamed, readRefundsNamed, readSiblingsOfRefunded } from './colliding-ids.ts'
export { createOrderInTx, type NewOrder, orderExpiryHours } from './create-order.ts'
export { hasOrderedBefore } from './has-ordered-before.ts'
export { lockOrderAsMerchant } from './lock-order-as-merchant.ts'
export { fulfillmentStatuses } from './machine.ts'
export { markOrderPaid } from './mark-order-paid.ts'
export {
  LineItem,
  type Order,
  type OrderBuyer,
  OrderPaymentStatusSchema,
  type OrderProgress,
  OrderStatusSchema,
} from './order.ts'
export { OrderFulfillment } from './order-life.ts'
export { PurchasesOfProfile } from './port.ts'
export { readOrder, readSoldOrder, showOrderToMerchant } from './read-order.ts'
export { recordFulfillment } from './record-fulfillment.ts'
export { requestRefund } from './request-refund.ts'
export { type RefundNews, settleRefund } from './settle-refund.ts'
