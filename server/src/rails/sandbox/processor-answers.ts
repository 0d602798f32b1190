import type {
  HoldAnswer,
  HoldPage,
  ListedHold,
  NeedsPerson,
  NotNow,
  RailObject,
  RailReading,
  Recalled,
} from '../../domain/buying/rails/port.ts'
import { isRecord, type PeerAnswer, turnedAwayBy } from '../../platform/egress/peer-json.ts'

export function answerOf(sent: PeerAnswer): HoldAnswer {
  switch (sent.kind) {
    case 'not_sent':
      return sent
    case 'lost':
      return { kind: 'unknown' }
    case 'answer':
      // guard turned-away-is-no-answer: a call that the rail turned away did nothing, and is no refusal and no uncertainty
      return notNowOf(sent) ?? outcomeOf(sent.status, sent.body)
    default:
      return sent satisfies never
  }
}

type ProcessorAnswer = Extract<PeerAnswer, { kind: 'answer' }>

/** By its documentation, the processor remembers nothing of a call that it answers like this: the key stays free. */
function notNowOf({ status, body, retryAfterSeconds }: ProcessorAnswer): NotNow | null {
  const reason = turnedAwayBy(status)
  if (reason !== null) {
    const isObject = reason === 'misrouted' && errorOf(body).code === 'not_found'
    return { kind: 'not_now', reason: isObject ? 'no_object' : reason, retryAfterSeconds }
  }
  // A request that it cannot read is a mistake of ours and says nothing about the card, unless the answer has the code of a refusal.
  const isUnread = (status === 400 || status === 422) && !isRefusal(errorOf(body).code)
  return isUnread ? { kind: 'not_now', reason: 'not_understood', retryAfterSeconds } : null
}

/**
 * Every code by which the processor refuses for good. Any other code leaves the outcome unknown: if it were wrongly read as a refusal, a
 * purchase would end, or a hold would be left behind.
 */
const refusalCodes: readonly unknown[] = [
  'declined',
  'closed',
  'authorization_declined',
  'authorization_voided',
  'already_captured',
  'over_authorized_amount',
  'already_charged',
  'credential_declined',
  'credential_expired',
  'credential_revoked',
  'over_limit',
  'wrong_currency',
  'wrong_merchant',
  'over_captured_amount',
  'release_refused',
]

function isRefusal(code: unknown): code is string {
  return refusalCodes.includes(code)
}

function errorOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isRecord(body.error) ? body.error : {}
}

function outcomeOf(
  status: number,
  body: Readonly<Record<string, unknown>>,
): Extract<HoldAnswer, { kind: 'done' | 'refused' | 'unknown' | 'needs_person' }> {
  if (status < 300) {
    const person = personIn(body)
    if (person !== null) return person
    const value = objectOf(body)
    return value === null ? { kind: 'unknown' } : { kind: 'done', value }
  }
  const { code, decline_code } = errorOf(body)
  // This includes a key that was used already: we used it before a restore from a backup. Its outcome is asked for, not guessed.
  // guard refusals-are-listed: an undocumented code ends no purchase
  if (status < 400 || status >= 500 || !isRefusal(code)) return { kind: 'unknown' }
  return { kind: 'refused', refusal: { code, declineCode: textOf(decline_code) } }
}

/** A payment that its holder has to confirm; null: it waits for nobody. */
function personIn({ status, next_action: action }: Readonly<Record<string, unknown>>): NeedsPerson | null {
  if (status !== 'requires_action' || !isRecord(action)) return null
  const url = textOf(action.url)
  const until = new Date(textOf(action.expires_at) ?? '')
  return url === null || Number.isNaN(until.getTime()) ? null : { kind: 'needs_person', url, until }
}

/** Whether its holder was asked, and said no. */
function isRefusedByHolder({ status, decline_code }: Readonly<Record<string, unknown>>): boolean {
  return status === 'declined' && decline_code === 'authentication_failed'
}

const refusedByHolder = {
  kind: 'refused',
  refusal: { code: 'authentication_failed', declineCode: null },
} as const

