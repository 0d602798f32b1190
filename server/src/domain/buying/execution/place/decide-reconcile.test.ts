import { expect, test } from 'vitest'
import type { EffectRow } from '../journal.ts'
import {
  at,
  beginsSomething,
  brief,
  decided,
  effect,
  hold,
  issued,
  now,
  paid,
  type Row,
  shop,
} from '../states.testing.ts'

const credential = [hold('authorized', { kind: 'credential' })]
const lost = (more: Partial<EffectRow>): Row[1] => ({
  ...shop,
  effects: [issued, effect('place', 'unknown', { sent_at: at(-10), not_before: at(5), ...more })],
  holds: credential,
})
const person = (more: Partial<EffectRow> = {}): EffectRow =>
  effect('authorize', 'unknown', {
    heard: 'pending',
    asked: 9,
    asked_at: at(-5),
    answer: { kind: 'needs_person', url: 'https://bank.example/1', until: at(12).toISOString() },
    ...more,
  })
const rows: Row[] = [
  ['the person of a payment is waited for', { effects: [person()] }, 'wait 12s backoff'],
  ['and asked about now and then', { effects: [person({ asked_at: at(-20) })] }, 'ask authorize'],
  ['and at once when something has happened', { isWoken: true, effects: [person()] }, 'ask authorize'],
  ['in a freeze too', { isFrozen: true, isWoken: true, effects: [person()] }, 'ask authorize'],
  ['until their time is over', { now: at(12), effects: [person()] }, 'close authorize'],
  [
    'a rail that does not close it is told again, later',
    { now: at(13), effects: [person({ heard: 'nothing', asked: 3, asked_at: at(12) })] },
    'wait 16s backoff',
  ],
  [
    'nobody confirms a payment for a cart that is over',
    { cart: { status: 'cancelled', isCleanup: true }, effects: [person()] },
    'close authorize',
  ],
  [
    'the rail is asked about a call that a worker left behind',
    { effects: [effect('authorize', 'sent')] },
    'ask authorize',
  ],
  ['even in a freeze', { isFrozen: true, effects: [effect('authorize', 'sent')] }, 'ask authorize'],
  [
    'a rail that does not answer is asked again, later',
    { effects: [effect('authorize', 'unknown', { heard: 'nothing', asked: 3, asked_at: now })] },
    'wait 4s backoff',
  ],
  [
    'a call that a rail never saw is sent again',
    { effects: [effect('authorize', 'unknown', { heard: 'not_found' })] },
    'send authorize',
  ],
  [
    'a refund of a cart that is over too, in a freeze too',
    {
      isFrozen: true,
      cart: { status: 'failed' },
      effects: [effect('refund', 'unknown', { heard: 'not_found', tries: 50 })],
      holds: [hold('captured')],
    },
    'send refund',
  ],
  [
    'but no new money in a freeze',
    { isFrozen: true, effects: [effect('authorize', 'unknown', { heard: 'not_found' })] },
    'wait 900s frozen',
  ],
  [
    'and not for ever',
    { effects: [effect('authorize', 'unknown', { heard: 'not_found', tries: 5 })] },
    'close authorize',
  ],
  [
    'and not for a cart that is over',
    { cart: { status: 'cancelled' }, effects: [effect('authorize', 'unknown', { heard: 'not_found' })] },
    'close authorize',
  ],
  [
    'a closed key waits for the last call to end',
    { effects: [effect('authorize', 'unknown', { heard: 'closed', not_before: at(5) })] },
    'wait 5s proof',
  ],
  [
    'a closed key proves it then',
    { effects: [effect('authorize', 'unknown', { heard: 'closed' })] },
    'settle authorize',
  ],
  [
    'a capture that never arrived is sent again, in a freeze too',
    {
      isFrozen: true,
      effects: [
        paid,
        effect('place', 'done'),
        effect('capture', 'unknown', { heard: 'not_found', tries: 9 }),
      ],
      holds: [hold('authorized')],
    },
    'send capture',
  ],
  [
    'a void that never arrived is sent again',
    {
      cart: { status: 'cancelled' },
      effects: [paid, effect('void', 'unknown', { heard: 'not_found' })],
      holds: [hold('authorized')],
    },
    'send void',
  ],
  ['an order whose answer was lost is asked about', lost({}), 'ask place'],
  [
    'an order that a shop does not know is closed, never sent again',
    lost({ heard: 'not_found' }),
    'close place',
  ],
  ['a closed order waits for the last call to end', lost({ heard: 'closed' }), 'wait 5s proof'],
  ['a closed order is not placed', lost({ heard: 'closed', not_before: now }), 'settle place'],
  [
    'an order on its way is waited for',
    lost({ heard: 'pending', asked: 1, asked_at: now }),
    'wait 1s backoff',
  ],
  [
    'an order on its way for too long is closed',
    lost({ heard: 'pending', sent_at: at(-900) }),
    'close place',
  ],
  [
    'a shop that stays silent is asked again',
    lost({ heard: 'nothing', asked: 2, asked_at: at(-2) }),
    'ask place',
  ],
  [
    'a shop that stays silent for too long loses its credential',
    lost({ heard: 'nothing', sent_at: at(-900) }),
    'send revoke',
  ],
  [
    'without its credential it can not have charged',
    { ...lost({ heard: 'nothing', sent_at: at(-900) }), holds: [hold('voided', { kind: 'credential' })] },
    'settle place',
  ],
  [
    'a charge without an order is a case for a person',
    { ...lost({ heard: 'nothing', sent_at: at(-900) }), holds: [hold('captured', { kind: 'credential' })] },
    'fail outcome_unknown',
  ],
  [
    'an order that is not placed lets go',
    { ...shop, effects: [issued, effect('place', 'closed')], holds: credential },
    'send revoke',
  ],
  [
    'an order that is not placed can be tried again',
    {
      ...shop,
      effects: [issued, effect('place', 'closed')],
      holds: [hold('voided', { kind: 'credential' })],
    },
    'fail merchant_unavailable same',
  ],
]

test.each(rows)('%s', (_, change, expected) => {
  expect(brief(decided(change))).toBe(expected)
})

test('no frozen cart begins anything', () => {
  for (const [, change] of rows) expect(beginsSomething(decided({ ...change, isFrozen: true }))).toBe(false)
})

test('no cart that is over begins or captures anything', () => {
  for (const [, change] of rows) {
    for (const status of ['cancelled', 'failed', 'succeeded'] as const) {
      const step = decided({ ...change, cart: { ...change.cart, status } })
      expect(beginsSomething(step) || (step.kind === 'send' && step.step === 'capture')).toBe(false)
    }
  }
})
