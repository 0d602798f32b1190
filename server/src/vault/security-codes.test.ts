import { expect, test } from 'vitest'
import { SecurityCodes } from './security-codes.ts'

const place = { accountId: 'acct_1', mode: 'test', id: 'vrec_1' }

function atTime() {
  const clock = { ms: 0 }
  return { clock, codes: new SecurityCodes(() => clock.ms) }
}

test('a code is there for a quarter of an hour, and not a moment longer', () => {
  const { clock, codes } = atTime()
  codes.keep(place, '123')
  clock.ms = 15 * 60_000 - 1
  expect(codes.look(place)).toBe('123')
  clock.ms = 15 * 60_000
  expect(codes.look(place)).toBeNull()
  codes.close()
})

test('it is gone when it is used, and belongs to one record of one account and mode', () => {
  const { codes } = atTime()
  codes.keep(place, '123')
  const others = [
    { ...place, accountId: 'acct_2' },
    { ...place, mode: 'live' },
    { ...place, id: 'vrec_2' },
  ]
  expect(others.map((other) => codes.look(other))).toEqual([null, null, null])
  for (const other of others) codes.forget(other)
  expect(codes.look(place)).toBe('123')
  codes.forget(place)
  expect(codes.look(place)).toBeNull()
})

test('its bytes are overwritten once it is forgotten, replaced, or the process ends in peace', () => {
  const kept: Buffer[] = []
  const from = Buffer.from
  // Looks at the very bytes that hold the code.
  Buffer.from = ((...args: Parameters<typeof from>) => {
    const made = from(...args)
    kept.push(made)
    return made
  }) as typeof Buffer.from
  try {
    const { codes } = atTime()
    codes.keep(place, '123')
    codes.keep(place, '456')
    codes.forget(place)
    codes.keep(place, '789')
    codes.close()
  } finally {
    Buffer.from = from
  }
  expect(kept.map((bytes) => [...bytes])).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ])
})
