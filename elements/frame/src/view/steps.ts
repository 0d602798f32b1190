import { refusedBilling } from '../billing/use-billing.ts'
import type { AddedCard } from '../calls/add-card.ts'
import { type Outcome, type Refusal, waitMinutes } from '../calls/call.ts'
import type { PaymentMethod } from '../calls/payment-method.ts'
import type { CardFault, CardField } from '../card/check-card.ts'
import type { Sentences } from '../locales/sentences.ts'

/** What the frame shows. What was typed is kept beside it, and outlives every step but `added`. */
export type Step =
  | { readonly kind: 'loading' }
  | { readonly kind: 'form'; readonly notice: Notice | null }
  | { readonly kind: 'submitting' }
  | { readonly kind: 'proving'; readonly method: PaymentMethod }
  | { readonly kind: 'added'; readonly method: PaymentMethod }
  | { readonly kind: 'over'; readonly back: Step }
  /** Nothing a person can do helps. */
  | { readonly kind: 'stopped'; readonly message: string }

export type Notice =
  | { readonly about: 'offline' }
  | { readonly about: 'too_many'; readonly minutes: number; readonly message: string }
  | { readonly about: 'unavailable' | 'not_possible' | 'card'; readonly message: string }
  /** The sentence is the payment processor's, for the person. */
  | { readonly about: 'processor'; readonly message: string }
  /** The card is there, and cannot be proven. */
  | { readonly about: 'not_proven' | 'purchase_over'; readonly message: string }

/** Why a field is marked: what this form has found, or what the vault says. */
type FieldError = { readonly fault: CardFault } | { readonly refusal: string }
export type FieldErrors = { readonly [Field in CardField]?: FieldError }

const stopping: readonly string[] = [
  'origin_not_allowed',
  'invalid_publishable_key',
  'capability_missing',
  'component_not_applicable',
  'not_found',
  'invalid_request',
]

const fieldsOfVault: Readonly<Record<string, CardField>> = {
  number: 'number',
  exp_month: 'expiry',
  exp_year: 'expiry',
  cvc: 'code',
  cardholder_name: 'name',
}

export function stepAfterOpening(outcome: Outcome<unknown>): Step {
  if (outcome.kind === 'done') return { kind: 'form', notice: null }
  return outcome.kind === 'no_answer'
    ? { kind: 'form', notice: { about: 'offline' } }
    : stepAfterRefusal(outcome)
}

export function stepAfterAdding(outcome: Outcome<AddedCard>): Step {
  if (outcome.kind === 'no_answer') return { kind: 'form', notice: { about: 'offline' } }
  if (outcome.kind === 'refused')
    return refusedBilling(outcome) === null ? stepAfterRefusal(outcome) : { kind: 'form', notice: null }
  const { method } = outcome.value
  return { kind: method.waitsFor === null ? 'added' : 'proving', method }
}

function stepAfterRefusal(refusal: Refusal): Step {
  const { code, message } = refusal
  if (code === 'session_expired') return { kind: 'over', back: { kind: 'form', notice: null } }
  if (stopping.includes(code)) return { kind: 'stopped', message }
  if (code === 'rate_limited')
    return { kind: 'form', notice: { about: 'too_many', minutes: waitMinutes(refusal), message } }
  if (code === 'card_refused') {
    if (refusal.param === processorParam) return { kind: 'form', notice: { about: 'processor', message } }
    const notice = refusedField(refusal) === null ? ({ about: 'card', message } as const) : null
    return { kind: 'form', notice }
  }
  const about = code === 'unavailable' || code === 'conflict' ? 'unavailable' : 'not_possible'
  return { kind: 'form', notice: { about, message } }
}

/** What a person reads of a refusal while a card is chosen or proven. */
export function noticeOf(outcome: Outcome<unknown>, isSaved: boolean): Notice | null {
  if (outcome.kind === 'done') return null
  const step = stepAfterOpening(outcome)
  const isSame = step.kind === 'form' && (!isSaved || step.notice?.about !== 'not_possible')
  if (isSame && step.notice?.about !== 'unavailable') return step.notice
  const { code, message, param } =
    outcome.kind === 'refused' ? outcome : { code: '', message: '', param: null }
  // A card may be gone that was there when it was chosen.
  const isOver = code === 'not_approvable' || (code === 'not_found' && param !== 'profile_payment_method_id')
  return { about: isOver ? 'purchase_over' : 'not_proven', message }
}

/** The field of a refusal whose sentence the payment processor has written for the person, in their language. */
export const processorParam = 'processor'

/** The field of the form that a card was refused for. */
export function refusedField({ code, param }: Refusal): CardField | null {
  const known = code === 'card_refused' && param !== null && Object.hasOwn(fieldsOfVault, param)
  return known ? (fieldsOfVault[param] ?? null) : null
}

export function noticeText(notice: Notice, sentences: Sentences): string {
  if (notice.about === 'processor') return notice.message
  if (notice.about === 'offline') return sentences.offline
  if (notice.about === 'too_many') return sentences.tooMany(notice.minutes)
  if (notice.about === 'unavailable') return sentences.unavailable
  if (notice.about === 'not_proven') return sentences.notProven
  if (notice.about === 'purchase_over') return sentences.purchaseOver
  return notice.about === 'card' ? sentences.refused.card : sentences.notPossible
}
