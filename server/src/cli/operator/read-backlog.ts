import { queues } from '../../composition.ts'
import type { Pools } from '../../platform/database/pool.ts'
import { selectLag } from '../../platform/events/relay.sql.ts'
import { followersBehind } from '../../platform/events/relay-status.ts'
import type { Backlog } from '../../platform/metrics/backlog.ts'
import { type BacklogRow, countBacklog } from './backlog.sql.ts'

/** What waits, for the metrics. Empty queues are reported as 0: an absent figure would look like a broken one. */
export async function readBacklog(pools: Pick<Pools, 'read'>): Promise<Backlog> {
  const [rows, [lag], followers] = await Promise.all([
    pools.read(countBacklog({})),
    pools.read(selectLag({})),
    followersBehind(pools),
  ])
  const of = (family: BacklogRow['family']) => rows.filter((row) => row.family === family)
  const due = of('due')
  const oldest = of('oldest')
  const unknown = of('unknown')
  return {
    due: kinds.flatMap((kind) =>
      states.map((state) => ({
        kind,
        state,
        rows: due.find((row) => row.label === kind && row.state === state)?.value ?? 0,
      })),
    ),
    oldest: kinds.map((kind) => ({ kind, seconds: oldest.find(({ label }) => label === kind)?.value ?? 0 })),
    unserved: kinds.flatMap((kind) => {
      const found = of('unserved').filter(({ label }) => label === kind)
      if (found.length === 0) return [{ kind, mode: '', channel: '', rows: 0 }]
      return found.map(({ state, value }) => {
        const [mode = '', channel = ''] = state.split(' ')
        return { kind, mode, channel, rows: value }
      })
    }),
    failing: kinds.map((kind) => ({
      kind,
      rows: of('failing').find(({ label }) => label === kind)?.value ?? 0,
    })),
    openPurchases: of('purchases').map(({ label, state, value }) => ({
      mode: label,
      status: state,
      purchases: value,
    })),
    openEffects: of('effects').map(({ label, state, value }) => ({ step: label, state, effects: value })),
    held: of('held').map(({ label, state, value }) => ({ mode: label, currency: state, amountMinor: value })),
    unknownOutcomes: ['test', 'live'].map((mode) => ({
      mode,
      carts: unknown.find(({ label }) => label === mode)?.value ?? 0,
    })),
    unrelayed: { events: Number(lag?.pending ?? 0), oldestSeconds: lag?.oldest_seconds ?? 0 },
    followers,
  }
}

const kinds = queues.map(({ kind }) => kind)
const states = ['waiting', 'leased', 'scheduled']
