import { expect, test } from 'vitest'
import { aboutFallback } from './rail-fallback.ts'

const day = (number: number) => new Date(Date.UTC(2026, 0, number))
const confirmed = { confirmed_at: day(1), confirmed_by: 'Jane', stopped_at: null, stopped_by: null }

test.each([
  ['nobody has confirmed it', null, day(1), 'lacks', 'Nobody has confirmed it yet.'],
  ['it was confirmed', confirmed, day(1), 'ok', 'Jane has confirmed it on 2026-01-01.'],
  ['its 90 days are not over', confirmed, new Date(day(91).getTime() - 1), 'ok', 'Jane'],
  ['its 90 days are over', confirmed, day(91), 'lacks', 'That is too long ago.'],
  [
    'a charge has shown that it is not so',
    { ...confirmed, stopped_at: day(3), stopped_by: 'iauth_1' },
    day(4),
    'lacks',
    'No card is shown to a shop since 2026-01-03: the charge iauth_1',
  ],
] as const)('the fallback of charges without an answer, where %s', (_, program, now, state, says) => {
  const found = aboutFallback(program, now)
  expect(found).toMatchObject({ what: 'fallback', state, says: expect.stringContaining(says) })
  if (state === 'lacks') expect(found.says).toContain('--confirm-fallback decline')
})
