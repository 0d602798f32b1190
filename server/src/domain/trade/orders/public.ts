export { cancelOrderInTx } from './cancel-order-in-tx.ts'
export { countRefundCall, type LockedRefund, lockClaimedRefund, restRefund } from './claimed-refund.ts'
export { createOrderInTx, type NewOrder, orderExpiryHours } from './create-order.ts'
export { hasOrderedBefore } from './has-ordered-before.ts'
export type { FulfillmentStatus } from './machine.ts'
export { markOrderPaid } from './mark-order-paid.ts'
export {
  LineItem,
  type Order,
  type OrderAddress,
  type OrderBuyer,
  OrderPaymentStatusSchema,
  type OrderProgress,
  OrderStatusSchema,
} from './order.ts'
export { OrderFulfillment } from './order-life.ts'
export { placeStrangerOrder } from './place-stranger-order.ts'
export { PurchasesOfProfile } from './port.ts'
export { readBoughtOrders, readOrder, readSoldOrder } from './read-order.ts'
export { refundMoves } from './refund-moves.ts'
export { followStrangerPayment, tellOfStrangerOrder } from './revise-stranger-order.ts'
export { type RefundNews, settleRefund } from './settle-refund.ts'
export { showDispute } from './show-dispute.ts'
export type { NewsOfShipment, StrangerNews } from './stranger-news.ts'
