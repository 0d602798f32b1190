import { endTerms, finish } from './ending.ts'
import {
  canCancel,
  isFrozenFor,
  isOver,
  isSoldByAnother,
  isUnknown,
  type KeyName,
  type Model,
  type ModelCart,
  type ModelIntent,
  type ModelItem,
  type ModelMethod,
  sum,
  terminal,
} from './model.ts'
import { leaveSignIn, moveCart, moveIntent } from './moves.ts'
import { hold, judge, release } from './policies.ts'
import { type Answer, ok, refusals, stepUpOf, usableMethod } from './predict-create.ts'
import { approveRetry } from './predict-retry.ts'
import { isAnswered, isApprovalOver, refuse, stopCarts } from './price.ts'

export type Proof = 'none' | 'cvc_3_digit' | 'cvc_4_digit' | 'otp_right' | 'otp_wrong'

type ApproveRequest = {
  key: KeyName
  method: ModelMethod | null
  proof: Proof
  preference: 'prefer' | 'never' | 'require'
  /** The cap that the buyer saw, as a difference to the right one. */
  seenOff: number | null
}

const { conflict, notFound, scope } = refusals

export function predictApprove(model: Model, intent: ModelIntent, request: ApproveRequest): Answer {
  if (request.key !== 'person') return scope
  if (isFrozenFor(model, intent) || isFrozenFor(model, { ...intent, key: request.key }))
    return conflict('frozen')
  if (intent.status !== 'awaiting_approval' || isApprovalOver(model, intent)) {
    if (intent.status !== 'awaiting_approval') model.coverage.refused('intent', intent.status, 'approve')
    return conflict('not_approvable')
  }
  const profile = model.profiles[intent.profile]
  const wanted = request.method ?? intent.method ?? usableMethod(model, intent.profile)
  const method = wanted && !wanted.isDeleted && profile?.methods.includes(wanted) ? wanted : null
  if (intent.awaitsAddress && (!profile?.hasAddress || profile.isArchived))
    return conflict('shipping_address_required')
  if (!method) return request.method ? notFound : conflict('payment_method_required')
  if (profile?.isArchived) return conflict('profile_not_active')
  if (isSoldByAnother(model, itemsToBuy(intent))) return conflict('merchant_changed')
  const isVerified = intent.question !== null && method === intent.method
  if (!isVerified && isWrongGuess(method, request)) {
    method.refusedCodes += 1
    if (method.refusedCodes >= 3) method.enrolment = 'rejected'
    return { ...conflict('payment_verification_required'), isCounted: true }
  }
  if (!isVerified && !proves(method, request)) return conflict('payment_verification_required')
  const answer = approveProven(model, intent, { ...request, method })
  const isForgotten = answer.code === null && !isVerified && isGuess(method, request)
  if (isForgotten) method.refusedCodes = 0
  return answer
}

function approveProven(
  model: Model,
  intent: ModelIntent,
  request: ApproveRequest & { method: ModelMethod },
): Answer {
  const { method } = request
  if (intent.retry) return approveRetry(model, intent, request)
  const { question } = intent
  const terms = question ?? intent
  const bought = intent.settled > 0 ? intent.carts.filter(({ status }) => status === 'succeeded') : []
  const verdict = judge(
    model,
    {
      ...intent,
      method,
      shops: intent.items.map(({ shop }) => shop),
      expected: terms.expected - sum(bought.map(({ expected }) => expected)),
      cap: terms.cap - intent.settled,
      charged: intent.settled,
    },
    { occasion: 'approve', stepUp: false, without: intent },
  )
  if (verdict.result === 'deny')
    return conflict(verdict.isOnlyFull ? 'policy_limit_exceeded' : 'policy_denied')
  const cap = Math.min(terms.cap, verdict.cap + intent.settled)
  if (request.seenOff !== null && terms.cap + request.seenOff !== cap) return conflict('approval_stale')
  if (question && cap < terms.cap) return conflict('policy_limit_exceeded')
  hold(model, intent, verdict)
  if (question) {
    const { cart } = question
    cart.expected = question.cartExpected
    cart.tax = question.cartTax
    cart.cap = question.cartCap
  }
  intent.expected = terms.expected
  intent.tax = terms.tax
  intent.cap = cap
  intent.method = method
  intent.approvedBy = request.key
  intent.approvedAt = model.now
  intent.awaitsAddress = false
  intent.nextAction = null
  intent.question = null
  moveIntent(model, intent, 'approve')
  intent.events.push('purchase_intent.approved')
  return ok
}

