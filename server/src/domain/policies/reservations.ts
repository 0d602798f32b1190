import type { ActingContext } from '../../contract/context.ts'
import { aside } from '../../contract/statement.ts'
import { min } from '../../core/money.ts'
import { ok, type Result, refused } from '../../core/result.ts'
import { requireLiveKey } from '../accounts/api-keys/public.ts'
import { requireUnfrozen } from '../accounts/controls/public.ts'
import { endLive, type LiveGate, liveGate } from '../accounts/live-limits/public.ts'
import { decidePurchase, isOnlyFull, type PolicyVerdict, stricterOf } from './decide-purchase.ts'
import { type LockedPolicyRow, lockApplicablePolicies, type PurchaseScope } from './policies.sql.ts'
import type { ApplicablePolicy } from './policy.ts'
import { intervals } from './policy-terms.ts'
import type { DecisionOccasion, Purchase } from './purchase.ts'
import {
  correctSettled,
  endReservations,
  reserveAsDecided,
  reserveInWindows,
  type WindowAddition,
} from './reservations.sql.ts'
import { rollTo, startsOf, toStored, type WindowStarts, withGivenBack } from './windows.ts'

/** A purchase whose policies are to be locked. The caller holds its intent, or is making it. */
export type HoldRequest = {
  intentId: string
  /** The owner of the purchase; the agent is the one that created it. */
  profileId: string
  agentId: string | null
  /** The acting agent, where it is another one: the purchase may do only what both agents may do. */
  actingAgentId?: string | null
  policyId: string | null
  /** What pays, as whoever asks has found it; null: nothing does. */
  paymentMethodId: string | null
  purchase: Purchase
  /** The account's price tolerance. */
  tolerancePercent: number
  /** A new decision about an old purchase counts once more towards `max_count`, even where an earlier part of it was counted. */
  countsAgain?: boolean
  /** Whether a person has shown that they release it: they proved their card for it. */
  isByPerson?: boolean
}

export type HoldRefusal = {
  code: 'policy_denied' | 'policy_limit_exceeded' | 'operator_limit_reached' | 'person_required'
  verdict: PolicyVerdict
}

/**
 * The policies' part of creating an intent: decides, counts the intent for the day unless it is denied, and reserves its cap when it is
 * allowed unattended. With `policies`, read before by `selectApplicablePolicies`, only what releases money or counts is decided again
 * under lock, so a purchase that waits for approval locks nothing.
 */
export async function admitPurchase(
  ctx: ActingContext,
  request: HoldRequest & { policies?: readonly ApplicablePolicy[]; stepUp: boolean },
): Promise<PolicyVerdict> {
  const { policies, stepUp } = request
  const first = policies ? decide(ctx, request, { policies, occasion: 'create', stepUp }) : null
  // guard decided-again-under-lock: a purchase that was allowed before the lock is decided again behind it
  if (first && !needsLock(first)) return first
  const [locked, gate] = await Promise.all([lockPolicies(ctx, request), gateOf(ctx, request)])
  const judge = (asks: boolean) =>
    decide(ctx, request, { policies: locked, occasion: 'create', stepUp: asks })
  const unattended = judge(stepUp)
  const verdict = isHeldBack(unattended, gate) ? judge(true) : unattended
  if (verdict.result === 'deny') return verdict
  // guard intents-are-counted: every intent that is not denied counts for its day
  const counted = verdict.judged.filter(countsIntents)
  // guard unattended-reserves: an unattended purchase is held under every policy
  if (verdict.result === 'allow') holdAll(ctx, { request, locked, verdict, counted, gate })
  else if (counted.length > 0)
    ctx.tx.write(reserveInWindows(reservationOf(ctx, request, { held: [], counted })))
  return verdict
}

/**
 * The same for a verdict on `policies` that were read without a lock, in the round trip of the commit: the windows, which all purchases
 * under a policy wait for, are not locked while the database waits for us. It fails like a serialization failure when anything that the
 * verdict is based on has changed, including a freeze and a revoked key. Null: this verdict must be made under lock.
 */
