import type { BillingAddress } from '../billing/billing-address.ts'
import type { Card } from '../card/check-card.ts'
import { newKey, noVault, type Outcome } from './call.ts'
import { type PaymentMethod, paymentMethodOf } from './payment-method.ts'
import type { Session, SessionCalls } from './session.ts'

/** A card, with the token of its security code: for one use, within minutes. */
export type AddedCard = { readonly method: PaymentMethod; readonly codeToken: string | null }

export type CardCalls = {
  /** With the address to which its bills go; without one: nobody has asked for it. */
  add(
    card: Card | EnteredCard,
    isEnrolled: boolean,
    address?: BillingAddress | null,
  ): Promise<Outcome<AddedCard>>
  /** Gives the code that the bank has sent for a card's enrollment. */
  verify(id: string, code: string): Promise<Outcome<PaymentMethod>>
}

/** A card that the vault has taken, with the request that names it: sent again after an answer that was lost, it adds no second card. */
type Submission = {
  readonly of: string
  readonly body: object
  readonly codeToken: string | null
  readonly idempotencyKey: string
}

/** A card that the payment processor has: the setup by which it was entered there is its token. */
export type EnteredCard = { readonly setup: string }

type Typed = {
  readonly card: Card | EnteredCard
  readonly isEnrolled: boolean
  readonly address: BillingAddress | null
}

export function createCardCalls({ within, ask, send }: SessionCalls): CardCalls {
  let unfinished: Submission | null = null

  async function leave(
    card: Card | EnteredCard,
    { vaultUrl, token }: Session,
  ): Promise<Outcome<Record<string, unknown>>> {
    if ('setup' in card) return { kind: 'done', value: { vault_token_id: card.setup } }
    if (vaultUrl === null) return noVault
    // The only request that has the number.
    return send({ url: `${vaultUrl}/cards`, session: token, body: card })
  }

  async function submit({ card, isEnrolled, address }: Typed, opened: Session): Promise<Outcome<Submission>> {
    const of = JSON.stringify([card, isEnrolled, address])
    if (unfinished?.of === of) return { kind: 'done', value: unfinished }
    const cardholder_name = 'setup' in card ? null : card.cardholder_name
    // Before the card: an address that is refused has used up no attempt at one. Sent twice it is there once.
    const placed =
      address === null
        ? null
        : await send({
            url: '/elements/v1/billing_addresses',
            session: opened.token,
            body: { ...address, ...(cardholder_name === null ? {} : { recipient_name: cardholder_name }) },
          })
    if (placed !== null && placed.kind !== 'done') return placed
    const billed = placed === null ? {} : { billing_address: { id: placed.value.id } }
    const stored = await leave(card, opened)
    if (stored.kind !== 'done') return stored
    const { vault_token_id, temporary_cvc_token_id } = stored.value
    const codeToken = typeof temporary_cvc_token_id === 'string' ? temporary_cvc_token_id : null
    const enrollment = isEnrolled
      ? { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }
      : {}
    const named = cardholder_name === null ? {} : { cardholder_name }
    const body = {
      type: 'card',
      ...billed,
      card: { kind: 'existing', vault_token_id, ...named, ...enrollment },
    }
    unfinished = { of, body, codeToken, idempotencyKey: newKey() }
    return { kind: 'done', value: unfinished }
  }

  return {
    async add(card, isEnrolled, address = null) {
      const outcome = await within(async (opened): Promise<Outcome<AddedCard>> => {
        const submitted = await submit({ card, isEnrolled, address }, opened)
        if (submitted.kind !== 'done') return submitted
        const { body, codeToken, idempotencyKey } = submitted.value
        const url = '/elements/v1/payment_methods'
        const made = await send({ url, session: opened.token, idempotencyKey, body })
        if (made.kind !== 'done') return made
        return { kind: 'done', value: { method: paymentMethodOf(made.value), codeToken } }
      })
      const isOver = outcome.kind === 'refused' && !mayGoOn(outcome.code)
      if (outcome.kind === 'done' || isOver) unfinished = null
      return outcome
    },
    async verify(id, code) {
      const body = { method: 'otp', code }
      const proven = await ask(`payment_methods/${encodeURIComponent(id)}/verify`, { body })
      return proven.kind === 'done' ? { kind: 'done', value: paymentMethodOf(proven.value) } : proven
    },
  }
}

/** Whether the same request is to be sent again later, rather than another one. */
function mayGoOn(code: string): boolean {
  return ['session_expired', 'rate_limited', 'unavailable', 'idempotency_key_in_use'].includes(code)
}
