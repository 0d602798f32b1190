import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../gate/pace.ts'
import { queryStored } from './load/query-stored.ts'
import type { Tally } from './suite.ts'
import type { Service } from './whole-product.ts'

/** Six times as long as a dead relay keeps its shards. */
const unmovedMs = 60_000

/**
 * Leases of the relay's shards end in real time, not by the test clock. Workers that took over and ended their purchase within seconds may
 * all have been too early for them. The audit goes by the test clock, so what is left is relayed before it.
 */
export async function relayRest(service: Service, tally: Tally): Promise<void> {
  const worker = await service.startRole('worker')
  let wait = patience(unmovedMs)
  for (let before = -1; ; await delay(100)) {
    const left = await queryStored(
      service.ready.database_url,
      'select 1 from outbox union all select 1 from follower_backlog',
    )
    if (left.length === 0) break
    if (left.length !== before) wait = patience(unmovedMs)
    before = left.length
    if (!wait.isOver()) continue
    tally.fail(`${left.length} events wait and no relay carries them`)
    break
  }
  await worker.stop(8000)
}
