import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { isKeyLive } from '../../accounts/api-keys/public.ts'
import { isFrozen, lockControlForShare } from '../../accounts/controls/public.ts'
import type { HoldRefusal, HoldRequest, PolicyVerdict } from '../../policies/public.ts'
import type { CartRow } from './cart.ts'
import { lockCarts } from './carts.sql.ts'
import { actingAgent } from './create-request.ts'
import type { IntentRow, LoadedIntent } from './intent.ts'
import { type LockedIntentRow, lockIntent } from './intents.sql.ts'
import { purchaseOf } from './purchase-facts.ts'

/**
 * Locks what a release of money stands on, in everybody's order and in one round trip: the control row in share mode, the intent,
 * its carts. Throws when the key has been revoked since it was looked up, or when the purchase is frozen.
 */
export async function lockForRelease(
  ctx: CallContext,
  intentId: string,
): Promise<LoadedIntent & { intent: LockedIntentRow; carts: CartRow[] }> {
  const { accountId: account_id, mode } = ctx.tenant
  const agent = actingAgent(ctx)
  const [control, isLive, intent, carts] = await Promise.all([
    lockControlForShare(ctx),
    isKeyLive(ctx, { keyId: ctx.keyId, agentId: agent }),
    ctx.tx.maybe(lockIntent({ account_id, mode, id: intentId })),
    ctx.tx.rows(lockCarts({ account_id, mode, intent_id: intentId })),
  ])
  if (!isLive) throw new Problem('unauthorized')
  if (!intent) throw new Problem('not_found', { param: 'purchase_intent_id' })
  if (control && isFrozen(control, { profileId: intent.profile_id, agentId: intent.agent_id }))
    throw new Problem('frozen')
  if (control && isFrozen(control, { profileId: intent.profile_id, agentId: agent }))
    throw new Problem('frozen')
  return { intent, carts }
}

/** What policies hold for an intent. The agent is the one that created it, whoever acts now. */
export function holdRequestOf(intent: IntentRow, amounts: { expected: bigint; cap: bigint }): HoldRequest {
  return {
    intentId: intent.id,
    profileId: intent.profile_id,
    agentId: intent.agent_id,
    policyId: intent.policy_id,
    purchase: { ...purchaseOf(intent, amounts), charged: intent.settled_amount },
    tolerancePercent: intent.tolerance_basis_points / 100,
  }
}

/** What is kept of a verdict. */
export function decisionOf({ result, evaluated }: PolicyVerdict) {
  return { policy_decision: { result, evaluated }, policy_result: result }
}

export function refusedByPolicy({ code, verdict }: HoldRefusal): Problem {
  return new Problem(code, {
    extra: { policy_decision: { result: verdict.result, evaluated: verdict.evaluated } },
  })
}
