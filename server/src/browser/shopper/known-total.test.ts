import { expect, test } from 'vitest'
import type { Totals } from '../reading/totals-of.ts'
import type { ShopTask } from './shop-task.ts'
import { knownTotal } from './summary.ts'

type Known = {
  total: bigint
  /** What the summary says of the delivery; null: the summary does not add up. */
  said?: bigint | null
  saysDelivery?: boolean
  isWithDelivery?: boolean
  /** What was chosen afterwards. */
  chosen?: bigint | null
  method?: 'ship' | 'pickup'
}

function totalOf({
  total,
  said = 0n,
  saysDelivery = false,
  isWithDelivery = false,
  chosen = null,
  method = 'ship',
}: Known) {
  const parts = said === null ? null : ({ fulfillment: said, total } as Totals)
  const task = {
    lastSummary: { summary: { total, currency: 'USD', text: '', parts }, saysDelivery, isWithDelivery },
    delivery: chosen,
    request: { fulfillment: { method } },
    goods: { kind: 'wanted', lines: [] },
  } as unknown as ShopTask // the parts of a purchase that say what it costs
  return knownTotal(task)?.total ?? null
}

test.each<[string, Known, bigint | null]>([
  ['a cart without delivery says nothing', { total: 2000n }, null],
  ['the delivery that is chosen is added to it', { total: 2000n, chosen: 500n }, 2500n],
  ['a cart with its delivery says it', { total: 2500n, said: 500n, saysDelivery: true }, 2500n],
  ['so does one with a delivery that is free', { total: 2000n, said: 0n, saysDelivery: true }, 2000n],
  [
    'another delivery takes the place of that of the cart',
    { total: 2500n, said: 500n, saysDelivery: true, chosen: 1500n },
    3500n,
  ],
  [
    'where the cart does not add up, nobody knows what it had in it',
    { total: 2500n, said: null, saysDelivery: true, chosen: 500n },
    null,
  ],
  [
    'a summary after the choice is the last word',
    { total: 2500n, said: 500n, isWithDelivery: true, chosen: 500n },
    2500n,
  ],
  ['what is fetched is not delivered', { total: 2000n, method: 'pickup' }, 2000n],
])('%s', (_, known, total) => {
  expect(totalOf(known)).toBe(total)
})
