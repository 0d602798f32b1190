import {
  expectedOf,
  isFrozenFor,
  type KeyName,
  type Model,
  type ModelIntent,
  type ModelItem,
  type ModelMethod,
  type ModelPolicy,
  minute,
} from './model.ts'
import { hold, judge } from './policies.ts'

/**
 * The predicted answer to a request: a status, and the code of a refusal. `isCounted`: the refusal is committed, so that its key
 * gets it again.
 */
export type Answer = { status: number; code: string | null; isCounted?: true }

export const ok: Answer = { status: 200, code: null }

export function refusal(status: number, code: string): Answer {
  return { status, code }
}

export const refusals = {
  scope: refusal(403, 'insufficient_scope'),
  notFound: refusal(404, 'not_found'),
  conflict: (code: string) => refusal(409, code),
}

type CreateRequest = {
  key: KeyName
  profile: number
  method: ModelMethod | null
  policy: ModelPolicy | null
  items: ModelItem[]
  currency: 'EUR' | 'USD'
  callerMax: number | null
  feeSaid: number | null
}

/** A new purchase, or the refusal of it. */
export function predictCreate(model: Model, request: CreateRequest): Answer & { intent: ModelIntent | null } {
  const refused = createRefusal(model, request)
  if (refused) return { ...refused, intent: null }
  const expected = expectedOf(request.items)
  const method = request.method ?? usableMethod(model, request.profile)
  const asked = {
    ...request,
    method,
    shops: request.items.map(({ shop }) => shop),
    expected,
    cap: 1e12,
    fee: request.feeSaid ?? Math.min(Math.floor((expected * 30) / 100), 2500),
    charged: 0,
  }
  const decide = (stepUp: boolean) => judge(model, asked, { occasion: 'create', stepUp, without: null })
  const unattended = decide(false)
  const awaitsAddress = !model.profiles[request.profile]?.hasAddress
  const attention = awaitsAddress ? 'provide_input' : attentionTo(method)
  const verdict = unattended.result === 'allow' && attention ? decide(true) : unattended
  const tax = Math.floor((expected * 12) / 100)
  const full = expected + verdict.fee + tax + Math.floor((expected * verdict.tolerance) / 100)
  const cap = Math.min(full, request.callerMax ?? full, verdict.cap)
  const status =
    verdict.result === 'deny'
      ? 'declined'
      : verdict.result === 'allow' && !attention
        ? 'queued'
        : 'awaiting_approval'
  // Where an approval is needed anyway, the verification comes with it.
  const comesFirst = attention !== 'verify_payment' || unattended.result === 'allow'
  const nextAction = attention !== null && comesFirst ? attention : 'approve'
  const isWaiting = status === 'awaiting_approval'
  const intent: ModelIntent = {
    ...request,
    id: '',
    method,
    status,
    expected,
    cap,
    fee: verdict.fee,
    tax,
    tolerance: verdict.tolerance,
    onExceed: verdict.onExceed,
    settled: 0,
    isRequired: isWaiting,
    approvedBy: status === 'queued' ? 'policy' : null,
    approvedAt: model.now,
    approvalExpires: isWaiting ? model.now + verdict.minutes * minute : null,
    nextAction: isWaiting ? nextAction : null,
    failure: null,
    isPartial: false,
    question: null,
    retry: null,
    awaitsAddress: awaitsAddress && status === 'awaiting_approval',
    hasLeftSignIn: false,
    carts: [],
    events: ['purchase_intent.created', `purchase_intent.${status}`],
  }
  model.coverage.moved(
    'intent',
    '–',
    { declined: 'denied', awaiting_approval: 'approval_needed', queued: 'allowed' }[status],
  )
  model.intents.push(intent)
  if (verdict.result !== 'deny') {
    for (const policy of verdict.judged) if (policy.terms.perDay !== null) policy.created.push(model.now)
    if (verdict.result === 'allow') hold(model, intent, { ...verdict, cap })
  }
  return { status: 201, code: null, intent }
}

function attentionTo(method: ModelMethod | null): 'select_payment_method' | 'verify_payment' | null {
  if (method === null) return 'select_payment_method'
  return stepUpOf(method, 'prefer') === 'none' ? null : 'verify_payment'
}

function createRefusal(model: Model, request: CreateRequest): Answer | null {
  if (request.key === 'reader') return refusals.scope
  const profile = model.profiles[request.profile]
  if (!profile) return refusals.notFound
  if (request.method && (request.method.isDeleted || !profile.methods.includes(request.method)))
    return refusals.notFound
  if (request.policy?.isArchived) return refusals.conflict('policy_archived')
  if (isFrozenFor(model, request)) return refusals.conflict('frozen')
  return profile.isArchived ? refusals.conflict('profile_not_active') : null
}

export function usableMethod(model: Model, profile: number): ModelMethod | null {
  const methods = model.profiles[profile]?.methods ?? []
  return methods.find(({ isDefault, isDeleted }) => isDefault && !isDeleted) ?? null
}

/** The step-up of a card. */
export function stepUpOf(
  method: ModelMethod,
  preference: 'prefer' | 'never' | 'require',
): 'none' | 'cvc' | 'otp' {
  if (method.enrolment !== 'active' || preference === 'never') return 'cvc'
  return method.card.includes('otp') ? 'otp' : 'none'
}
