import { feeOf } from './execution.ts'
import {
  canRetry,
  chargedOf,
  day,
  isFrozenFor,
  isUnknown,
  type KeyName,
  type Model,
  type ModelCart,
  type ModelIntent,
  type ModelMethod,
  minute,
  sum,
} from './model.ts'
import { lower, moveCart, moveIntent } from './moves.ts'
import { type Asked, hold, judge, stricter, type Verdict } from './policies.ts'
import { type Answer, ok, refusals, stepUpOf, usableMethod } from './predict-create.ts'

const { conflict, notFound, scope } = refusals

type RetryRequest = {
  key: KeyName
  named: readonly ModelCart[] | null
  method: ModelMethod | null
}

/** A person has said yes, within the last seven days. */
function hasStandingApproval({ now }: Pick<Model, 'now'>, intent: ModelIntent): boolean {
  const { approvedBy, approvedAt } = intent
  return approvedBy !== null && approvedBy !== 'policy' && now < approvedAt + 7 * day
}

/**
 * Carts that a person approved lately are tried again, if today's limits allow it. Any other retry is a new purchase of the carts that are
 * tried again, by the key that asked first and by the key that asks now: both of them must be allowed to buy it unattended.
 */
export function predictRetry(
  model: Model,
  intent: ModelIntent,
  { key, named, method: given }: RetryRequest,
): Answer {
  if (key === 'reader') return scope
  if (isFrozenFor(model, intent) || isFrozenFor(model, { ...intent, key })) return conflict('frozen')
  const chosen = named ?? intent.carts.filter(canRetry)
  if (intent.status !== 'failed' || chosen.length === 0 || !chosen.every(canRetry)) {
    if (intent.status !== 'failed') model.coverage.refused('intent', intent.status, 'retry')
    for (const cart of named ?? [])
      if (cart.status !== 'failed') model.coverage.refused('cart', cart.status, 'retry')
    return conflict('not_retryable')
  }
  const profile = model.profiles[intent.profile]
  const wanted = given ?? intent.method ?? usableMethod(model, intent.profile)
  const method = wanted && !wanted.isDeleted && profile?.methods.includes(wanted) ? wanted : null
  if (!method) return given ? notFound : conflict('payment_method_required')
  const asking = stepUpOf(method, 'prefer')
  const isStanding = hasStandingApproval(model, intent)
  if (isStanding && method !== intent.method) {
    if (key === 'agent') return scope
    if (asking !== 'none') return conflict('payment_verification_required')
  }
  const fresh = isStanding
    ? null
    : judgeAnew(model, { intent, chosen, key, method, needsHolder: asking !== 'none' })
  const verdict = fresh?.verdict ?? judgeApproved(model, { intent, chosen, key, method, isOneMore: false })
  if (verdict.result === 'deny')
    return conflict(isStanding && verdict.isOnlyFull ? 'policy_limit_exceeded' : 'policy_denied')
  if (profile?.isArchived) return conflict('profile_not_active')
  intent.events.push('purchase_intent.retried')
  const methodBefore = intent.method
  intent.method = method
  if (verdict.result === 'require_approval') {
    moveIntent(model, intent, 'retry_asks')
    intent.isRequired = true
    intent.approvalExpires = model.now + verdict.minutes * minute
    intent.nextAction = fresh?.isOnlyTheHolder ? 'verify_payment' : 'approve'
    intent.retry = { carts: chosen, key, methodBefore }
    intent.events.push('purchase_intent.awaiting_approval')
    return ok
  }
  hold(model, intent, verdict, !isStanding)
  tryAgain(model, { intent, chosen, verdict, isAnew: !isStanding })
  if (isStanding) {
    moveIntent(model, intent, 'retry')
    return ok
  }
  moveIntent(model, intent, 'retry_allowed')
  intent.approvedBy = 'policy'
  intent.approvedAt = model.now
  intent.isRequired = false
  intent.events.push('purchase_intent.queued')
  return ok
}

/** A person answers a retry that waited for a person, and the card has been verified. */
export function approveRetry(
  model: Model,
  intent: ModelIntent,
  request: { key: KeyName; method: ModelMethod; seenOff: number | null },
): Answer {
  const { retry } = intent
  if (!retry) throw new Error('nothing is to be tried again')
  const chosen = [...retry.carts]
  const verdict = judgeApproved(model, {
    intent,
    chosen,
    key: retry.key,
    method: request.method,
    isOneMore: true,
  })
  if (verdict.result === 'deny')
    return conflict(verdict.isOnlyFull ? 'policy_limit_exceeded' : 'policy_denied')
  const before = intent.cap
  if (request.seenOff !== null) {
    const cap = capAfter(intent, chosen, termsOf(intent, { chosen, verdict, isAnew: true }))
    if (before + request.seenOff !== cap) return conflict('approval_stale')
  }
  hold(model, intent, verdict, true)
  tryAgain(model, { intent, chosen, verdict, isAnew: true })
  moveIntent(model, intent, 'approve')
  intent.retry = null
  intent.method = request.method
  intent.approvedBy = request.key
  intent.approvedAt = model.now
  intent.events.push('purchase_intent.approved')
  return ok
}

