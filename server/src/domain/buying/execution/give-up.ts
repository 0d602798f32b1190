import { isDatabaseAway } from '../../../platform/database/errors.ts'
import { type Claimed, LeaseLost } from '../../../platform/work/lease.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { failureOf } from '../intents/public.ts'
import type { ClaimedCart } from '../intents/writes.sql.ts'
import type { CartState } from './cart-state.ts'
import type { Channels } from './channels.ts'
import { CartWriter } from './commit-turn.ts'
import { failCart } from './end-cart.ts'
import { loadCart } from './load-cart.ts'

/** This many failures in a row, with the waits between them, take ten minutes or more. */
const stepFailuresMax = 10

/** Whether it is useless to try a step again that has failed again. */
export function isHopeless({ step_failures }: Claimed, error: unknown): boolean {
  if (error instanceof LeaseLost || isDatabaseAway(error)) return false
  // guard hopeless-ends: a step that never succeeds ends its own purchase
  return step_failures + 1 >= stepFailuresMax
}

/**
 * Ends a cart whose step cannot be done, while nothing was held, charged or ordered for it: its reservation is free again, and the buyer
 * gets an event. Where any of that may have happened, failures decide nothing and it returns false: the step is tried on and stays
 * visible.
 */
export async function giveUpCart(step: StepContext, row: ClaimedCart, channels: Channels): Promise<boolean> {
  return await step.transaction(async (ctx) => {
    const { loaded, state } = await loadCart(ctx, row, channels.meansFor(ctx.tenant, 0))
    // guard hopeless-only-while-untouched: failures end nothing for which money may have moved
    if (!isUntouched(state)) return false
    const failed = failCart(state, failureOf('merchant_unavailable'))
    await new CartWriter(ctx, loaded, state).commit(failed, { kind: 'rest', until: null })
    return true
  })
}

function isUntouched({ cart, effects, holds }: CartState): boolean {
  const isOpen = cart.status === 'created' || cart.status === 'in_progress'
  const mayHaveLeft = effects.some(
    ({ attempt, state, may_have_left }) =>
      may_have_left ||
      state === 'sent' ||
      state === 'unknown' ||
      (attempt === cart.attempt_number && state === 'done'),
  )
  const isHeld = holds.some(({ status }) => status === 'authorized' || status === 'captured')
  return isOpen && cart.outcome_known && !cart.past_no_return && !mayHaveLeft && !isHeld
}
