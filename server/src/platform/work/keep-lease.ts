import type { leaseStatements } from './lease.sql.ts'
import { type Claimed, LeaseLost } from './lease.ts'
import type { StepContext } from './work.ts'

type Kept = {
  readonly row: Claimed
  /** As logs call it: "cart". */
  readonly what: string
  readonly leases: Pick<ReturnType<typeof leaseStatements>, 'renew'>
  readonly leaseSeconds: number
  readonly renewMs: number
  /** With less than this left, a lease that could not be renewed is given up. */
  readonly marginMs: number
}

/**
 * Runs a call that may take longer than a lease, and renews the lease of the row meanwhile. Once somebody else holds the row, the call is
 * ended, and its answer counts for nothing.
 */
export async function keepLease<T>(
  step: Pick<StepContext, 'lease' | 'single' | 'log'>,
  { row, what, leases, leaseSeconds, renewMs, marginMs }: Kept,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  const timer = setInterval(() => void renew(), renewMs)
  const renew = async () => {
    const sentAtMs = performance.now()
    try {
      const rows = await step.single(leases.renew(row, leaseSeconds))
      if (rows.length === 0) lost.abort(new LeaseLost())
      else step.lease.renewed(sentAtMs)
    } catch (error) {
      // The next try may succeed; a lease that ends meanwhile is noticed by what is left of it.
      step.log.warn({ err: error }, `${what}: its lease was not renewed`)
      if (step.lease.remainingMs() < marginMs) lost.abort(new LeaseLost())
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
