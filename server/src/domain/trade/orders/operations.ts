import { cancelOrder } from './cancel-order.ts'
import { createMerchantOrderFulfillment } from './create-merchant-order-fulfillment.ts'
import { createMerchantOrderRefund } from './create-merchant-order-refund.ts'
import { createOrderResponse } from './create-order-response.ts'
import { createOrderReturn } from './create-order-return.ts'
import { declineMerchantOrderReturn } from './decline-merchant-order-return.ts'
import { getMerchantOrder, getOrder } from './get-orders.ts'
import { listMerchantOrders, listOrders } from './list-orders.ts'
import type { PurchaseIdsOfProfile } from './port.ts'
import { repriceMerchantOrder } from './reprice-merchant-order.ts'

export function orderOperations(purchases: PurchaseIdsOfProfile) {
  return [
    listOrders(purchases),
    getOrder,
    cancelOrder,
    createOrderReturn,
    listMerchantOrders(purchases),
    getMerchantOrder,
    createOrderResponse,
    repriceMerchantOrder,
    createMerchantOrderFulfillment,
    createMerchantOrderRefund,
    declineMerchantOrderReturn,
  ]
}
