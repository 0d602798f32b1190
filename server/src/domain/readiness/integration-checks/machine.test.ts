import { expect, test } from 'vitest'
import { next, terminalStates } from '../../../core/state-table.ts'
import { checkTable } from './machine.ts'

test('a check ends once: passed or failed', () => {
  expect(terminalStates(checkTable)).toEqual(['passed', 'failed'])
  for (const from of ['passed', 'failed'] as const)
    for (const trigger of ['wait', 'pass', 'fail'] as const)
      expect(next(checkTable, from, trigger)).toBeNull()
})