export function admitAsDecided(
  ctx: ActingContext,
  request: HoldRequest & {
    /** The key of the call. */
    keyId: string | null
    policies: readonly ApplicablePolicy[]
    verdict: PolicyVerdict
  },
): PolicyVerdict | null {
  const { verdict, purchase, policies } = request
  const { result, judged } = verdict
  if (result !== 'allow' || judged.length < policies.length || judged.some(countsIntents)) return null
  // What live mode spends in a day is looked at first.
  if (ctx.tenant.mode === 'live') return null
  const cap = min(verdict.cap, purchase.cap)
  requireUnfrozen(ctx, request)
  requireLiveKey(ctx, request)
  const held = judged.map((policy) => heldUnder(policy, { number: 1, count: 1, cap, purchase }))
  ctx.tx.write(reserveAsDecided({ ...scopeOf(ctx, request), ...reservationOf(ctx, request, { held }) }))
  return { ...verdict, cap }
}

/**
 * Decides again about a purchase that was counted when it was created: like a new one, but without counting it for the day again; and
 * reserves its cap when it may be bought unattended. When another key than its own tries it again, the stricter verdict of the two
 * counts. What it holds already is part of the request, and exchanged.
 */
export async function admitAgain(
  ctx: ActingContext,
  request: HoldRequest & { stepUp: boolean | Promise<boolean> },
): Promise<{ verdict: PolicyVerdict; policiesAllow: boolean }> {
  const [locked, stepUp, gate] = await Promise.all([
    lockPolicies(ctx, request),
    request.stepUp,
    gateOf(ctx, request),
  ])
  const policies = locked.map((policy) => withoutHeld(ctx, policy))
  const ofCreator = policies.filter(({ attached, named }) => attached || named)
  const ofActor = policies
    .filter((policy) => policy.attached_to_actor || policy.named)
    .map((policy) => ({ ...policy, attached: policy.attached_to_actor }))
  const hasActor = (request.actingAgentId ?? request.agentId) !== request.agentId
  // guard stricter-of-two-keys: a key that may buy nothing unattended tries nothing again unattended
  const judge = (asks: boolean) =>
    (hasActor ? [ofCreator, ofActor] : [ofCreator])
      .map((those) => decide(ctx, request, { policies: those, occasion: 'again', stepUp: asks }))
      .reduce(stricterOf)
  const unattended = judge(false)
  const policiesAllow = unattended.result === 'allow'
  const verdict = policiesAllow && (stepUp || isHeldBack(unattended, gate)) ? judge(true) : unattended
  if (verdict.result === 'allow') holdAll(ctx, { request, locked, verdict, gate })
  return { verdict, policiesAllow }
}

/**
 * Reserves the cap of an intent that a person approves, or that is tried again. Refused when a window has no room for the expected
 * amount, or when policies deny it by now. The cap in the verdict is the reserved one; it may be lower than the requested one.
 */
export async function reserve(
  ctx: ActingContext,
  request: HoldRequest,
): Promise<Result<PolicyVerdict, HoldRefusal>> {
  const [locked, gate] = await Promise.all([lockPolicies(ctx, request), gateOf(ctx, request)])
  if (locked.some(({ held_number }) => held_number !== null))
    throw new Error('the intent holds a reservation already')
  return decideAndHold(ctx, request, { locked, gate })
}

/** Replaces the intent's reservation by one with another cap, as if the old one had never existed. When refused, nothing changes. */
export async function exchangeReservation(
  ctx: ActingContext,
  request: HoldRequest,
): Promise<Result<PolicyVerdict, HoldRefusal>> {
  const [locked, gate] = await Promise.all([lockPolicies(ctx, request), gateOf(ctx, request)])
  return decideAndHold(ctx, request, { locked, gate })
}

/** Replaces the intent's reservation by the charged amount, in the windows that it was held in. */
export async function settleReservation(
  ctx: ActingContext,
  { intentId, actual }: { intentId: string; actual: bigint },
): Promise<void> {
  end(ctx, { intentId, state: 'settled', actual })
}

/** Releases the intent's reservation: nothing was charged. The day's number of intents stays. */
export async function releaseReservation(
  ctx: ActingContext,
  { intentId }: { intentId: string },
): Promise<void> {
  end(ctx, { intentId, state: 'released', actual: null })
}

/** After an intent was settled it turned out to cost more or less by this amount, within what was reserved for it. */
export async function correctReservation(
  ctx: ActingContext,
  { intentId, by }: { intentId: string; by: bigint },
): Promise<void> {
  const { accountId: account_id, mode } = ctx.tenant
  ctx.tx.write(aside(correctSettled({ account_id, mode, intent_id: intentId, by })))
}

function gateOf(ctx: ActingContext, { intentId, purchase }: HoldRequest): Promise<LiveGate> {
  return liveGate(ctx, { intentId, currency: purchase.currency })
}

