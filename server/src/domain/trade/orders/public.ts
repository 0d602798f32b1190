export { cancelOrderInTx } from './cancel-order-in-tx.ts'
export { readOrdersNamed, readRefundsNamed, readSiblingsOfRefunded } from './colliding-ids.ts'
export { createOrderInTx, type NewOrder } from './create-order.ts'
export { selectEarlierOrder } from './earlier-orders.sql.ts'
export type { OrderStatus, Settlement } from './machine.ts'
export { markOrderPaid } from './mark-order-paid.ts'
export type { LineItem, OrderAddress, OrderCustomer, OrderRow } from './order.ts'
export { lockOrder, selectOrder } from './orders.sql.ts'
export { type PurchaseIdsOfProfile, PurchasesOfProfile } from './port.ts'
export {
  journalRefund,
  lockClaimedRefund,
  type RefundRow,
  restClaimedRefund,
} from './refunds.sql.ts'
export { type RefundNews, settleRefund } from './settle-refund.ts'
export { taxOf } from './tax.ts'
