import type { StateTable } from '../../../core/state-table.ts'

export const checkKinds = ['quote', 'order'] as const
export type CheckKind = (typeof checkKinds)[number]

export const checkStatuses = ['queued', 'running', 'passed', 'failed'] as const
export type CheckStatus = (typeof checkStatuses)[number]

type CheckTrigger = 'wait' | 'pass' | 'fail'

/** A check runs while it waits for something. Its result is final; a new result needs another check. */
export const checkTable = {
  queued: { wait: 'running', pass: 'passed', fail: 'failed' },
  running: { wait: 'running', pass: 'passed', fail: 'failed' },
  passed: {},
  failed: {},
} as const satisfies StateTable<CheckStatus, CheckTrigger>
