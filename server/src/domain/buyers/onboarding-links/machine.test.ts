import { expect, test } from 'vitest'
import { next, terminalStates } from '../../../core/state-table.ts'
import { statusAt } from './link.ts'
import { linkStatuses, linkTable } from './machine.ts'

test('a link is opened once, sent once, and over for good after that', () => {
  expect(next(linkTable, 'pending', 'open')).toBe('opened')
  expect(next(linkTable, 'opened', 'open')).toBeNull()
  expect(next(linkTable, 'pending', 'complete')).toBeNull()
  expect(next(linkTable, 'opened', 'complete')).toBe('completed')
  expect(terminalStates(linkTable)).toEqual(['completed', 'expired', 'revoked'])
  expect(Object.keys(linkTable)).toEqual([...linkStatuses])
})

test('a link is expired at the moment its time is up, however late it is marked; what is over stays as it ended', () => {
  const at = (minutes: number) => new Date(minutes * 60_000)
  const pending = { status: 'pending', expires_at: at(60), session_expires_at: null } as const
  expect(statusAt(pending, new Date(60 * 60_000 - 1))).toBe('pending')
  expect(statusAt(pending, at(60))).toBe('expired')
  const opened = { status: 'opened', expires_at: at(60), session_expires_at: at(85) } as const
  expect(statusAt(opened, at(84))).toBe('opened')
  expect(statusAt(opened, at(85))).toBe('expired')
  expect(statusAt({ ...opened, status: 'completed' }, at(1000))).toBe('completed')
  expect(statusAt({ ...opened, status: 'revoked' }, at(1000))).toBe('revoked')
})
