import { expect, test } from 'vitest'
import { events } from '../../../composition.ts'
import { cartEvents, intentEvents } from '../../buying/intents/events.ts'
import {
  canRespondToOrders,
  deliveredTypes,
  responsePath,
  selectorsOf,
  subscribedTypes,
} from './event-types.ts'

const { merchant: eventTypes, buyer: buyerEventTypes } = events.subscribable

test('the designated responder is subscribed to quote requests without saying so, and types come once and in order', () => {
  const choice = {
    audience: 'merchant' as const,
    responds_to_quotes: true,
    event_types: ['order.rejected', 'order.requested', 'order.rejected'] as const,
  }
  expect(subscribedTypes(choice, events)).toEqual(['order.requested', 'order.rejected', 'quote.requested'])
})

test('a quote request goes to the designated responder only', () => {
  const audience = 'merchant'
  const event_types = ['quote.requested', 'order.requested'] as const
  expect(deliveredTypes({ audience, responds_to_quotes: false, event_types })).toEqual(['order.requested'])
  expect(deliveredTypes({ audience, responds_to_quotes: true, event_types })).toEqual(event_types)
})

test('a destination that subscribes to all of requested, confirmed and rejected may answer orders', () => {
  const audience = 'merchant'
  expect(
    canRespondToOrders({ audience, event_types: ['order.requested', 'order.confirmed', 'order.rejected'] }),
  ).toBe(true)
  expect(canRespondToOrders({ audience, event_types: ['order.requested', 'order.confirmed'] })).toBe(false)
})

test('a response URL exists only for an event that this destination may answer', () => {
  const all = {
    audience: 'merchant' as const,
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

test('a buyer can get every event of its purchases, their tokens, orders and quotes, and no event of a merchant', () => {
  const orders = eventTypes.filter((type) => type.startsWith('order.'))
  expect(orders.length).toBeGreaterThan(0)
  expect(buyerEventTypes).toEqual(
    expect.arrayContaining([...Object.keys(intentEvents), ...Object.keys(cartEvents), ...orders]),
  )
  expect(new Set(buyerEventTypes.map((type) => type.split('.')[0]))).toEqual(
    new Set(['purchase_intent', 'cart', 'order', 'quote', 'payment_token']),
  )
  expect(new Set(buyerEventTypes).size).toBe(buyerEventTypes.length)
  expect(selectorsOf('buyer', events)).toEqual([
    'purchase_intent.*',
    'cart.*',
    'payment_token.*',
    'order.*',
    'quote.*',
    ...buyerEventTypes,
  ])
  expect(selectorsOf('merchant', events)).toEqual(eventTypes)
})

test('a family stands for each of its types, and is stored and shown as these', () => {
  const choice = {
    audience: 'buyer' as const,
    responds_to_quotes: false,
    event_types: ['order.*', 'cart.failed', 'order.confirmed'],
  }
  expect(subscribedTypes(choice, events)).toEqual([
    'cart.failed',
    ...buyerEventTypes.filter((type) => type.startsWith('order.')),
  ])
})

test('a buyer may answer nothing, with any subscription', () => {
  const choice = { audience: 'buyer' as const, responds_to_quotes: true, event_types: buyerEventTypes }
  expect(canRespondToOrders(choice)).toBe(false)
  expect(responsePath('order.requested', 'ord_1', choice)).toBeNull()
  expect(responsePath('quote.requested', 'quo_1', choice)).toBeNull()
  expect(deliveredTypes(choice)).toContain('quote.requested')
})
