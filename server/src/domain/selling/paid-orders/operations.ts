import { mppCreateOrder } from './create-order.ts'
import { mppGetOrder } from './get-order.ts'
import { mppQuoteOrder } from './quote-order.ts'

export const paidOrderOperations = [mppQuoteOrder, mppCreateOrder, mppGetOrder]