/** The carts that an approval starts: none that is ordered or bought already, or is not to be tried again. */
function itemsToBuy({ items, carts, retry }: ModelIntent): readonly ModelItem[] {
  if (carts.length === 0) return items
  const buying = retry?.carts ?? carts.filter(({ status, order }) => !isOver(status) && order === null)
  return buying.flatMap((cart) => cart.items)
}

/** A password where the card asks for one. Cards that are not enrolled ask for none. */
function isGuess(
  method: ModelMethod,
  { proof, preference }: Pick<ApproveRequest, 'proof' | 'preference'>,
): boolean {
  return stepUpOf(method, preference) === 'otp' && (proof === 'otp_right' || proof === 'otp_wrong')
}

/** It counts as an attempt at enrollment. */
function isWrongGuess(method: ModelMethod, request: Pick<ApproveRequest, 'proof' | 'preference'>): boolean {
  return isGuess(method, request) && !proves(method, request)
}

function proves(
  method: ModelMethod,
  { proof, preference }: Pick<ApproveRequest, 'proof' | 'preference'>,
): boolean {
  const asked = stepUpOf(method, preference)
  if (preference === 'require' && method.enrolment !== 'active') return false
  if (asked === 'none') return true
  if (asked === 'cvc') return proof === (method.card.startsWith('amex') ? 'cvc_4_digit' : 'cvc_3_digit')
  return proof === 'otp_right' && method.card !== 'visa_otp_invalid'
}

export function predictDecline(model: Model, intent: ModelIntent, key: KeyName): Answer {
  if (key !== 'person') return scope
  if (intent.status !== 'awaiting_approval' || isApprovalOver(model, intent)) {
    if (intent.status !== 'awaiting_approval') model.coverage.refused('intent', intent.status, 'refuse')
    return conflict('not_approvable')
  }
  refuse(model, intent, null)
  return ok
}

export function predictCancel(
  model: Model,
  intent: ModelIntent,
  { key, named }: { key: KeyName; named: readonly ModelCart[] | null },
): Answer {
  if (key === 'reader') return scope
  const refused = () => {
    if (terminal.includes(intent.status)) model.coverage.refused('intent', intent.status, 'cancel')
    for (const cart of named ?? [])
      if (isOver(cart.status)) model.coverage.refused('cart', cart.status, 'cancel')
    return conflict('not_cancellable')
  }
  if (terminal.includes(intent.status)) return refused()
  const open = intent.carts.filter(({ status }) => !isOver(status))
  const chosen = named ?? open
  if (!chosen.every(canCancel) || chosen.some(isAnswered)) return refused()
  const mayBeBought = intent.carts.some((cart) => cart.status === 'succeeded' || isUnknown(cart))
  if (named === null && mayBeBought) return refused()
  const isWhole =
    named === null || intent.carts.every((cart) => named.includes(cart) || cart.status === 'cancelled')
  const closesQuestion = intent.question !== null && chosen.includes(intent.question.cart)
  stopCarts(model, intent, chosen)
  if (isWhole) {
    moveIntent(model, intent, 'cancel')
    release(model, intent)
    intent.question = null
    intent.retry = null
    intent.awaitsAddress = false
    intent.failure = null
    intent.nextAction = null
    intent.events.push('purchase_intent.cancelled')
    return ok
  }
  if (closesQuestion) {
    moveIntent(model, intent, 'price_question_closed')
    intent.events.push('purchase_intent.approved')
    intent.question = null
    intent.nextAction = null
    intent.approvalExpires = null
  }
  leaveSignIn(model, intent)
  finish(model, intent)
  return ok
}

export function predictReconcile(
  model: Model,
  intent: ModelIntent,
  { key, cart, isPlaced }: { key: KeyName; cart: ModelCart; isPlaced: boolean },
): Answer {
  if (key !== 'person') return scope
  if (!isUnknown(cart)) {
    if (cart.status !== 'failed') model.coverage.refused('cart', cart.status, 'reconcile')
    return conflict('not_reconcilable')
  }
  moveCart(model, cart, isPlaced ? 'reconciled_placed' : 'reconciled_not_placed')
  cart.isKnown = true
  cart.isCleanup = true
  cart.failure = isPlaced ? null : 'outcome_unknown'
  if (isPlaced) cart.actual = Math.min(cart.charged, cart.cap)
  intent.events.push('purchase_intent.reconciled')
  if (intent.retry) {
    const { nextAction } = intent
    endTerms(model, intent)
    intent.nextAction = nextAction
    return ok
  }
  if (intent.status !== 'failed') return ok
  const isFailed = intent.carts.some(({ status }) => status === 'failed')
  moveIntent(model, intent, isFailed ? 'reconciled_failed' : 'reconciled_succeeded')
  endTerms(model, intent)
  if (!isFailed) intent.events.push('purchase_intent.succeeded')
  return ok
}
