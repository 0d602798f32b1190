import type {
  Call,
  HoldPage,
  ListedHold,
  NotNow,
  PaymentRail,
  RailAnswer,
  RailMemory,
  RailObject,
  RailReading,
} from '../../domain/buying/execution/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { callPeer, isRecord, type PeerAnswer, turnedAwayBy } from '../../platform/egress/peer-json.ts'

/** The payment processor of test mode, a process of its own. It moves no money and forgets nothing. */
export function createSandboxRail(options: { url: string; egress: Egress }): PaymentRail {
  const { egress } = options
  const base = options.url.replace(/\/+$/, '')

  async function change(path: string, key: string, body: object, call: Call): Promise<RailAnswer> {
    return answerOf(await callPeer(egress, { method: 'POST', url: base + path, body, key, ...call }))
  }

  async function remember(sent: Promise<PeerAnswer>): Promise<RailMemory> {
    return rememberedOf(await sent)
  }

  return {
    authorize: ({ key, card, amount, currency, merchant, reference }, call) =>
      change(
        '/v1/authorizations',
        key,
        { card: cardOf(card), amount: Number(amount), currency, merchant, reference },
        call,
      ),
    issueCredential: ({ key, card, limit, currency, merchant, expiresAt, reference }, call) =>
      change(
        '/v1/credentials',
        key,
        {
          card: cardOf(card),
          limit: Number(limit),
          currency,
          merchant,
          expires_at: expiresAt.toISOString(),
          reference,
        },
        call,
      ),
    capture: ({ key, reference, amount }, call) =>
      change(
        `/v1/authorizations/${encodeURIComponent(reference)}/captures`,
        key,
        { amount: Number(amount) },
        call,
      ),
    void: ({ key, reference }, call) =>
      change(`/v1/authorizations/${encodeURIComponent(reference)}/void`, key, {}, call),
    revoke: ({ key, reference }, call) =>
      change(`/v1/credentials/${encodeURIComponent(reference)}/revoke`, key, {}, call),
    refund: ({ key, reference, amount }, call) =>
      change(`/v1/captures/${encodeURIComponent(reference)}/refunds`, key, { amount: Number(amount) }, call),
    async get(kind, reference, call) {
      const path = kind === 'authorization' ? 'authorizations' : 'credentials'
      const url = `${base}/v1/${path}/${encodeURIComponent(reference)}`
      return readingOf(await callPeer(egress, { method: 'GET', url, ...call }))
    },
    ask: (key, call) =>
      remember(
        callPeer(egress, {
          method: 'GET',
          url: `${base}/v1/operations?key=${encodeURIComponent(key)}`,
          ...call,
        }),
      ),
    close: (key, call) =>
      remember(
        callPeer(egress, {
          method: 'POST',
          url: `${base}/v1/operations/close`,
          body: { key },
          key: `close:${key}`,
          ...call,
        }),
      ),
    async list({ since, until, page }, call) {
      const query = new URLSearchParams({ until: until.toISOString() })
      if (since !== null) query.set('since', since.toISOString())
      if (page !== null) query.set('page', page)
      return pageOf(await callPeer(egress, { method: 'GET', url: `${base}/v1/holds?${query}`, ...call }))
    },
  }
}

/** The sandbox knows test cards only, and a token of the vault is no business of a process outside. */
function cardOf(card: { testCard: string | null }): { test_card: string } {
  return { test_card: card.testCard ?? 'unknown' }
}

function answerOf(sent: PeerAnswer): RailAnswer {
  switch (sent.kind) {
    case 'not_sent':
      return sent
    case 'lost':
      return { kind: 'unknown' }
    case 'answer':
      return notNowOf(sent) ?? outcomeOf(sent.status, sent.body)
    default:
      return sent satisfies never
  }
}

type Said = Extract<PeerAnswer, { kind: 'answer' }>

/** The processor remembers nothing of a call that it answers like this, by its documentation: the key stays free. */
function notNowOf({ status, body, retryAfterSeconds }: Said): NotNow | null {
  const reason = turnedAwayBy(status)
  if (reason !== null) {
    const isObject = reason === 'misrouted' && errorOf(body).code === 'not_found'
    return { kind: 'not_now', reason: isObject ? 'no_object' : reason, retryAfterSeconds }
  }
  // What it cannot read is a mistake of ours and says nothing about the card, unless it has words for a refusal.
  const isUnread = (status === 400 || status === 422) && !isRefusal(errorOf(body).code)
  return isUnread ? { kind: 'not_now', reason: 'not_understood', retryAfterSeconds } : null
}

/**
 * Every code by which the processor refuses for good. Any other leaves the outcome unknown: a refusal that is not one would end a
 * purchase, or leave a hold behind.
 */
