import { expect, test } from 'vitest'
import type { Arm } from './promotion.ts'
import { gapsOf } from './publishable.ts'

const now = new Date('2026-06-01T00:00:00.000Z')
const later = new Date('2026-07-01T00:00:00.000Z')
const arm: Arm = { id: 'a', kind: 'percent', value: 1000, ttl_minutes: 30, weight: 1 }
const whole = { currency: 'EUR', starts_at: null, ends_at: null, arms: [arm] }

test.each<[Partial<typeof whole> | { arms?: Arm[]; starts_at?: Date; ends_at?: Date }, string[]]>([
  [{}, []],
  [{ starts_at: now, ends_at: later }, []],
  [{ currency: null as unknown as string }, ['`currency` is missing']],
  [{ ends_at: now }, ['`ends_at` is in the past']],
  [{ starts_at: later, ends_at: later }, ['`ends_at` is not after `starts_at`']],
  [{ arms: [] }, ['`arms` is empty']],
  [{ arms: [{ ...arm, weight: 0 }] }, ['every arm has the weight 0']],
  [
    { arms: [{ ...arm, ttl_minutes: null, value: null }] },
    ['arm a has no `ttl_minutes`', 'arm a has no `value`'],
  ],
  [{ arms: [{ ...arm, value: 0 }] }, ['arm a is not between 1 and 10000 basis points']],
  [{ arms: [{ ...arm, value: 10_001 }] }, ['arm a is not between 1 and 10000 basis points']],
  [{ arms: [{ ...arm, kind: 'amount', value: 0 }] }, ['arm a takes nothing off']],
  [{ arms: [{ ...arm, kind: 'fixed_price', value: 0 }] }, []],
  [{ arms: [{ ...arm, kind: 'free_fulfillment' }] }, ['arm a takes no `value`']],
  [{ arms: [{ ...arm, kind: 'free_fulfillment', value: null }] }, []],
])('%j lacks %j', (changes, gaps) => {
  expect(gapsOf({ ...whole, ...changes }, now)).toEqual(gaps)
})
