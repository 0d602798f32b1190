import type { StateTable } from '../../../core/state-table.ts'

export const checkKinds = ['quote', 'order'] as const
export type CheckKind = (typeof checkKinds)[number]

export const checkStatuses = ['queued', 'running', 'passed', 'failed'] as const
export type CheckStatus = (typeof checkStatuses)[number]

export type CheckTrigger = 'wait' | 'pass' | 'fail'

/** A check runs while it waits for something that is still to come. What it found is final; another check finds anew. */
export const checkTable = {
  queued: { wait: 'running', pass: 'passed', fail: 'failed' },
  running: { wait: 'running', pass: 'passed', fail: 'failed' },
  passed: {},
  failed: {},
} as const satisfies StateTable<CheckStatus, CheckTrigger>