export function readingOf(sent: PeerAnswer): RailReading {
  if (sent.kind !== 'answer') return { kind: 'unknown' }
  const notNow = notNowOf(sent)
  if (notNow !== null) return notNow
  const value = sent.status === 200 ? objectOf(sent.body) : null
  return value === null ? { kind: 'unknown' } : { kind: 'done', value }
}

export function pageOf(answer: PeerAnswer): HoldPage | null {
  if (answer.kind !== 'answer' || answer.status !== 200 || !Array.isArray(answer.body.data)) return null
  const holds: ListedHold[] = []
  for (const entry of answer.body.data) {
    const object = isRecord(entry) && isRecord(entry.hold) ? objectOf(entry.hold) : null
    // A page that is read only in part would hide the rest of its entries.
    if (object === null || typeof entry.key !== 'string') return null
    holds.push({ key: entry.key, object })
  }
  return { holds, next: textOf(answer.body.next) }
}

/** A record `{status, answer, current, closed}`: the answer that the key's caller got, and the present state of the object. */
export function rememberedOf(sent: PeerAnswer): Recalled {
  if (sent.kind !== 'answer') return { kind: 'unknown' }
  const notNow = notNowOf(sent)
  // Only the processor itself can say that it does not know a key; a path that no server answers proves nothing.
  // guard only-the-rail-knows-nothing-of-a-key: a path without a server does not prove that a call never arrived
  if (notNow !== null) return notNow.reason === 'no_object' ? { kind: 'not_found' } : notNow
  if (sent.status !== 200) return { kind: 'unknown' }
  const { status, answer, current, closed } = sent.body
  if (typeof status !== 'number' || !isRecord(answer))
    return closed === true ? { kind: 'closed' } : { kind: 'unknown' }
  const outcome = outcomeOf(status, answer)
  if (outcome.kind !== 'done' && outcome.kind !== 'needs_person') return outcome
  if (isRecord(current) && isRefusedByHolder(current)) return refusedByHolder
  const person = isRecord(current) ? personIn(current) : null
  if (person !== null) return person
  const value =
    (isRecord(current) ? objectOf(current) : null) ?? (outcome.kind === 'done' ? outcome.value : null)
  if (value === null) return outcome
  // Closing released it: as if it had never existed.
  return closed === true && value.status === 'voided' ? { kind: 'closed' } : { kind: 'done', value }
}

/** What was made under a key, in its present state. */
type Made = {
  readonly kind: 'made'
  readonly objects: readonly {
    readonly object: RailObject
    readonly name: unknown
    readonly declineCode: string | null
    /** Given while its holder is asked. */
    readonly person: NeedsPerson | null
  }[]
}

export function madeOf(sent: PeerAnswer): Made | NotNow | { readonly kind: 'unknown' } {
  if (sent.kind !== 'answer') return { kind: 'unknown' }
  const notNow = notNowOf(sent)
  if (notNow !== null) return notNow
  if (sent.status !== 200 || !Array.isArray(sent.body.data)) return { kind: 'unknown' }
  const objects = sent.body.data.map((entry: unknown) => {
    const object = isRecord(entry) ? objectOf(entry) : null
    return isRecord(entry) && object
      ? { object, name: entry.object, declineCode: textOf(entry.decline_code), person: personIn(entry) }
      : null
  })
  // If only a part were read, the rest would stay held.
  const known = objects.filter((one) => one !== null)
  return known.length === objects.length ? { kind: 'made', objects: known } : { kind: 'unknown' }
}

/** The outcome of a key as a whole, where only what it made shows it. */
export function cameOf(made: ReturnType<typeof madeOf>): Recalled {
  if (made.kind !== 'made') return made
  const asked = made.objects.find(({ person }) => person !== null)
  if (asked?.person) return asked.person
  const standing = (status: RailObject['status']) =>
    made.objects.find(({ object }) => object.status === status)
  const stands = standing('captured') ?? standing('refunded') ?? standing('claimed') ?? standing('authorized')
  if (stands) return { kind: 'done', value: stands.object }
  const declined = made.objects.find(({ object }) => object.status === 'declined')
  if (declined?.declineCode === refusedByHolder.refusal.code) return refusedByHolder
  if (declined) return { kind: 'refused', refusal: { code: 'declined', declineCode: declined.declineCode } }
  return made.objects.length > 0 ? { kind: 'closed' } : { kind: 'not_found' }
}

