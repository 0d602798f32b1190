import { type Guard, guardsOf } from './guard.ts'

const requests = 'src/domain/trade/orders/order-life.http.test.ts'
const flow = 'test/flows/order-life.test.ts'
const calls = 'src/domain/buying/execution/refund/decide-refund.test.ts'
const tables = 'test/tables.test.ts'

/** How much an order may cost after it was placed, and how much of it may be refunded. */
export const orderLifeGuards: readonly Guard[] = [
  ...guardsOf('src/domain/trade/orders/decide-reprice.ts', [requests], {
    'price-within-authorization': {
      keeps: 'no price of an order goes above its authorization',
      find: 'total > authorizedAmount(order) || subtotal > listed',
      replace: 'total < 0n',
    },
    'price-while-awaiting': {
      keeps: 'the price of an order stays once it is decided',
      find: "order.status !== 'awaiting_confirmation' || (order.expires_at ?? now) <= now",
      replace: '(order.expires_at ?? now) <= now',
    },
  }),
  ...guardsOf('src/domain/trade/orders/decide-refund.ts', [requests], {
    'refunds-within-captured': {
      keeps: 'refunds never come to more than was captured',
      find: 'amount > rest || rest === 0n || ',
      replace: '',
    },
    'refund-of-captured-only': {
      keeps: 'only captured money is refunded',
      find: '!isCaptured || ',
      replace: '',
    },
    'one-refund-for-a-return': {
      keeps: 'a return is settled by one refund',
      find: 'named !== null && !isOpen(order, named)',
      replace: 'named === undefined',
    },
  }),
  ...guardsOf('migrations/0091_baseline.sql', [tables], {
    'refunds-in-the-database': {
      keeps: 'refunds never add up to more than was captured, even if the code is wrong',
      find: 'refunds_amount >= 0 and refunds_amount <= total_amount',
      replace: 'refunds_amount >= 0',
    },
  }),
  ...guardsOf('migrations/0091_baseline.sql', [tables], {
    'price-in-the-database': {
      keeps: 'no order costs more than its authorization, even if the code is wrong',
      find: 'authorized_amount is null or total_amount <= authorized_amount',
      replace: 'true',
    },
  }),
  ...guardsOf('src/domain/buying/execution/refund/decide-refund.ts', [calls], {
    'lost-refund-asked-about': {
      keeps: 'a refund that may have arrived is asked about',
      find: "refund.may_have_left ? 'ask' : 'send'",
      replace: "refund.may_have_left ? 'send' : 'send'",
    },
  }),
  ...guardsOf('src/domain/buying/execution/refund/run-refund.ts', [flow], {
    'refund-under-one-key': {
      keeps: 'a refund that is sent again is the same refund',
      find: 'rail.refund(sent.input, call)',
      replace: 'rail.refund({ ...sent.input, key: key + refund.tries }, call)',
    },
  }),
  ...guardsOf('src/domain/buying/execution/journal-effect.ts', [flow], {
    'lower-price-captured': {
      keeps: 'the captured amount is the price that the merchant confirmed',
      find: 'if (owed === undefined) return Number(hold.amount)',
      replace: 'if (owed !== null) return Number(hold.amount)',
    },
  }),
]
