import type { Pools } from '../../platform/database/pool.ts'
import {
  type FailingStep,
  selectFailing,
  selectUnanswered,
  selectUnserved,
  type UnansweredCall,
  type UnservedWork,
} from './trouble.sql.ts'

/** What a person has to look at, as `prokura status` shows it. */
type Trouble = {
  unserved: readonly UnservedWork[]
  failing: readonly FailingStep[]
  unanswered: readonly UnansweredCall[]
}

/** One such item: the text that identifies it, the fields for the log, and a line for people. */
type Told = { about: string; fields: Record<string, unknown>; line: string }

export async function readTrouble(pools: Pick<Pools, 'read'>): Promise<Trouble> {
  const [unserved, failing, unanswered] = await Promise.all([
    pools.read(selectUnserved({})),
    pools.read(selectFailing({})),
    pools.read(selectUnanswered({})),
  ])
  return { unserved, failing, unanswered }
}

export function tellTrouble({ unserved, failing, unanswered }: Trouble): Told[] {
  return [
    ...unserved.map(tellUnserved),
    ...failing.map(tellFailing),
    ...unanswered.map(({ key: call, of, ...where }) => ({
      about: `unanswered ${call}`,
      fields: { ...where, call, of },
      line: `No answer: the ${where.step} ${call} of ${of}, sent ${where.sent_at.toISOString()}.`,
    })),
  ]
}

function tellUnserved({ kind, mode, channel, rows }: UnservedWork): Told {
  const which = [mode, channel].filter((part) => part !== '').join(' ')
  return {
    about: `unserved ${kind} ${which}`,
    fields: { kind, mode, channel, rows },
    line: `Unserved: ${kind}${which === '' ? '' : ` (${which})`}: ${rows} due, and no live worker has the means to run them.`,
  }
}

function tellFailing(step: FailingStep): Told {
  const { kind, account_id, mode, id, of, failures, failing_since, error } = step
  const owner = of === id ? '' : ` of ${of}`
  return {
    about: `failing ${kind} ${account_id} ${mode} ${id}`,
    fields: { kind, row: id, of, account_id, mode, failures, failing_since, step_error: error },
    line: `Failing: ${kind} ${id}${owner}, ${failures} times since ${failing_since.toISOString()}: ${error ?? 'unknown'}`,
  }
}
