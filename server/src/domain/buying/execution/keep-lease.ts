import { keepLease as keepLeaseOf } from '../../../platform/work/keep-lease.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { type ClaimedCart, cartLeases } from '../intents/writes.sql.ts'
import { timing } from '../rails/public.ts'

/** Runs a call that may take longer than the lease of a cart. */
export function keepLease<T>(
  step: Pick<StepContext, 'lease' | 'single' | 'log'>,
  row: ClaimedCart,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return keepLeaseOf(step, { row, what: 'cart', leases: cartLeases, ...timing }, run)
}
