import { type Listed, missedBeside, missedBy } from './guard.ts'

/** How much an order may cost after it was placed, and how much of it may be refunded. */
export const orderLifeGuards: readonly Listed[] = [
  ...missedBeside({
    'lost-refund-asked-about': ['ask', 'send'],
  }),
  ...missedBy(['src/domain/trade/orders/order-life.http.test.ts'], {
    'price-within-authorization': 'never',
    'price-while-awaiting': ["order.status !== 'awaiting_confirmation' || "],
    'refunds-within-captured': ['amount > rest || rest === 0n || '],
    'refund-of-captured-only': ['!isCaptured || '],
    'one-refund-for-a-return': 'never',
  }),
  ...missedBy(['test/flows/order-life.test.ts'], {
    'refund-under-one-key': ['sent.input', '{ ...sent.input, key: key + refund.tries }'],
    'lower-price-captured': 'always',
  }),
]
