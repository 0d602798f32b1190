import type { CallContext } from '../../../contract/context.ts'
import { type RequestRates, takeRequestRates } from '../../../platform/limits/rates.ts'

/** The catalog and the registry are counted together. */
const discoveryRates: RequestRates = {
  anonymous: ['discoveryAnonymousMinute', 'discoveryAnonymousHour'],
  live: 'discoveryLive',
  test: 'discoveryTest',
}

export function takeDiscoveryRate(ctx: CallContext): Promise<void> {
  return takeRequestRates(ctx, discoveryRates)
}
