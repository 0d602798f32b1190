import type { CallContext } from '../../../contract/context.ts'
import { type RequestRates, takeRequestRates } from '../../../platform/limits/rates.ts'

/** What all operations of a payer are. */
export const ofPayers = {
  auth: 'payer',
  scope: null,
  surfaces: ['mpp'],
  forBound: 'refused',
  tag: 'MPP orders',
} as const

const rates: RequestRates = {
  anonymous: ['checkoutsAddressMinute', 'checkoutsAddressHour'],
  live: 'checkoutsAddressMinute',
  test: 'checkoutsAddressMinute',
}

/** Strangers have prices calculated here, and make rows. */
export function takeOrderRate(ctx: CallContext): Promise<void> {
  return takeRequestRates(ctx, rates)
}
