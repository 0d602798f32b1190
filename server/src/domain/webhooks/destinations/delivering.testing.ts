import { expect } from 'vitest'
import { brokenInvariants } from '../../../../test/harness/broken-invariants.ts'
import { type Delivering, startDelivering } from '../../../../test/harness/deliveries.ts'
import { installTestClock } from '../../../platform/clock/test-clock.ts'
import { destinationInvariants } from './invariants.sql.ts'

/** Deliveries under a clock that tests move. When they stop, every invariant of destinations must hold, whatever was delivered. */
export async function startSoundDelivering(): Promise<Delivering> {
  const delivering = await startDelivering({ testClock: true })
  await installTestClock(delivering.app.databaseUrl)
  return {
    ...delivering,
    async stop() {
      const broken = await brokenInvariants(delivering.app, destinationInvariants)
      await delivering.stop()
      expect(broken).toEqual([])
    },
  }
}
