import { Writable } from 'node:stream'
import { expect } from 'vitest'
import { statement } from '../../src/contract/statement.ts'
import { runInvariants } from '../../src/platform/audit/invariants.ts'
import { platformInvariants } from '../../src/platform/audit/platform-invariants.ts'
import type { Follower, RelayedEvent } from '../../src/platform/events/follower.ts'
import { createRelay, type Relay } from '../../src/platform/events/relay.ts'
import { listBehind } from '../../src/platform/events/relay-status.ts'
import { createLog } from '../../src/platform/logs/logs.ts'
import { startSpine } from './spine.ts'

export const insertFollowed = statement<
  never,
  { follower: string; event_id: string; aggregate_id: string; sequence: number }
>(
  'insert_followed_by',
  `insert into followed (follower, event_id, aggregate_id, sequence) values ($follower, $event_id, $aggregate_id, $sequence)`,
)

/** A follower that writes a row for each event, in the order in which the events came, unless it fails. */
export function recorder(name: string, fails: (event: RelayedEvent) => boolean = () => false): Follower {
  return {
    name,
    follow(tx, events) {
      for (const event of events) {
        if (fails(event)) throw new Error(`${name} cannot follow ${event.aggregateId}`)
        const { id, aggregateId, sequence } = event
        tx.write(insertFollowed({ follower: name, event_id: id, aggregate_id: aggregateId, sequence }))
      }
    },
  }
}

type Line = {
  level: string
  msg: string
  aggregate?: string
  follower?: string
  type?: string
  event?: string
}

/** Relays on a database of their own, with followers that tests watch. `clock` is the time of these relays. */
export async function startFollowing() {
  const spine = await startSpine()
  await spine.sql(`create table followed (
    place bigserial, follower text, event_id text, aggregate_id text, sequence int, unique (follower, event_id))`)
  const clock = { ms: 0 }
  const opened: Relay[] = []

  function releaseShards() {
    return spine.sql(`update outbox_shards set holder = null, lease_until = '-infinity'`)
  }
  await releaseShards()

  function openRelay(followers: Follower[], leaseMs: number): Relay & { lines: Line[] } {
    clock.ms = Math.max(clock.ms, Date.now())
    const lines: Line[] = []
    const destination = new Writable({
      write(chunk, _, done) {
        lines.push(JSON.parse(String(chunk)))
        done()
      },
    })
    const log = createLog({ level: 'debug', role: 'test', destination })
    const now = { now: () => new Date(clock.ms), close: () => undefined }
    const relay = createRelay(spine.withMetrics({ followers, leaseMs, clock: now, log }))
    opened.push(relay)
    return Object.assign(relay, { lines })
  }

  return {
    spine,
    clock,
    releaseShards,
    openRelay,
    relayWith: (...followers: Follower[]) => openRelay(followers, 600),
    async followed(follower: string, aggregateId: string): Promise<number[]> {
      const rows = await spine.sql<{ sequence: number }>(
        'select sequence from followed where follower = $1 and aggregate_id = $2 order by place',
        [follower, aggregateId],
      )
      return rows.map(({ sequence }) => sequence)
    },
    async runFor(relay: Relay, seconds: number, stepSeconds: number): Promise<void> {
      for (let passed = 0; passed < seconds; passed += stepSeconds) {
        clock.ms += stepSeconds * 1000
        await relay.runOnce()
      }
    },
    /** What followers still have before them. */
    async behind() {
      const { aggregates } = await listBehind(spine.pools, ['waiting', 'failing', 'parked'], 100)
      return aggregates.map(
        ({ account_id: _, mode: __, behind_since: ___, of_aggregates: ____, ...rest }) => rest,
      )
    },
    /** Between tests: no relay runs, no shard is held, and nobody is behind. */
    async reset(): Promise<void> {
      await Promise.all(opened.splice(0).map((relay) => relay.stop()))
      await releaseShards()
      await spine.sql('delete from follower_backlog')
    },
    /** After all tests: no event is lost, none was followed twice, and every chain is whole. */
    async close(): Promise<void> {
      const report = await runInvariants(spine, platformInvariants)
      await spine.close()
      expect(report).toMatchObject({ ok: true })
      expect(report.invariants.find(({ id }) => id === 'W6')?.checked).toBeGreaterThan(0)
    },
  }
}
