import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { readIntentWithCarts } from './change-intent.ts'
import type { IntentRow, LoadedIntent } from './intent.ts'
import { isTerminalIntent } from './machine.ts'

/** How long a caller may wait at most: less than clients and proxies hold a silent request open. */
export const waitSecondsMax = 25

/**
 * Without a hint it looks again this late, for the hint that a process did not come to send before it died. While hints arrive, they
 * wake it and nothing else does.
 */
const quietMs = 10_000

export type Waiting = {
  readonly id: string
  readonly seconds: number
  /** What the caller has seen; null: what there is when the call arrives. */
  readonly afterSequence: number | null
}

/**
 * The intent once there is something to tell whoever waits, or once the time is over, the caller has gone, or the process stops. Holds a
 * place, and neither a connection nor a lock. Who is answered at once takes no place.
 */
export async function awaitChange(
  ctx: Pick<CallContext, 'tenant' | 'reads' | 'hold' | 'waitFor'>,
  { id, seconds, afterSequence }: Waiting,
): Promise<LoadedIntent> {
  const seen: { arrival: number | null; latest: LoadedIntent | null } = { arrival: null, latest: null }
  async function look(): Promise<LoadedIntent | null> {
    const loaded = await readIntentWithCarts(ctx, id)
    if (!loaded) throw new Problem('not_found', { param: 'purchase_intent_id' })
    seen.latest = loaded
    seen.arrival ??= loaded.intent.seq
    if (isWorthTelling(loaded.intent, { arrival: seen.arrival, afterSequence })) return loaded
    // A call that waits already keeps its places.
    ctx.hold('agentIntentWaits')
    ctx.hold('intentWaits')
    return null
  }
  const told = await ctx.waitFor(id, seconds * 1000, look, { quietMs })
  const latest = told ?? seen.latest
  if (!latest) throw new Error(`nobody has looked at ${id}`)
  return latest
}

/**
 * Whether whoever waits is answered. A sequence that is yet to come is no reason to sleep through changes; and who does not say what they
 * have seen does not know yet that somebody is needed.
 */
export function isWorthTelling(
  intent: Pick<IntentRow, 'status' | 'seq' | 'next_action'>,
  { arrival, afterSequence }: { arrival: number; afterSequence: number | null },
): boolean {
  if (isTerminalIntent(intent.status)) return true
  if (intent.seq > Math.min(afterSequence ?? arrival, arrival)) return true
  return afterSequence === null && intent.next_action !== null
}
