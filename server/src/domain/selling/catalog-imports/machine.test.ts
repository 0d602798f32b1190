import { expect, test } from 'vitest'
import { importStatuses } from './import.ts'
import { moved } from './machine.ts'

test('an import begins once, ends once, and never comes back', () => {
  const moves = ['begin', 'complete', 'fail', 'cancel'] as const
  const table = Object.fromEntries(
    importStatuses.map((from) => [from, moves.map((move) => moved(from, move))]),
  )
  expect(table).toEqual({
    queued: ['running', null, null, 'cancelled'],
    running: [null, 'completed', 'failed', 'cancelled'],
    completed: [null, null, null, null],
    failed: [null, null, null, null],
    cancelled: [null, null, null, null],
  })
})