type Again = { intent: ModelIntent; chosen: readonly ModelCart[]; key: KeyName; method: ModelMethod }

/** Money that is held for carts whose charge is unknown stays part of the purchase. */
function heldForOthers(intent: ModelIntent): number {
  return sum(intent.carts.filter(isUnknown).map(({ cap }) => cap)) + chargedOf(intent) - intent.settled
}

function askedAgain({ intent, chosen, method }: Again): Asked {
  const held = heldForOthers(intent)
  return {
    ...intent,
    method,
    shops: chosen.map(({ shop }) => shop),
    expected: sum(chosen.map(({ expected }) => expected)) + held,
    cap: sum(chosen.map(({ cap }) => cap)) + held,
    charged: intent.settled,
  }
}

function judgeAnew(
  model: Model,
  again: Again & { needsHolder: boolean },
): { verdict: Verdict; isOnlyTheHolder: boolean } {
  const asked = askedAgain(again)
  const by = (key: KeyName, stepUp: boolean) =>
    judge(model, { ...asked, key }, { occasion: 'again', stepUp, without: again.intent, isOneMore: true })
  const decide = (stepUp: boolean) => stricter(by(again.intent.key, stepUp), by(again.key, stepUp))
  const verdict = decide(again.needsHolder)
  return { verdict, isOnlyTheHolder: again.needsHolder && decide(false).result === 'allow' }
}

function judgeApproved(model: Model, { isOneMore, ...again }: Again & { isOneMore: boolean }): Verdict {
  const asked = { ...askedAgain(again), actor: again.key }
  return judge(model, asked, { occasion: 'approve', stepUp: false, without: again.intent, isOneMore })
}

type Terms = { tolerance: number; carts: { fee: number; tolerance: number; cap: number }[] }
type Anew = { chosen: readonly ModelCart[]; verdict: Verdict; isAnew: boolean }

/** The amounts that today's policies leave to the carts that are tried again: never more than they had. */
function termsOf(intent: ModelIntent, { chosen, verdict, isAnew }: Anew): Terms {
  const paid = intent.carts.filter(({ status }) => status === 'succeeded')
  const unknown = intent.carts.filter(isUnknown)
  const feesGone = sum(paid.map(feeOf)) + sum(unknown.map(({ fee }) => fee))
  const fees = lower(
    chosen.map(({ fee }) => fee),
    Math.max(0, verdict.fee - feesGone),
  )
  const caps = lower(
    chosen.map(({ cap }) => cap),
    verdict.cap - heldForOthers(intent),
  )
  const tolerance = isAnew ? Math.min(intent.tolerance, verdict.tolerance) : intent.tolerance
  const carts = chosen.map((cart, index) => {
    const now = { fee: fees[index] ?? 0, tolerance: Math.min(cart.tolerance, tolerance) }
    const cap = caps[index] ?? 0
    if (now.fee === cart.fee && now.tolerance === cart.tolerance) return { ...now, cap }
    const whole = cart.expected + cart.tax + now.fee + Math.floor((cart.expected * now.tolerance) / 100)
    return { ...now, cap: Math.min(cap, whole) }
  })
  return { tolerance, carts }
}

function capAfter(intent: ModelIntent, chosen: readonly ModelCart[], { carts }: Terms): number {
  const others = intent.carts.filter((cart) => !chosen.includes(cart))
  return Math.min(intent.cap, sum([...others, ...carts].map(({ cap }) => cap)))
}

function tryAgain(model: Model, { intent, chosen, verdict, isAnew }: Anew & { intent: ModelIntent }): void {
  const terms = termsOf(intent, { chosen, verdict, isAnew })
  intent.cap = capAfter(intent, chosen, terms)
  intent.fee = Math.min(intent.fee, verdict.fee)
  intent.tolerance = terms.tolerance
  if (isAnew && verdict.onExceed === 'fail') intent.onExceed = 'fail'
  for (const [index, cart] of chosen.entries()) {
    moveCart(model, cart, 'retry')
    Object.assign(cart, terms.carts[index])
    cart.attempt += 1
    cart.failure = null
    cart.order = null
    cart.offer = null
    cart.signInUntil = null
  }
  intent.failure = null
  intent.isPartial = false
  intent.nextAction = null
}