/** Whether something besides policies wants a person for what they allow. */
function isHeldBack({ result, cap }: PolicyVerdict, gate: LiveGate): boolean {
  return result === 'allow' && gate.standing(cap) !== 'open'
}

function needsLock({ result, judged }: PolicyVerdict): boolean {
  return (
    judged.length > 0 && (result === 'allow' || (result === 'require_approval' && judged.some(countsIntents)))
  )
}

async function lockPolicies(ctx: ActingContext, request: HoldRequest): Promise<LockedPolicyRow[]> {
  const locked = await ctx.tx.rows(
    lockApplicablePolicies({
      ...scopeOf(ctx, request),
      intent_id: request.intentId,
      acting_agent_id: request.actingAgentId ?? null,
    }),
  )
  return locked.map((policy) => ({ ...policy, counts: countOf(policy, request) }))
}

/** An exchange counts as before, a further part of a purchase does not count again, and a new decision counts once more. */
function countOf(policy: LockedPolicyRow, { countsAgain = false }: HoldRequest): number {
  const before = policy.held_count ?? (policy.is_counted || countsAgain ? 0 : 1)
  return before + (countsAgain ? 1 : 0)
}

function scopeOf({ tenant }: ActingContext, request: HoldRequest): PurchaseScope {
  return {
    account_id: tenant.accountId,
    mode: tenant.mode,
    profile_id: request.profileId,
    agent_id: request.agentId,
    policy_id: request.policyId,
    payment_method_id: request.paymentMethodId,
  }
}

function decide(
  ctx: ActingContext,
  request: HoldRequest,
  how: { policies: readonly ApplicablePolicy[]; occasion: DecisionOccasion; stepUp: boolean },
): PolicyVerdict {
  return decidePurchase({
    policies: how.policies,
    purchase: request.purchase,
    occasion: how.occasion,
    tolerancePercent: request.tolerancePercent,
    stepUp: how.stepUp,
    now: ctx.now,
  })
}

function decideAndHold(
  ctx: ActingContext,
  request: HoldRequest,
  { locked, gate }: { locked: readonly LockedPolicyRow[]; gate: LiveGate },
): Result<PolicyVerdict, HoldRefusal> {
  // Some are locked only because of what is held in them: a policy that no longer applies does not decide.
  // guard policies-of-who-asked: an approval does not give more than the key that asked may do
  const policies = locked
    .filter((policy) => policy.attached || policy.named || policy.attached_to_actor)
    .map((policy) => withoutHeld(ctx, policy))
  const verdict = decide(ctx, request, { policies, occasion: 'approve', stepUp: false })
  // guard denied-reserves-nothing: an approval that policies deny is refused
  if (verdict.result === 'deny') {
    return refused({ code: isOnlyFull(verdict) ? 'policy_limit_exceeded' : 'policy_denied', verdict })
  }
  const standing = gate.standing(min(verdict.cap, request.purchase.cap))
  // guard live-day-at-approvals: nobody but the operator releases a purchase past the limit of the day
  if (standing === 'day_is_full') return refused({ code: 'operator_limit_reached', verdict })
  // guard first-live-approvals: no key alone releases the first live purchases of an account
  if (standing === 'first_purchases' && request.isByPerson !== true)
    return refused({ code: 'person_required', verdict })
  // guard approval-reserves: an approved purchase is held under every policy
  holdAll(ctx, { request, locked, verdict, gate })
  return ok(verdict)
}

/** The policy as it would be if the purchase held nothing of it. */
function withoutHeld(ctx: ActingContext, policy: LockedPolicyRow): LockedPolicyRow {
  const held = heldOf(policy)
  return held
    ? { ...policy, windows: toStored(withGivenBack(rollTo(policy.windows, ctx.now, policy.zone), held)) }
    : policy
}

function countsIntents({ terms }: ApplicablePolicy): boolean {
  return terms.limits.max_intents_per_day !== null
}

function heldOf(policy: LockedPolicyRow) {
  const { held_amount: amount, held_count: count, held_window_starts: starts } = policy
  return amount === null || count === null || starts === null ? null : { amount, count, starts }
}

type Holding = {
  request: HoldRequest
  locked: readonly LockedPolicyRow[]
  verdict: PolicyVerdict
  /** The policies that count the purchase as one that was created today. */
  counted?: readonly ApplicablePolicy[]
  gate: LiveGate
}

