import { min } from '../../core/money.ts'
import { judgeRules } from './judge-rules.ts'
import type { ApplicablePolicy } from './policy.ts'
import { type EvaluatedRule, type PolicyResult, policyResults } from './policy-decision.ts'
import { approvalExpiresMinutesDefault } from './policy-terms.ts'
import type { DecisionOccasion, Purchase } from './purchase.ts'
import { rollTo } from './windows.ts'

export type DecisionInput = {
  readonly policies: readonly ApplicablePolicy[]
  readonly purchase: Purchase
  readonly occasion: DecisionOccasion
  /** The account's price tolerance, where a policy has none. */
  readonly tolerancePercent: number
  /** A person must act whatever the policies say: the card needs a step-up, or there is no card. */
  readonly stepUp: boolean
  readonly now: Date
}

export type PolicyVerdict = {
  readonly result: PolicyResult
  readonly evaluated: EvaluatedRule[]
  /** Lowered to the strictest limit, and to what is left in every window; for an unattended purchase also to every threshold. */
  readonly cap: bigint
  readonly feeAllowance: bigint
  readonly tolerancePercent: number
  readonly onExceed: 'reapprove' | 'fail'
  readonly approvalExpiresMinutes: number
  /** The policies that were judged: those in force. */
  readonly judged: readonly ApplicablePolicy[]
}

/** The verdict of all policies together: the strictest wins, block beats allow, and a policy that is only named can only restrict. */
export function decidePurchase(input: DecisionInput): PolicyVerdict {
  const { purchase, now, occasion } = input
  const judged = input.policies.filter((policy) => isJudged(policy, now))
  const evaluated: EvaluatedRule[] = []
  let isDenied = false
  let asks = false
  let isAllowedUnattended = false
  for (const policy of judged) {
    const rules = judgeRules(policy, { purchase, now, occasion })
    evaluated.push(...rules)
    // guard policy-denies: a purchase that a policy denies is denied
    if (rules.some(({ result }) => result === 'deny')) isDenied = true
    // guard policy-asks: a purchase that a policy wants approved is not bought unattended
    if (rules.some(({ result }) => result === 'require_approval')) asks = true
    else if (policy.attached && policy.terms.approval) isAllowedUnattended = true
  }
  // guard silence-is-no-approval: without a policy that allows it nothing is bought unattended
  // guard step-up-is-never-unattended: a card that needs its holder is not charged without them
  // guard approval-rules-of-a-retry: a retry is asked about like a new purchase
  const needsApproval = occasion !== 'approve' && (asks || !isAllowedUnattended || input.stepUp)
  const result = isDenied ? 'deny' : needsApproval ? 'require_approval' : 'allow'
  // guard threshold-caps-a-retry: no retry without an approval is charged above a threshold
  const isUnattended = occasion !== 'approve' && result === 'allow'
  return {
    result,
    evaluated,
    cap: loweredCap(purchase, judged, { isUnattended, now }),
    feeAllowance: min(
      purchase.feeAllowance,
      ...present(judged.map(({ terms }) => terms.limits.max_fulfillment_fee)),
    ),
    ...driftOf(judged, input.tolerancePercent),
    approvalExpiresMinutes: strictest(
      judged.map(({ terms }) => terms.approval?.expires_after_minutes ?? null),
      approvalExpiresMinutesDefault,
    ),
    judged,
  }
}

/** The verdict where two keys stand behind a purchase: it may do only what both of them allow. */
export function stricterOf(one: PolicyVerdict, other: PolicyVerdict): PolicyVerdict {
  const results = [one.result, other.result]
  const isKnown = ({ id }: { id: string }) => one.judged.some((policy) => policy.id === id)
  return {
    result: policyResults.findLast((result) => results.includes(result)) ?? 'deny',
    evaluated: [...one.evaluated, ...other.evaluated.filter(({ policy_id }) => !isKnown({ id: policy_id }))],
    cap: min(one.cap, other.cap),
    feeAllowance: min(one.feeAllowance, other.feeAllowance),
    tolerancePercent: Math.min(one.tolerancePercent, other.tolerancePercent),
    onExceed: one.onExceed === 'fail' ? 'fail' : other.onExceed,
    approvalExpiresMinutes: Math.min(one.approvalExpiresMinutes, other.approvalExpiresMinutes),
    judged: [...one.judged, ...other.judged.filter((policy) => !isKnown(policy))],
  }
}

/** Whether every denial is about a full window, so that the same purchase may pass later. */
export function isOnlyFull(verdict: PolicyVerdict): boolean {
  const denials = verdict.evaluated.filter(({ result }) => result === 'deny')
  return denials.length > 0 && denials.every(({ rule }) => rule.startsWith('limits.intervals.'))
}

/**
 * Archived policies do not count. A policy outside its period neither allows nor restricts; but a purchase that names it is meant to be
 * bought under it, and its rules deny that.
 */
function isJudged(policy: ApplicablePolicy, now: Date): boolean {
  // guard archived-policy-is-out: an archived policy allows nothing
  if (policy.archived_at !== null) return false
  return policy.named || isInPeriod(policy, now)
}

function isInPeriod(policy: ApplicablePolicy, now: Date): boolean {
  // guard policy-period: a policy allows nothing after its end
  return (
    (policy.valid_from === null || policy.valid_from <= now) &&
    (policy.valid_until === null || now < policy.valid_until)
  )
}

function loweredCap(
  purchase: Purchase,
  judged: readonly ApplicablePolicy[],
  when: { isUnattended: boolean; now: Date },
): bigint {
  let cap = purchase.cap
  for (const policy of judged) {
    if (policy.currency !== purchase.currency) continue
    const { limits, approval } = policy.terms
    const windows = rollTo(policy.windows, when.now, policy.zone)
    const rooms = limits.intervals.map(({ interval, max_amount }) =>
      max_amount === null ? null : BigInt(max_amount) - windows[interval].reserved - windows[interval].spent,
    )
    const threshold = when.isUnattended ? (approval?.auto_approve_up_to ?? null) : null
    const ceilings = present([limits.per_transaction_max, threshold]).map(
      (ceiling) => ceiling - (purchase.charged ?? 0n),
    )
    // guard cap-lowered-to-room: a cap is at most what the windows have left
    // guard cap-lowered-to-ceilings: a cap is at most the strictest limit of one purchase
    cap = min(cap, ...ceilings, ...rooms.filter((room) => room !== null))
  }
  return cap < 0n ? 0n : cap
}

/**
 * Every policy has a tolerance, its own or the account's; the smallest counts. A policy that is only named cannot widen the account's.
 */
function driftOf(judged: readonly ApplicablePolicy[], accountTolerance: number) {
  const own = judged.map(({ terms }) => terms.price_drift.tolerance_percent ?? accountTolerance)
  const isAttached = judged.some(({ attached }) => attached)
  return {
    tolerancePercent: Math.min(...(isAttached ? own : [...own, accountTolerance])),
    onExceed: judged.some(({ terms }) => terms.price_drift.on_exceed === 'fail')
      ? ('fail' as const)
      : ('reapprove' as const),
  }
}

function strictest(values: readonly (number | null)[], otherwise: number): number {
  const given = values.filter((value) => value !== null)
  return given.length === 0 ? otherwise : Math.min(...given)
}

function present(amounts: readonly (number | null)[]): bigint[] {
  return amounts.filter((amount) => amount !== null).map((amount) => BigInt(amount))
}
