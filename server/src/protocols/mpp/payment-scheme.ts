import { createHash } from 'node:crypto'
import type * as Mppx from 'mppx'

/** The library is loaded at the first use: it brings much that only payers of coins need, and most processes never see a payment. */
let loaded: Promise<typeof Mppx> | undefined
function library(): Promise<typeof Mppx> {
  loaded ??= import('mppx')
  return loaded
}

/** What challenges of ours are made with: the same in all processes. */
export type Signing = {
  /** 32 bytes or more, as text. */
  readonly secret: string
  /** The host that asks for the payment. */
  readonly realm: string
}

/** What is asked for. */
type Asked = {
  readonly method: string
  readonly request: {
    readonly amount: string
    readonly currency: string
    readonly recipient: string
  } & Record<string, unknown>
  readonly expiresAt: Date
  /** What the challenge binds besides: it comes back unchanged. */
  readonly bound: Readonly<Record<string, string>>
  readonly description: string
}

export type SentChallenge = {
  readonly id: string
  /** The value of `WWW-Authenticate`. */
  readonly header: string
  /** The same as JSON, for transports that have no headers. */
  readonly json: Readonly<Record<string, unknown>>
}

/** Makes a challenge whose id binds all of it, so nothing has to be stored. */
export async function writeChallenge({ secret, realm }: Signing, asked: Asked): Promise<SentChallenge> {
  const { Challenge } = await library()
  const { method, request, expiresAt, bound, description } = asked
  const challenge = Challenge.from({
    secretKey: secret,
    realm,
    method,
    intent: 'charge',
    request,
    expires: expiresAt.toISOString(),
    meta: { ...bound },
    description,
  })
  const { meta: _, ...json } = challenge
  return { id: challenge.id, header: Challenge.serialize(challenge), json }
}

export type ReadCredential = {
  readonly challenge: {
    readonly id: string
    readonly realm: string
    readonly method: string
    readonly intent: string
    readonly request: Readonly<Record<string, unknown>>
    readonly expires: string | null
    readonly bound: Readonly<Record<string, unknown>>
  }
  /** Whether the challenge was made with our secret, for our realm, and came back unchanged. */
  readonly isOurs: boolean
  readonly payload: unknown
  readonly source: string | null
}

/** A credential as a header has it, or as JSON; `malformed`: it cannot be read. Null: there is none. */
export async function readCredential(
  given: string | object | undefined,
  { secret, realm }: Signing,
): Promise<ReadCredential | 'malformed' | null> {
  if (given === undefined) return null
  const { Challenge, Credential, PaymentRequest } = await library()
  const scheme = typeof given === 'string' ? Credential.extractPaymentScheme(given) : null
  if (typeof given === 'string' && scheme === null) return null
  try {
    const { challenge, payload, source } =
      scheme === null ? readJson(given as object, Challenge.Schema) : Credential.deserialize(scheme)
    const { id, method, intent, request, expires, opaque } = challenge
    return {
      challenge: {
        id,
        realm: challenge.realm,
        method,
        intent,
        request,
        expires: expires ?? null,
        bound: opaque === undefined ? {} : PaymentRequest.deserialize(opaque),
      },
      isOurs: challenge.realm === realm && Challenge.verify(challenge, { secretKey: secret }),
      payload,
      source: typeof source === 'string' ? source.slice(0, 255) : null,
    }
  } catch {
    return 'malformed'
  }
}

function readJson(given: object, schema: typeof Mppx.Challenge.Schema) {
  const { challenge, payload, source } = given as Record<string, unknown>
  return { challenge: schema.parse(challenge), payload, source }
}

type Receipt = {
  readonly method: string
  readonly reference: string
  /** Of the payment. */
  readonly at: Date
  readonly challengeId: string
  readonly externalId: string
}

/** What proves a payment to the payer: as a header has it, and as JSON. */
export async function writeReceipt(paid: Receipt): Promise<{ header: string; json: object }> {
  const { Receipt: Receipts } = await library()
  const { method, reference, at, challengeId, externalId } = paid
  const json = {
    status: 'success',
    method,
    reference,
    timestamp: at.toISOString(),
    challengeId,
    externalId,
  } as const
  return { header: Receipts.serialize(json), json }
}

/** Equal for bodies that mean the same JSON, however they are written; null: it has no canonical form, such as a number without end. */
export async function digestOfJson(value: unknown): Promise<string | null> {
  const { PaymentRequest } = await library()
  try {
    return createHash('sha256').update(PaymentRequest.serialize({ value })).digest('base64url')
  } catch {
    return null
  }
}
