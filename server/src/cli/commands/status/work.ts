import { selectLiveWorkers } from '../../../platform/work/workers.sql.ts'
import { styled, table } from '../../terminal.ts'
import { countWork } from './count-work.sql.ts'
import type { Section } from './section.ts'

/** What workers do, and which of it is overdue. */
export const workSection: Section = async (pools) => {
  const [work, workers] = await Promise.all([pools.read(countWork({})), pools.read(selectLiveWorkers({}))])
  return { json: { work, workers }, lines: [...describe(work), `Workers: ${workers.length}.`] }
}

type Work = { kind: string; status: string; counted: number; overdue: number }

function describe(work: readonly Work[]): string[] {
  if (work.length === 0) return ['No purchase has been requested yet.']
  const rows = work.map(({ kind, status, counted, overdue }) => [
    kind,
    status,
    String(counted),
    overdue > 0 ? styled('red', `${overdue} overdue`) : '',
  ])
  return table(['WHAT', 'STATUS', 'COUNT', ''], rows)
}
