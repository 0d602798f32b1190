import { isObject } from '../../../schema/schema-node.ts'

/** What a person has to do before something goes on, in the words of the tools' users. */
type NextStep = {
  readonly kind: 'approve' | 'card' | 'sign_in' | 'code' | 'verify_payment' | 'input'
  /** The page on which they do it; null: there is none yet, or it is done in a page of the integrator's. */
  readonly url: string | null
  readonly expires_at: string | null
}

const kinds: Readonly<Record<string, NextStep['kind']>> = {
  approve: 'approve',
  reapprove_price: 'approve',
  select_payment_method: 'card',
  merchant_sign_in: 'sign_in',
  verify_payment: 'verify_payment',
  verify_payment_method: 'verify_payment',
  provide_input: 'input',
}

/** Of an answer or a refusal that names a person; null: nobody is needed. */
export function nextStepOf(body: string): NextStep | null {
  // Most answers are read no further than this.
  if (!body.includes('"next_action":{')) return null
  const answer: unknown = JSON.parse(body)
  if (!isObject(answer)) return null
  const action = answer.next_action ?? (isObject(answer.detail) ? answer.detail.next_action : null)
  if (!isObject(action) || typeof action.type !== 'string') return null
  const kind = asksForCode(action.fields) ? 'code' : kinds[action.type]
  if (kind === undefined) return null
  return { kind, url: textOrNull(action.url), expires_at: textOrNull(action.expires_at) }
}

function asksForCode(fields: unknown): boolean {
  return Array.isArray(fields) && fields.some((field) => isObject(field) && field.kind === 'code')
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
