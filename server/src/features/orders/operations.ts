import { cancelOrder } from './cancel-order.ts'
import { createOrderResponse } from './create-order-response.ts'
import { getMerchantOrder } from './get-merchant-order.ts'
import { getOrder } from './get-order.ts'
import { listMerchantOrders } from './list-merchant-orders.ts'
import { listOrders } from './list-orders.ts'

export const orderOperations = [
  listOrders,
  getOrder,
  cancelOrder,
  listMerchantOrders,
  getMerchantOrder,
  createOrderResponse,
]
