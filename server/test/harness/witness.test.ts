import { describe, expect, test } from 'vitest'
import { contradictions, type Testimony, type ToldPurchase } from './witness.ts'

const bought: ToldPurchase = {
  id: 'pi_1',
  status: 'succeeded',
  actual_amount: 1380,
  max_allowed_amount: 1500,
  carts: [
    {
      id: 'cart_1',
      status: 'succeeded',
      channel: 'simulated',
      actual_amount: 1380,
      max_allowed_amount: 1500,
      order: null,
    },
  ],
}
const entry = { key: 'k', amount: 1380, reference: 'pi_1/cart_1', result: 'approved' }
const issued = { ...entry, operation: 'issue_credential' }
const charged = { ...entry, operation: 'capture' }
const truth: Testimony = {
  processor: [issued, charged],
  shops: [{ key: 'cart_1:1:place', result: 'placed' }],
  merchant: [],
}

test('of a shop that takes the money itself only the sums of the purchase are compared', () => {
  const atStranger = (route: object | null) => ({
    ...bought,
    carts: bought.carts.map((cart) => ({ ...cart, channel: 'ucp', route })),
  })
  expect(contradictions([atStranger({})], { ...truth, processor: [issued] })).toEqual([])
  expect(contradictions([atStranger(null)], { ...truth, processor: [issued] })).not.toEqual([])
  expect(contradictions([{ ...atStranger({}), actual_amount: 1 }], truth)).not.toEqual([])
})

test('a purchase on which our word and the world agree has no contradictions', () => {
  expect(contradictions([bought], truth)).toEqual([])
})

describe('the comparison finds', () => {
  const closed: ToldPurchase = {
    ...bought,
    status: 'failed',
    actual_amount: 0,
    carts: bought.carts.map((cart) => ({ ...cart, status: 'failed', actual_amount: 0 })),
  }
  test.each<[string, ToldPurchase, Partial<Testimony>, RegExp]>([
    [
      'a second charge',
      bought,
      { processor: [issued, charged, { ...charged, key: 'other' }] },
      /charged 2 times/,
    ],
    ['a charge that never was', bought, { processor: [issued] }, /the processor charged 0/],
    ['a charge for what failed', closed, {}, /the processor charged 1380/],
    [
      'a hold that was not released',
      closed,
      { processor: [issued], shops: [] },
      /1 of its authorizations are open/,
    ],
    ['a second order', bought, { shops: [...truth.shops, ...truth.shops] }, /the shop has 2 orders/],
    ['a purchase that never ends', { ...bought, status: 'approved' }, {}, /still approved/],
    ['a charge above the cap', { ...bought, max_allowed_amount: 1300 }, {}, /more than 1300/],
    [
      'money for a cart that we do not know',
      bought,
      { processor: [...truth.processor, { ...issued, reference: 'pi_1/cart_9' }] },
      /and we do not/,
    ],
  ])('%s', (_, purchase, testimony, problem) => {
    expect(contradictions([purchase], { ...truth, ...testimony }).join('\n')).toMatch(problem)
  })
})