/** Queues the end of the earlier reservations, and one reservation under every judged policy. */
function holdAll(ctx: ActingContext, { request, locked, verdict, counted = [], gate }: Holding): void {
  const { intentId, purchase } = request
  gate.hold(min(verdict.cap, purchase.cap))
  if (locked.some(({ held_number }) => held_number !== null))
    end(ctx, { intentId, state: 'exchanged', actual: null })
  const held = locked
    .filter(({ id }) => verdict.judged.some((policy) => policy.id === id))
    .map((policy) =>
      heldUnder(policy, {
        number: policy.last_number + 1,
        count: policy.counts ?? 1,
        cap: verdict.cap,
        purchase,
      }),
    )
  if (held.length > 0) ctx.tx.write(reserveInWindows(reservationOf(ctx, request, { held, counted })))
}

/** What a purchase holds under a policy. */
type Held = { policy: ApplicablePolicy; number: number; amount: bigint; count: number }

function heldUnder(
  policy: ApplicablePolicy,
  { number, count, cap, purchase }: { number: number; count: number; cap: bigint; purchase: Purchase },
): Held {
  return { policy, number, count, amount: policy.currency === purchase.currency ? cap : 0n }
}

/** The reservations of a purchase with what they add to the windows of today, and its count among the intents of the day. */
function reservationOf(
  ctx: ActingContext,
  { intentId }: HoldRequest,
  { held, counted = [] }: { held: readonly Held[]; counted?: readonly ApplicablePolicy[] },
) {
  const today = ({ windows, zone }: ApplicablePolicy) => rollTo(windows, ctx.now, zone)
  const reserved = held.map((one) => ({ ...one, starts: startsOf(today(one.policy)) }))
  const additions = [
    ...reserved.flatMap((one) => additionsOf(one, one.starts)),
    ...counted.map((policy) => creationOf(policy, today(policy).created.start)),
  ]
  return {
    account_id: ctx.tenant.accountId,
    mode: ctx.tenant.mode,
    intent_id: intentId,
    now: ctx.now,
    ...columnsOf(additions),
    policy_ids: reserved.map(({ policy }) => policy.id),
    numbers: reserved.map(({ number }) => number),
    versions: reserved.map(({ policy }) => policy.version),
    amounts: reserved.map(({ amount }) => amount),
    counts: reserved.map(({ count }) => count),
    window_starts: reserved.map(({ starts }) => JSON.stringify(starts)),
  }
}

function additionsOf({ policy, amount, count }: Held, starts: WindowStarts): WindowAddition[] {
  return intervals.map((interval) => {
    const limits = policy.terms.limits.intervals.filter((limit) => limit.interval === interval)
    const [max_amount] = ascending(limits.map((limit) => limit.max_amount))
    const [max_count] = ascending(limits.map((limit) => limit.max_count))
    return {
      policy_id: policy.id,
      interval,
      start: starts[interval],
      amount,
      count,
      max_amount: max_amount === undefined ? null : BigInt(max_amount),
      max_count: max_count ?? null,
    }
  })
}

function creationOf({ id, terms }: ApplicablePolicy, start: string): WindowAddition {
  const max_count = terms.limits.max_intents_per_day
  return { policy_id: id, interval: 'created', start, amount: 0n, count: 1, max_amount: null, max_count }
}

function ascending(limits: readonly (number | null)[]): number[] {
  return limits.filter((limit) => limit !== null).sort((a, b) => a - b)
}

function columnsOf(additions: readonly WindowAddition[]) {
  return {
    of: additions.map(({ policy_id }) => policy_id),
    intervals: additions.map(({ interval }) => interval),
    starts: additions.map(({ start }) => start),
    additions: additions.map(({ amount }) => amount),
    added_counts: additions.map(({ count }) => count),
    max_amounts: additions.map(({ max_amount }) => max_amount),
    max_counts: additions.map(({ max_count }) => max_count),
  }
}

function end(
  ctx: ActingContext,
  how: { intentId: string; state: 'settled' | 'released' | 'exchanged'; actual: bigint | null },
): void {
  const ended = endReservations({
    account_id: ctx.tenant.accountId,
    mode: ctx.tenant.mode,
    intent_id: how.intentId,
    state: how.state,
    actual_amount: how.actual,
    now: ctx.now,
  })
  ctx.tx.write(aside(ended))
  if (how.state !== 'exchanged') endLive(ctx, { intentId: how.intentId, charged: how.actual ?? 0n })
}
