import type { BehindAggregate } from '../../platform/events/backlog.sql.ts'
import { styled, table } from '../terminal.ts'

/** What a follower is behind with, as JSON. */
export function renderBehind(one: BehindAggregate) {
  const { of_aggregates: _, ...rest } = one
  return rest
}

/** The same in lines for people: a table, and below it the error of each try. */
export function behindLines(behind: readonly BehindAggregate[]): string[] {
  const rows = behind.map((one) => [
    one.follower,
    one.state,
    one.event_id,
    one.event_type ?? 'unknown',
    one.aggregate_id,
    (one.failing_since ?? one.behind_since).toISOString(),
    String(one.tries),
    one.events > 1 ? `${one.events - 1} behind it` : '',
  ])
  const [head = '', ...lines] = table(
    ['FOLLOWER', 'STATE', 'EVENT', 'TYPE', 'OBJECT', 'SINCE', 'TRIES', ''],
    rows,
  )
  const said = lines.flatMap((line, at) => {
    const error = behind[at]?.last_error
    return error ? [line, styled('dim', `  ${error.replaceAll(/\s+/g, ' ')}`)] : [line]
  })
  return [head, ...said]
}

export function age(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3600)} h`
}
