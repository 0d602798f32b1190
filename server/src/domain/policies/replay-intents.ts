import { min } from '../../core/money.ts'
import { decidePurchase, type PolicyVerdict } from './decide-purchase.ts'
import { expectLookups } from './entries.ts'
import { merchantSeen } from './merchant-identity.ts'
import type { ApplicablePolicy, PolicyRow } from './policy.ts'
import type { PastIntent } from './port.ts'
import { rollTo, toStored, withCreated, withHeld, withSpent } from './windows.ts'

export type Replayed = { intent: PastIntent; verdict: PolicyVerdict }

/**
 * What a policy would have decided about past intents. It gets them one after the other, oldest first. Each one that it allows fills its
 * windows with the real amounts: what it was charged, or its cap while it is under way.
 */
export class IntentReplay {
  readonly #draft: PolicyRow
  readonly #tolerancePercent: number
  #policy: ApplicablePolicy

  constructor(draft: PolicyRow, tolerancePercent: number) {
    this.#draft = draft
    this.#tolerancePercent = tolerancePercent
    this.#policy = { ...draft, attached: true, named: false }
    // The same lists for all intents.
    const { mcc, merchants, countries } = draft.terms
    for (const { allow, block } of [mcc, merchants, countries])
      for (const entries of [allow, block]) expectLookups(entries, Number.POSITIVE_INFINITY)
  }

  /** Null where the intent is outside of the policy's scope. */
  next(intent: PastIntent): Replayed | null {
    const { profile_id: profileId, agent_id: agentId, payment_method_id: paymentMethodId } = intent
    if (!scopeMatches(this.#draft, { profileId, agentId, paymentMethodId })) return null
    const verdict = decidePurchase({
      policies: [this.#policy],
      purchase: {
        currency: intent.currency,
        expected: intent.expected_amount,
        cap: intent.max_allowed_amount,
        feeAllowance: intent.fee_allowance,
        merchants: intent.items.map(merchantSeen),
        shippingCountry: intent.shipping_country,
      },
      occasion: 'create',
      tolerancePercent: this.#tolerancePercent,
      stepUp: false,
      now: intent.created_at,
    })
    if (verdict.result !== 'deny') this.#policy = afterPurchase(this.#policy, intent, verdict.cap)
    return { intent, verdict }
  }
}

/** The same rule as in the statement that selects a purchase's policies. */
export function scopeMatches(
  policy: PolicyRow,
  of: { profileId: string; agentId: string | null; paymentMethodId: string | null },
): boolean {
  if (policy.scope_default) return true
  const named = [
    { ids: policy.scope_profile_ids, id: of.profileId },
    { ids: policy.scope_agent_ids, id: of.agentId },
    { ids: policy.scope_payment_method_ids, id: of.paymentMethodId },
  ].filter(({ ids }) => ids.length > 0)
  return named.length > 0 && named.every(({ ids, id }) => id !== null && ids.includes(id))
}

function afterPurchase(policy: ApplicablePolicy, intent: PastIntent, cap: bigint): ApplicablePolicy {
  const created = withCreated(rollTo(policy.windows, intent.created_at, policy.zone))
  const isUnderWay = !intent.is_over && intent.status !== 'awaiting_approval'
  if (!isUnderWay && intent.actual_amount === 0n) return { ...policy, windows: toStored(created) }
  const amount = policy.currency === intent.currency ? cap : 0n
  const after = isUnderWay
    ? withHeld(created, amount, 1)
    : withSpent(created, min(intent.actual_amount, amount))
  return { ...policy, windows: toStored(after) }
}