/** Whether the processor says that it cannot close keys. */
export function isUnsupported(sent: PeerAnswer): boolean {
  return sent.kind === 'answer' && sent.status === 404 && errorOf(sent.body).code === 'not_supported'
}

const statuses: Readonly<Record<string, Readonly<Record<string, RailObject['status']>>>> = {
  authorization: {
    // It is released like one, should it be confirmed meanwhile.
    requires_action: 'authorized',
    authorized: 'authorized',
    captured: 'captured',
    voided: 'voided',
    declined: 'declined',
  },
  credential: {
    requires_action: 'authorized',
    active: 'authorized',
    // guard claimed-is-not-free: a credential that a merchant has claimed is not one that nobody has used
    authorized: 'claimed',
    charged: 'captured',
    revoked: 'voided',
    declined: 'declined',
  },
}

/** An authorization, a credential, a card, a capture or a refund, from the processor's JSON. */
function objectOf(body: Readonly<Record<string, unknown>>): RailObject | null {
  const { id, object, currency } = body
  if (typeof id !== 'string' || typeof currency !== 'string') return null
  const isLimited = object === 'credential' || object === 'virtual_card'
  const amount = amountOf(isLimited ? body.limit : body.amount)
  if (amount === null) return null
  switch (object) {
    case 'authorization':
    case 'credential': {
      const status = typeof body.status === 'string' ? statuses[object]?.[body.status] : undefined
      const capturedAmount = amountOf(body.captured_amount)
      if (status === undefined || capturedAmount === null) return null
      const isRefunded = status === 'captured' && amountOf(body.refunded_amount) === capturedAmount
      return {
        reference: id,
        status: isRefunded ? 'refunded' : status,
        amount,
        claimedAmount: status === 'claimed' ? amountOf(body.authorized_amount) : null,
        capturedAmount,
        ...refundedOf(body.refunded_amount),
        currency,
        captureReference: textOf(body.capture_id),
      }
    }
    case 'virtual_card':
      return cardOf(body, { reference: id, amount, currency })
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

/**
 * A card as the credential that it is. It is charged in parts: as long as something is authorized, more may be captured or given back. What
 * was given back whole can be authorized again, until the card takes no more.
 */
function cardOf(
  body: Readonly<Record<string, unknown>>,
  known: Pick<RailObject, 'reference' | 'amount' | 'currency'>,
): RailObject | null {
  const [held, captured] = [amountOf(body.authorized), amountOf(body.captured)]
  const { status: state, takes_more } = body
  if (held === null || captured === null || typeof state !== 'string' || typeof takes_more !== 'boolean')
    return null
  const nothing = { ...known, claimedAmount: null, capturedAmount: 0n, captureReference: null }
  if (state === 'declined') return { ...nothing, status: 'declined' }
  if (state === 'requires_action') return { ...nothing, status: 'authorized' }
  const refunded = refundedOf(body.refunded)
  const charged = { ...known, ...refunded, capturedAmount: captured, captureReference: known.reference }
  if (held > 0n) return { ...charged, status: 'claimed', claimedAmount: held + captured }
  if (captured === 0n) return { ...nothing, status: takes_more ? 'authorized' : 'voided' }
  const isRefunded = amountOf(body.refunded) === captured
  return { ...charged, status: isRefunded ? 'refunded' : 'captured', claimedAmount: null }
}

function refundedOf(value: unknown): { readonly refundedAmount?: bigint } {
  const refundedAmount = amountOf(value)
  return refundedAmount === null ? {} : { refundedAmount }
}

export function amountOf(value: unknown): bigint | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
