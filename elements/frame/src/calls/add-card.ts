import type { Card } from '../card/check-card.ts'
import type { Outcome } from './call.ts'
import { type PaymentMethod, paymentMethodOf, type Step } from './payment-method.ts'
import type { Session, SessionCalls } from './session.ts'

export type CardCalls = {
  add(card: Card, isEnrolled: boolean): Promise<Outcome<PaymentMethod>>
  verify(id: string, proof: Proof): Promise<Outcome<PaymentMethod>>
}

export type Proof =
  | { readonly method: 'otp'; readonly code: string }
  | { readonly method: Exclude<Step, 'otp'>; readonly assertion: string }

/** A card that the vault has taken, with the request that names it: sent again after an answer that was lost, it adds no second card. */
type Submission = { readonly of: string; readonly body: object; readonly idempotencyKey: string }

export function createCardCalls({ within, ask, send }: SessionCalls): CardCalls {
  let unfinished: Submission | null = null

  async function submit(card: Card, isEnrolled: boolean, opened: Session): Promise<Outcome<Submission>> {
    const of = JSON.stringify([card, isEnrolled])
    if (unfinished?.of === of) return { kind: 'done', value: unfinished }
    // The only request that has the number.
    const stored = await send({ url: `${opened.vaultUrl}/cards`, session: opened.token, body: card })
    if (stored.kind !== 'done') return stored
    const { vault_token_id } = stored.value
    const { cardholder_name } = card
    const enrollment = isEnrolled
      ? { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }
      : {}
    const named = cardholder_name === null ? {} : { cardholder_name }
    const body = { type: 'card', card: { kind: 'existing', vault_token_id, ...named, ...enrollment } }
    unfinished = { of, body, idempotencyKey: newKey() }
    return { kind: 'done', value: unfinished }
  }

  return {
    async add(card, isEnrolled) {
      const outcome = await within(async (opened) => {
        const submitted = await submit(card, isEnrolled, opened)
        if (submitted.kind !== 'done') return submitted
        const { body, idempotencyKey } = submitted.value
        const url = '/elements/v1/payment_methods'
        return paymentMethodOf(await send({ url, session: opened.token, idempotencyKey, body }))
      })
      const isOver = outcome.kind === 'refused' && !mayGoOn(outcome.code)
      if (outcome.kind === 'done' || isOver) unfinished = null
      return outcome
    },
    verify: async (id, proof) =>
      paymentMethodOf(await ask(`payment_methods/${encodeURIComponent(id)}/verify`, { body: proof })),
  }
}

/** Whether the same request is to be sent again later, rather than another one. */
function mayGoOn(code: string): boolean {
  return ['session_expired', 'rate_limited', 'unavailable', 'idempotency_key_in_use'].includes(code)
}

/** `crypto.randomUUID` is missing where an elements origin is served without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
