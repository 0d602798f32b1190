import { cancelOrder } from './cancel-order.ts'
import { createMerchantOrderFulfillment } from './create-merchant-order-fulfillment.ts'
import { createMerchantOrderRefund } from './create-merchant-order-refund.ts'
import { createOrderResponse } from './create-order-response.ts'
import { createOrderReturn } from './create-order-return.ts'
import { declineMerchantOrderReturn } from './decline-merchant-order-return.ts'
import { getMerchantOrder } from './get-merchant-order.ts'
import { getOrder } from './get-order.ts'
import { listMerchantOrders } from './list-merchant-orders.ts'
import { listOrders } from './list-orders.ts'
import { orderLists } from './order-lists.ts'
import type { PurchaseIdsOfProfile } from './port.ts'
import { repriceMerchantOrder } from './reprice-merchant-order.ts'

export function orderOperations(purchases: PurchaseIdsOfProfile) {
  return [
    listOrders(orderLists('account_id', purchases)),
    getOrder,
    cancelOrder,
    createOrderReturn,
    listMerchantOrders(orderLists('merchant_account_id', purchases)),
    getMerchantOrder,
    createOrderResponse,
    repriceMerchantOrder,
    createMerchantOrderFulfillment,
    createMerchantOrderRefund,
    declineMerchantOrderReturn,
  ]
}
