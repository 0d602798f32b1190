import type { ImportStatus } from './import.ts'

/** The states of an import, and the moves between them. */
const importTable = {
  queued: { begin: 'running', cancel: 'cancelled' },
  running: { complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  completed: {},
  failed: {},
  cancelled: {},
} as const satisfies Record<ImportStatus, Partial<Record<ImportMove, ImportStatus>>>

type MovedTo<Move extends ImportMove> = {
  begin: 'running'
  complete: 'completed'
  fail: 'failed'
  cancel: 'cancelled'
}[Move]

export type ImportMove = 'begin' | 'complete' | 'fail' | 'cancel'

/** The state that a move leads to, or null where the table does not allow it. */
export function moved<Move extends ImportMove>(from: ImportStatus, move: Move): MovedTo<Move> | null {
  const moves: { [M in ImportMove]?: MovedTo<M> } = importTable[from]
  return moves[move] ?? null
}
