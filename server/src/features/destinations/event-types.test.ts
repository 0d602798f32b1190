import { expect, test } from 'vitest'
import { canRespondToOrders, deliveredTypes, responsePath, subscribedTypes } from './event-types.ts'

test('the designated responder is subscribed to quote requests without saying so, and types come once and in order', () => {
  const choice = {
    responds_to_quotes: true,
    event_types: ['order.rejected', 'order.requested', 'order.rejected'] as const,
  }
  expect(subscribedTypes(choice)).toEqual(['quote.requested', 'order.requested', 'order.rejected'])
})

test('a quote request goes to nobody but the designated responder', () => {
  const event_types = ['quote.requested', 'order.requested'] as const
  expect(deliveredTypes({ responds_to_quotes: false, event_types })).toEqual(['order.requested'])
  expect(deliveredTypes({ responds_to_quotes: true, event_types })).toEqual(event_types)
})

test('orders may be answered by whoever subscribes to all of requested, confirmed and rejected', () => {
  expect(canRespondToOrders(['order.requested', 'order.confirmed', 'order.rejected'])).toBe(true)
  expect(canRespondToOrders(['order.requested', 'order.confirmed'])).toBe(false)
})

test('a response URL exists only for an event that this destination may answer', () => {
  const all = {
    responds_to_quotes: false,
    event_types: ['order.requested', 'order.confirmed', 'order.rejected'] as const,
  }
  expect(responsePath('order.requested', 'ord_1', all)).toBe('/v1/merchant/orders/ord_1/responses')
  expect(responsePath('order.confirmed', 'ord_1', all)).toBeNull()
  expect(responsePath('order.requested', 'ord_1', { ...all, event_types: ['order.requested'] })).toBeNull()
  expect(responsePath('quote.requested', 'quo_1', all)).toBeNull()
  expect(responsePath('quote.requested', 'quo_1', { ...all, responds_to_quotes: true })).toBe(
    '/v1/merchant/quotes/quo_1/responses',
  )
})
