import type { Card } from '../card/check-card.ts'
import { call, type Fetch, type Outcome } from './call.ts'
import { openSession, type Session, type SessionRequest } from './open-session.ts'
import { type PaymentMethod, paymentMethodOf, type Step } from './payment-method.ts'

export type CardCalls = {
  /** Opens the session, unless one is open. */
  open(): Promise<Outcome<Session>>
  /** The page has got another bootstrap: the next session is opened with it. */
  renew(bootstrap: string): void
  add(card: Card, isEnrolled: boolean): Promise<Outcome<PaymentMethod>>
  verify(id: string, proof: Proof): Promise<Outcome<PaymentMethod>>
}

export type Proof =
  | { readonly method: 'otp'; readonly code: string }
  | { readonly method: Exclude<Step, 'otp'>; readonly assertion: string }

/** A card that the vault has taken, with the request that names it: sent again after an answer that was lost, it adds no second card. */
type Submission = { readonly of: string; readonly body: object; readonly idempotencyKey: string }

export function createCardCalls(fetch: Fetch, request: SessionRequest): CardCalls {
  let bootstrap = request.bootstrap
  let session: Session | null = null
  let unfinished: Submission | null = null

  async function open(): Promise<Outcome<Session>> {
    if (session !== null) return { kind: 'done', value: session }
    const opened = await openSession(fetch, { ...request, bootstrap })
    if (opened.kind === 'done') session = opened.value
    return opened
  }

  /** A session that is over is opened again once, without anybody noticing. */
  async function within<T>(work: (session: Session) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    for (let attempt = 1; ; attempt += 1) {
      const opened = await open()
      if (opened.kind !== 'done') return opened
      const outcome = await work(opened.value)
      if (attempt > 1 || outcome.kind !== 'refused' || outcome.code !== 'session_expired') return outcome
      session = null
    }
  }

  async function submit(card: Card, isEnrolled: boolean, opened: Session): Promise<Outcome<Submission>> {
    const of = JSON.stringify([card, isEnrolled])
    if (unfinished?.of === of) return { kind: 'done', value: unfinished }
    // The only request that has the number.
    const stored = await call(fetch, { url: `${opened.vaultUrl}/cards`, session: opened.token, body: card })
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
    open,
    renew(next) {
      bootstrap = next
      session = null
    },
    async add(card, isEnrolled) {
      const outcome = await within(async (opened) => {
        const submitted = await submit(card, isEnrolled, opened)
        if (submitted.kind !== 'done') return submitted
        const { body, idempotencyKey } = submitted.value
        const url = '/elements/v1/payment_methods'
        return paymentMethodOf(await call(fetch, { url, session: opened.token, idempotencyKey, body }))
      })
      const isOver = outcome.kind === 'refused' && !mayGoOn(outcome.code)
      if (outcome.kind === 'done' || isOver) unfinished = null
      return outcome
    },
    verify: (id, proof) =>
      within(async ({ token }) => {
        const url = `/elements/v1/payment_methods/${encodeURIComponent(id)}/verify`
        return paymentMethodOf(await call(fetch, { url, session: token, body: proof }))
      }),
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
