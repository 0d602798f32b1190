import type { ImportStatus } from './import.ts'

/** What can become of an import, and by what. */
export const importTable = {
  queued: { begin: 'running', cancel: 'cancelled' },
  running: { complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  completed: {},
  failed: {},
  cancelled: {},
} as const satisfies Record<ImportStatus, Partial<Record<ImportMove, ImportStatus>>>

export type ImportMove = 'begin' | 'complete' | 'fail' | 'cancel'

/** Where a move leads, or null where it is none. */
export function moved(from: ImportStatus, move: ImportMove): ImportStatus | null {
  const moves: Partial<Record<ImportMove, ImportStatus>> = importTable[from]
  return moves[move] ?? null
}
