import type { CallContext } from '../../../../contract/context.ts'
import { Problem } from '../../../../contract/problem.ts'
import { readIntentWithCarts } from '../change-intent.ts'
import type { IntentRow, LoadedIntent } from '../intent.ts'
import { isTerminalIntent } from '../machine.ts'

/** How long a caller may wait at most: less than clients and proxies hold a silent request open. */
export const waitSecondsMax = 25

/**
 * After this long without a hint it looks again, in case a process died before it sent its hint. While hints arrive, only they wake it.
 */
const quietMs = 10_000

type Waiting = {
  readonly id: string
  readonly seconds: number
  /** The last sequence that the caller has seen; null: the one at the time of the call. */
  readonly afterSequence: number | null
}

/**
 * Returns the intent once the caller should be answered, or once the time is over, the caller has left, or the process stops. It holds a
 * place, and neither a connection nor a lock. A call that is answered at once takes no place.
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
    // guard purchase-waits-of-an-agent: an agent waits for so many purchases at once
    ctx.hold('agentIntentWaits')
    // guard purchase-waits-at-once: an account waits for so many purchases at once
    ctx.hold('intentWaits')
    return null
  }
  const told = await ctx.waitFor(id, seconds * 1000, look, { quietMs })
  const latest = told ?? seen.latest
  if (!latest) throw new Error(`nobody has looked at ${id}`)
  return latest
}

/**
 * Whether the waiting caller is answered. A sequence in the future is no reason to wait through changes. A caller that names no sequence
 * does not know yet that a person has to act.
 */
function isWorthTelling(
  intent: Pick<IntentRow, 'status' | 'seq' | 'next_action'>,
  { arrival, afterSequence }: { arrival: number; afterSequence: number | null },
): boolean {
  if (isTerminalIntent(intent.status)) return true
  if (intent.seq > Math.min(afterSequence ?? arrival, arrival)) return true
  return afterSequence === null && intent.next_action !== null
}
