import { expect, test } from 'vitest'
import { brief, decided, effect, hold, type Row } from './facts.testing.ts'

/** An attempt whose order would have the id of another cart's order. */
const taken = { isOrderIdTaken: true, cart: { attempt: 2 } } as const
const givingUp: Row[] = [
  [
    'the rail is asked first about a call that was sent',
    { ...taken, effects: [effect('authorize', 'sent', { attempt: 2 })] },
    'ask authorize 2',
  ],
  [
    'a call that the rail never saw is closed there, and not sent again',
    { ...taken, effects: [effect('authorize', 'unknown', { attempt: 2, heard: 'not_found' })] },
    'close authorize 2',
  ],
  [
    'held money is released',
    {
      ...taken,
      effects: [effect('authorize', 'done', { attempt: 2 })],
      holds: [hold('authorized', { attempt: 2 })],
    },
    'send void 2',
  ],
  [
    'a freeze does not keep held money',
    {
      ...taken,
      isFrozen: true,
      effects: [effect('authorize', 'done', { attempt: 2 })],
      holds: [hold('authorized', { attempt: 2 })],
    },
    'send void 2',
  ],
  [
    'it fails once nothing is held, and may be tried again',
    {
      ...taken,
      effects: [effect('authorize', 'done', { attempt: 2 }), effect('void', 'done', { attempt: 2 })],
      holds: [hold('voided', { attempt: 2 })],
    },
    'fail internal_error same',
  ],
]

test.each(givingUp)('when the id of its order is taken, %s', (_, change, expected) => {
  expect(brief(decided(change))).toBe(expected)
})
