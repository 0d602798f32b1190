import { Gauge } from 'prom-client'
import type { Metrics } from './metrics.ts'

/** What waits in the database, for all processes together: each process reports the same. */
export type Backlog = {
  due: readonly { kind: string; state: string; rows: number }[]
  oldest: readonly { kind: string; seconds: number }[]
  unserved: readonly { kind: string; mode: string; channel: string; rows: number }[]
  failing: readonly { kind: string; rows: number }[]
  openPurchases: readonly { mode: string; status: string; purchases: number }[]
  openEffects: readonly { step: string; state: string; effects: number }[]
  held: readonly { mode: string; currency: string; amountMinor: number }[]
  unknownOutcomes: readonly { mode: string; carts: number }[]
  unrelayed: { events: number; oldestSeconds: number }
  /** Followers that are behind. */
  followers: readonly {
    follower: string
    waiting: number
    failing: number
    parked: number
    oldestSeconds: number
  }[]
}

const freshMs = 5_000
/** Reading the backlog may take this share of one connection's time, however large the backlog grows. */
const shareOfTime = 20

/** Reads the backlog whenever the metrics are read, but no more often than is good for the database. */
export function watchBacklog(
  { registry }: Pick<Metrics, 'registry'>,
  read: () => Promise<Backlog>,
  monotonicMs: () => number = () => performance.now(),
): void {
  let known: { backlog: Promise<Backlog | null>; untilMs: number } | null = null

  function current(): Promise<Backlog | null> {
    const startedMs = monotonicMs()
    if (known && startedMs < known.untilMs) return known.backlog
    // While the database does not answer there is no figure, which says more than an old one.
    const backlog = read().catch(() => null)
    const entry = { backlog, untilMs: Number.POSITIVE_INFINITY }
    known = entry
    void backlog.finally(() => {
      entry.untilMs = startedMs + Math.max(freshMs, (monotonicMs() - startedMs) * shareOfTime)
    })
    return backlog
  }

  const gauge: AddGauge = (name, help, labelNames, values) => {
    new Gauge({
      name: `prokura_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const backlog = await current()
        this.reset()
        if (backlog === null && labelNames.length === 0) this.remove()
        for (const { labels, value } of backlog ? values(backlog) : []) this.set(labels, value)
      },
    })
  }
  addWorkGauges(gauge)
  addRelayGauges(gauge)
}

type AddGauge = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  values: (backlog: Backlog) => readonly { labels: Record<Label, string>; value: number }[],
) => void

function addWorkGauges(gauge: AddGauge): void {
  gauge(
    'due_rows',
    'Rows that workers look at: waiting, leased, or scheduled for later',
    ['kind', 'state'],
    ({ due }) => due.map(({ kind, state, rows }) => ({ labels: { kind, state }, value: rows })),
  )
  gauge('due_oldest_seconds', 'How long the oldest row has waited for a worker', ['kind'], ({ oldest }) =>
    oldest.map(({ kind, seconds }) => ({ labels: { kind }, value: seconds })),
  )
  gauge(
    'work_unserved',
    'Rows that have been due for a minute and that no live worker has the means for',
    ['kind', 'mode', 'channel'],
    ({ unserved }) =>
      unserved.map(({ kind, mode, channel, rows }) => ({ labels: { kind, mode, channel }, value: rows })),
  )
  gauge(
    'work_failing',
    'Rows whose step has known nothing but failure for an hour',
    ['kind'],
    ({ failing }) => failing.map(({ kind, rows }) => ({ labels: { kind }, value: rows })),
  )
  gauge('open_purchases', 'Purchases that are not over', ['mode', 'status'], ({ openPurchases }) =>
    openPurchases.map(({ mode, status, purchases }) => ({ labels: { mode, status }, value: purchases })),
  )
  gauge(
    'open_effects',
    'Calls that move money or place orders: on their way, of unknown outcome, or put off since they are turned away',
    ['step', 'state'],
    ({ openEffects }) =>
      openEffects.map(({ step, state, effects }) => ({ labels: { step, state }, value: effects })),
  )
  gauge(
    'held_amount_minor',
    'Money that is authorized and not captured, in minor units',
    ['mode', 'currency'],
    ({ held }) =>
      held.map(({ mode, currency, amountMinor }) => ({ labels: { mode, currency }, value: amountMinor })),
  )
  gauge(
    'unknown_outcomes',
    'Carts of which nobody knows whether they were bought: a person decides',
    ['mode'],
    ({ unknownOutcomes }) => unknownOutcomes.map(({ mode, carts }) => ({ labels: { mode }, value: carts })),
  )
}

function addRelayGauges(gauge: AddGauge): void {
  gauge(
    'unrelayed_events',
    'Events of which nothing has followed yet, and that no audit chain holds',
    [],
    ({ unrelayed }) => [{ labels: {}, value: unrelayed.events }],
  )
  gauge('unrelayed_oldest_seconds', 'The age of the oldest of these events', [], ({ unrelayed }) => [
    { labels: {}, value: unrelayed.oldestSeconds },
  ])
  gauge(
    'relay_parked_events',
    'Events that a follower has failed at for hours: it tries them every hour',
    [],
    ({ followers }) => [{ labels: {}, value: sumOf(followers.map(({ parked }) => parked)) }],
  )
  gauge(
    'relay_failing_events',
    'Events that a follower fails at, and what waits behind them',
    [],
    ({ followers }) => [
      { labels: {}, value: sumOf(followers.map(({ failing, waiting }) => failing + waiting)) },
    ],
  )
  gauge(
    'follower_events',
    'Events that a follower has not followed: waiting, failing or parked',
    ['follower', 'state'],
    ({ followers }) =>
      followers.flatMap(({ follower, waiting, failing, parked }) =>
        Object.entries({ waiting, failing, parked }).map(([state, value]) => ({
          labels: { follower, state },
          value,
        })),
      ),
  )
  gauge(
    'follower_behind_seconds',
    'How long the oldest of these events has waited for its follower',
    ['follower'],
    ({ followers }) =>
      followers.map(({ follower, oldestSeconds }) => ({ labels: { follower }, value: oldestSeconds })),
  )
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
