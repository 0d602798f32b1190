import fc from 'fast-check'
import { expect, test } from 'vitest'
import { next, terminalStates } from '../../../core/state-table.ts'
import { movesByTime, nextMoveAt, promotionStatuses, promotionTable, statusAt } from './machine.ts'

test('only active promotions are paused, only paused ones resume, and ended ones stay ended', () => {
  const moves = Object.entries(promotionTable).flatMap(([from, to]) =>
    Object.entries(to).map(([trigger, state]) => `${from} ${trigger} ${state}`),
  )
  expect(moves).toEqual([
    'draft schedule scheduled',
    'draft start active',
    'draft archive archived',
    'scheduled start active',
    'scheduled end ended',
    'active pause paused',
    'active end ended',
    'paused resume active',
    'paused end ended',
    'ended archive archived',
  ])
  expect(terminalStates(promotionTable)).toEqual(['archived'])
  expect(Object.keys(promotionTable)).toEqual([...promotionStatuses])
  expect(next(promotionTable, 'ended', 'resume')).toBeNull()
})

const minute = (count: number) => new Date(count * 60_000)

test.each([
  ['scheduled', 10, 20, 9, [], 'scheduled'],
  ['scheduled', 10, 20, 10, ['start'], 'active'],
  ['scheduled', 10, 20, 20, ['start', 'end'], 'ended'],
  ['scheduled', 30, 20, 20, ['end'], 'ended'],
  ['active', 10, 20, 19, [], 'active'],
  ['active', 10, 20, 20, ['end'], 'ended'],
  ['active', 10, null, 999, [], 'active'],
  ['paused', 10, 20, 20, ['end'], 'ended'],
  ['draft', 10, 20, 999, [], 'draft'],
  ['ended', 10, 20, 999, [], 'ended'],
  ['archived', 10, 20, 999, [], 'archived'],
] as const)(
  '%s from minute %i to %s is moved at minute %i by %j and is %s',
  (status, starts, ends, at, moves, is) => {
    const row = { status, starts_at: minute(starts), ends_at: ends === null ? null : minute(ends) }
    expect(movesByTime(row, minute(at))).toEqual(moves)
    expect(statusAt(row, minute(at))).toBe(is)
  },
)

test('each move of time is one that the table allows, and the next one comes at the time that it names', () => {
  const instant = fc.integer({ min: 0, max: 10 }).map(minute)
  fc.assert(
    fc.property(
      fc.constantFrom(...promotionStatuses),
      fc.option(instant, { nil: null }),
      fc.option(instant, { nil: null }),
      instant,
      (status, starts_at, ends_at, now) => {
        let row = { status, starts_at, ends_at }
        for (const move of movesByTime(row, now)) {
          const to = next(promotionTable, row.status, move)
          expect(to).not.toBeNull()
          row = { ...row, status: to ?? row.status }
        }
        expect(row.status).toBe(statusAt({ status, starts_at, ends_at }, now))
        expect(movesByTime(row, now)).toEqual([])
        const due = nextMoveAt(row)
        if (due !== null) expect(due > now).toBe(true)
      },
    ),
  )
})