const refusalCodes: readonly unknown[] = [
  'declined',
  'closed',
  'authorization_declined',
  'authorization_voided',
  'already_captured',
  'over_authorized_amount',
  'already_charged',
  'over_captured_amount',
  'release_refused',
]

function isRefusal(code: unknown): code is string {
  return refusalCodes.includes(code)
}

function errorOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isRecord(body.error) ? body.error : {}
}

type Outcome = Extract<RailAnswer, { kind: 'done' | 'refused' | 'unknown' }>

function outcomeOf(status: number, body: Readonly<Record<string, unknown>>): Outcome {
  if (status < 300) {
    const value = objectOf(body)
    return value === null ? { kind: 'unknown' } : { kind: 'done', value }
  }
  const { code, decline_code } = errorOf(body)
  // Also of a key that somebody used: we did, before a restore from a backup. What came of it is asked, not guessed.
  if (status < 400 || status >= 500 || !isRefusal(code)) return { kind: 'unknown' }
  return { kind: 'refused', refusal: { code, declineCode: textOf(decline_code) } }
}

function readingOf(sent: PeerAnswer): RailReading {
  if (sent.kind !== 'answer') return { kind: 'unknown' }
  const notNow = notNowOf(sent)
  if (notNow !== null) return notNow
  const value = sent.status === 200 ? objectOf(sent.body) : null
  return value === null ? { kind: 'unknown' } : { kind: 'done', value }
}

function pageOf(answer: PeerAnswer): HoldPage | null {
  if (answer.kind !== 'answer' || answer.status !== 200 || !Array.isArray(answer.body.data)) return null
  const holds: ListedHold[] = []
  for (const entry of answer.body.data) {
    const object = isRecord(entry) && isRecord(entry.hold) ? objectOf(entry.hold) : null
    // A page that is read in part would hide what is on the rest of it.
    if (object === null || typeof entry.key !== 'string') return null
    holds.push({ key: entry.key, object })
  }
  return { holds, next: textOf(answer.body.next) }
}

/** A record `{status, answer, current, closed}`: what the key's caller was told, and what it has become. */
function rememberedOf(sent: PeerAnswer): RailMemory {
  if (sent.kind !== 'answer') return { kind: 'unknown' }
  const notNow = notNowOf(sent)
  // Only the processor itself can say that it knows nothing of a key; a path that nobody serves proves nothing.
  if (notNow !== null) return notNow.reason === 'no_object' ? { kind: 'not_found' } : notNow
  if (sent.status !== 200) return { kind: 'unknown' }
  const { status, answer, current, closed } = sent.body
  if (typeof status !== 'number' || !isRecord(answer))
    return closed === true ? { kind: 'closed' } : { kind: 'unknown' }
  const outcome = outcomeOf(status, answer)
  if (outcome.kind !== 'done') return outcome
  const value = isRecord(current) ? (objectOf(current) ?? outcome.value) : outcome.value
  // Closing released it: as if it had never been.
  return closed === true && value.status === 'voided' ? { kind: 'closed' } : { kind: 'done', value }
}

const statuses: Readonly<Record<string, RailObject['status']>> = {
  authorized: 'authorized',
  active: 'authorized',
  captured: 'captured',
  charged: 'captured',
  voided: 'voided',
  revoked: 'voided',
  declined: 'declined',
}

/** An authorization, a credential, a capture or a refund, by what it says of itself. */
function objectOf(body: Readonly<Record<string, unknown>>): RailObject | null {
  const { id, object, currency } = body
  if (typeof id !== 'string' || typeof currency !== 'string') return null
  const amount = amountOf(object === 'credential' ? body.limit : body.amount)
  if (amount === null) return null
  switch (object) {
    case 'authorization':
    case 'credential': {
      const status = typeof body.status === 'string' ? statuses[body.status] : undefined
      const capturedAmount = amountOf(body.captured_amount)
      if (status === undefined || capturedAmount === null) return null
      const isRefunded = status === 'captured' && amountOf(body.refunded_amount) === capturedAmount
      return {
        reference: id,
        status: isRefunded ? 'refunded' : status,
        amount,
        capturedAmount,
        currency,
        captureReference: textOf(body.capture_id),
      }
    }
    case 'capture': {
      const reference = textOf(body.authorization_id) ?? textOf(body.credential_id)
      if (reference === null) return null
      return { reference, status: 'captured', amount, capturedAmount: amount, currency, captureReference: id }
    }
    case 'refund':
      return {
        reference: id,
        status: 'refunded',
        amount,
        capturedAmount: 0n,
        currency,
        captureReference: textOf(body.capture_id),
      }
    default:
      return null
  }
}

function amountOf(value: unknown): bigint | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
