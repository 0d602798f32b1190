import { afterAll, beforeAll, describe } from 'vitest'
import { testChargedCredentials } from './payment-rail/charged-by-merchants.ts'
import { testHoldsAndCharges } from './payment-rail/holds-and-charges.ts'
import { testLostAndClosedCalls } from './payment-rail/lost-and-closed.ts'
import { createRailCalls, type RailUnderTest } from './payment-rail/rail-under-test.ts'
import { testTurnedAwayCalls } from './payment-rail/turned-away.ts'

/** What every payment rail must do. Adapters run these tests against the real thing. */
export function conformsToPaymentRail(
  name: string,
  start: () => Promise<RailUnderTest>,
  { issuesCredentials = true } = {},
): void {
  describe(`${name} as a payment rail`, () => {
    let under: RailUnderTest
    beforeAll(async () => {
      under = await start()
    })
    afterAll(() => under?.stop())

    const calls = createRailCalls(() => under)
    testHoldsAndCharges(calls)
    if (issuesCredentials) testChargedCredentials(calls)
    testLostAndClosedCalls(calls)
    testTurnedAwayCalls(calls)
  })
}
