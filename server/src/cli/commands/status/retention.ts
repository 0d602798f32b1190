import { type SweepRow, selectSweeps } from '../../../platform/retention/sweeps.sql.ts'
import type { Section } from './section.ts'

/** What was swept last, for each kind of rows that is kept for a limited time. */
export const retentionSection: Section = async (pools) => {
  const rows = await pools.read(selectSweeps({}))
  return {
    json: { retention: rows.map(renderSweep) },
    lines:
      rows.length === 0
        ? ['Nothing was swept yet. A worker sweeps every hour.']
        : [`Last sweeps: ${rows.map(describe).join('; ')}.`],
  }
}

function renderSweep(row: SweepRow) {
  return {
    name: row.name,
    swept_before: row.swept_before.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    rows: Number(row.rows),
    oldest: row.oldest?.toISOString() ?? null,
    rows_in_all: Number(row.rows_in_all),
  }
}

function describe({ name, rows, ended_at, swept_before }: SweepRow): string {
  const before = swept_before.toISOString().slice(0, 10)
  if (ended_at === null) return `${name} from before ${before} are being swept`
  return `${rows} of ${name} from before ${before}, at ${ended_at.toISOString().slice(0, 16)}`
}
