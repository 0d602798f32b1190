import type { StepContext } from '../../../../platform/work/work.ts'
import type { ChannelCall } from '../../channels/public.ts'
import { type PageEvidence, picturesPerAttempt, recordEvidence } from '../../evidence/public.ts'
import type { ClaimedCart } from '../../intents/writes.sql.ts'

type Step = Pick<StepContext, 'single' | 'sealer' | 'newId' | 'tenant' | 'log'>

/**
 * The call with a way to hand over pictures of its pages. They are written one after the other while it runs, and before its answer
 * counts, so that the lease is held meanwhile. A picture that cannot be kept is no reason for anything.
 */
export function keepingEvidence<T>(
  step: Step,
  { row, attempt }: { row: ClaimedCart; attempt: number },
  run: (call: ChannelCall) => Promise<T>,
): (call: ChannelCall) => Promise<T> {
  return async (call) => {
    const pictures = evidenceKeeper(step, row, attempt)
    try {
      return await run({ ...call, onEvidence: pictures.keep })
    } finally {
      await pictures.written()
    }
  }
}

function evidenceKeeper(step: Step, row: ClaimedCart, attempt: number) {
  const of = { intentId: row.intent_id, cartId: row.id, attempt, leaseToken: row.lease_token }
  let isHeld = true
  let waiting = 0
  let kept = 0
  let dropped = 0
  let last: Promise<void> = Promise.resolve()

  async function write(evidence: PageEvidence): Promise<void> {
    try {
      if (!isHeld) return
      const came = await recordEvidence(step, step.tenant, of, evidence)
      if (came === 'not_held') isHeld = false
      else if (came === 'kept') kept += 1
      else dropped += 1
    } catch (error) {
      step.log.warn({ err: error, attempt }, 'cart: a picture of its page was not kept')
    } finally {
      waiting -= 1
    }
  }

  return {
    keep(evidence: PageEvidence): Promise<void> {
      // One that would be one too many anyway is not held in memory until it is its turn.
      if (kept + waiting >= picturesPerAttempt) {
        dropped += 1
        return last
      }
      waiting += 1
      last = last.then(() => write(evidence))
      return last
    },
    async written(): Promise<void> {
      await last
      if (dropped > 0)
        step.log.info({ attempt, kept, dropped }, 'cart: not every picture of its pages was kept')
    },
  }
}
