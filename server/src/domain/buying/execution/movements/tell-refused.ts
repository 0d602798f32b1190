import type { StepContext } from '../../../../platform/work/work.ts'
import type { CountMovements } from './read-feed.ts'

/** Once it is committed, because a transaction may run several times. The log names no credential. */
export function tellRefused({ log }: Pick<StepContext, 'log'>, refused: number, count: CountMovements): void {
  if (refused === 0) return
  count('refused', refused)
  log.warn({ refused }, 'rail: it reports a refund above what was captured; it is not counted')
}
