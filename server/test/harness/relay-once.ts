import type { Follower } from '../../src/platform/events/follower.ts'
import { createRelay } from '../../src/platform/events/relay.ts'
import { noFaults } from '../../src/platform/faults/faults.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import type { TestApp } from './app.ts'

/** Has these followers, and no others, see all events that are there. */
export async function relayOnce({ parts }: TestApp, followers: readonly Follower[]): Promise<void> {
  const relay = createRelay({
    ...parts,
    log: silentLog(),
    metrics: createMetrics(),
    faults: noFaults,
    followers,
  })
  try {
    await relay.runOnce()
  } finally {
    await relay.stop()
  }
}
