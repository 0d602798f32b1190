import { agentOf } from '../../../../contract/actor.ts'
import type { CallContext } from '../../../../contract/context.ts'
import { Problem } from '../../../../contract/problem.ts'
import { isKeyLive } from '../../../accounts/api-keys/public.ts'
import { isFrozen } from '../../../accounts/controls/public.ts'
import type { HoldRefusal, HoldRequest, PolicyVerdict } from '../../../policies/public.ts'
import type { CartRow } from '../cart.ts'
import type { IntentRow, LoadedIntent } from '../intent.ts'
import type { LockedIntentRow } from '../intents.sql.ts'
import { lockPurchase } from '../lock-purchase.ts'
import { purchaseOf } from '../read/purchase-facts.ts'

/**
 * Locks the rows that a release of money depends on, in the order that everybody uses and in one round trip: the control row in share
 * mode, the intent, its carts. Throws when the key has been revoked since it was looked up, or when the purchase is frozen.
 */
export async function lockForRelease(
  ctx: CallContext,
  intentId: string,
): Promise<LoadedIntent & { intent: LockedIntentRow; carts: CartRow[] }> {
  const agent = agentOf(ctx.actor)
  const [{ control, loaded }, isLive] = await Promise.all([
    // guard retry-behind-a-freeze: a retry that waited for a freeze is refused by it
    lockPurchase(ctx, intentId),
    isKeyLive(ctx, { keyId: ctx.keyId, agentId: agent }),
  ])
  // guard revoked-key-approves-nothing: a key that was revoked after it was looked up releases nothing
  if (!isLive) throw new Problem('unauthorized')
  if (!loaded) throw new Problem('not_found', { param: 'purchase_intent_id' })
  const { intent } = loaded
  // guard frozen-where-it-was-created: another key does not release a purchase that a frozen key asked for
  if (control && isFrozen(control, { profileId: intent.profile_id, agentId: intent.agent_id }))
    throw new Problem('frozen')
  // guard frozen-where-it-is-released: a frozen key releases nothing
  if (control && isFrozen(control, { profileId: intent.profile_id, agentId: agent }))
    throw new Problem('frozen')
  return loaded
}

/**
 * The request for a reservation of an intent. Its agent is the one that created the intent, not the agent that acts now. `paidBy`: what
 * pays now, which may be another method than before.
 */
export function holdRequestOf(
  intent: IntentRow,
  { paidBy, ...amounts }: { expected: bigint; cap: bigint; paidBy: string | null },
): HoldRequest {
  return {
    intentId: intent.id,
    profileId: intent.profile_id,
    agentId: intent.agent_id,
    policyId: intent.policy_id,
    paymentMethodId: paidBy,
    purchase: { ...purchaseOf(intent, amounts), charged: intent.settled_amount },
    tolerancePercent: intent.tolerance_basis_points / 100,
  }
}

/** What pays: the method that is named, without waiting for what is read of it, or else the one that is found. */
export async function payerOf(named: string | null, find: () => Promise<{ id: string }>): Promise<string> {
  return named ?? (await find()).id
}

/** The columns that keep a verdict. */
export function decisionOf({ result, evaluated }: PolicyVerdict) {
  return { policy_decision: { result, evaluated }, policy_result: result }
}

export function refusedByPolicy({ code, verdict }: HoldRefusal): Problem {
  return new Problem(code, {
    extra: { policy_decision: { result: verdict.result, evaluated: verdict.evaluated } },
  })
}
