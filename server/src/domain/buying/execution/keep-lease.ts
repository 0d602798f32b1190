import { LeaseLost } from '../../../platform/work/lease.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { type ClaimedCart, cartLeases } from '../intents/writes.sql.ts'
import { timing } from './timing.ts'

/**
 * Runs a call that may take longer than a lease, and renews the lease of the cart meanwhile. Once somebody else holds the cart, the call
 * is ended, and its answer counts for nothing.
 */
export async function keepLease<T>(
  step: Pick<StepContext, 'lease' | 'single' | 'log'>,
  row: ClaimedCart,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  const timer = setInterval(() => void renew(), timing.renewMs)
  const renew = async () => {
    const sentAtMs = performance.now()
    try {
      const rows = await step.single(cartLeases.renew(row, timing.leaseSeconds))
      if (rows.length === 0) lost.abort(new LeaseLost())
      else step.lease.renewed(sentAtMs)
    } catch (error) {
      // The next try may succeed; a lease that ends meanwhile is noticed by what is left of it.
      step.log.warn({ err: error }, 'cart: its lease was not renewed')
      if (step.lease.remainingMs() < timing.marginMs) lost.abort(new LeaseLost())
    }
  }
  try {
    const answer = await run(lost.signal)
    lost.signal.throwIfAborted()
    return answer
  } finally {
    clearInterval(timer)
  }
}
