import { type KeyObject, verify } from 'node:crypto'
import { isDigestOf } from './content-digest.ts'
import {
  algorithmOf,
  importPublicJwk,
  isForSignatures,
  type PublicJwk,
  type SignatureAlgorithm,
} from './jwk.ts'
import { type Message, requiredComponents, signatureBase } from './signed-components.ts'
import {
  bytesIn,
  type InnerList,
  type Item,
  isInnerList,
  parseDictionary,
  serializeMember,
} from './structured-fields.ts'

export type SignatureFault =
  /** There is none that covers everything it must. */
  'signature_missing' | 'signature_invalid' | 'key_not_found' | 'algorithm_unsupported' | 'digest_mismatch'

type SignatureVerdict =
  | {
      readonly kind: 'verified'
      readonly kid: string
      readonly covered: readonly (string | null)[]
      /** Whether it says when it was made. One that does not never grows old. */
      readonly isDated: boolean
    }
  | { readonly kind: 'refused'; readonly code: SignatureFault }

/** How far the time of a signature may be off: that of its way here, and the clocks of both. */
const offMaxMs = 300_000
/** More would be work that a stranger chooses for us. */
const signaturesMax = 4

/** Whether a message shows any sign of a signature, good or bad. */
export function isSigned({ headers }: Pick<Message, 'headers'>): boolean {
  return headers['signature-input'] !== undefined || headers.signature !== undefined
}

/**
 * Checks the signatures of a message against the keys that its sender publishes: one that verifies is enough. Where none does, the fault
 * that its sender can best act on is returned.
 */
export function verifyMessage(message: Message, keys: readonly PublicJwk[], now: Date): SignatureVerdict {
  const candidates = candidatesOf(message).filter(({ covered }) => isOfNow(message, covered, now))
  if (candidates.length === 0) return refused('signature_missing')
  const digest = message.headers['content-digest']
  if (digest !== undefined && !isDigestOf(digest, message.body)) return refused('digest_mismatch')
  const faults = new Set<SignatureFault>()
  for (const candidate of candidates) {
    const verdict = check(message, candidate, keys)
    if (verdict.kind === 'verified') return verdict
    faults.add(verdict.code)
  }
  return refused(worstFirst.find((code) => faults.has(code)) ?? 'signature_invalid')
}

const worstFirst = ['signature_invalid', 'algorithm_unsupported', 'key_not_found'] as const

type Candidate = { readonly covered: InnerList; readonly signature: Uint8Array }

/** Signatures that cover all they must, with the bytes that belong to them. */
function candidatesOf(message: Message): Candidate[] {
  const inputs = parseDictionary(message.headers['signature-input'] ?? '')
  const signatures = parseDictionary(message.headers.signature ?? '')
  if (!inputs || !signatures) return []
  const required = requiredComponents(message)
  return [...inputs].slice(0, signaturesMax).flatMap(([label, covered]) => {
    const signature = bytesIn(signatures.get(label))
    if (!isInnerList(covered) || signature === null) return []
    const [items, parameters] = covered
    const names = items.map(nameOf)
    const isWhole = required.every((name) => names.includes(name)) && parameters.has('keyid')
    return isWhole ? [{ covered, signature }] : []
  })
}

/** A header counts as covered where one member of it is, as Web Bot Auth signs `Signature-Agent`; no other header is a dictionary. */
function nameOf([name, parameters]: Item): string | null {
  if (typeof name !== 'string') return null
  const isPart = parameters.size > 0 && name !== 'signature-agent'
  return isPart ? null : name
}

function check(
  message: Message,
  { covered, signature }: Candidate,
  keys: readonly PublicJwk[],
): SignatureVerdict {
  const [items, parameters] = covered
  const kid = parameters.get('keyid')
  if (typeof kid !== 'string') return refused('signature_invalid')
  // A key that says which algorithm a message may be read with would let its sender choose; UCP allows none.
  if (parameters.has('alg')) return refused('signature_invalid')
  const jwk = keys.find((one) => one.kid === kid && isForSignatures(one))
  if (!jwk) return refused('key_not_found')
  const algorithm = algorithmOf(jwk)
  if (algorithm === null) return refused('algorithm_unsupported')
  const key = importPublicJwk(jwk)
  const base = signatureBase(message, items, serializeMember(covered))
  if (key === null || base === null) return refused('signature_invalid')
  const isGood = verifies({ algorithm, key, base: Buffer.from(base), signature })
  return isGood
    ? {
        kind: 'verified',
        kid,
        covered: items.map(nameOf),
        isDated: parameters.has('created'),
      }
    : refused('signature_invalid')
}

/**
 * A request that was seen once may be sent again by somebody else, so its signature counts for minutes. An answer cannot: it comes on the
 * connection of its request, and a merchant whose clock is wrong can still be bought from.
 */
function isOfNow({ kind }: Message, [, parameters]: InnerList, now: Date): boolean {
  const msOf = (name: string) => {
    const value = parameters.get(name)
    return value === undefined ? null : typeof value === 'number' ? value * 1000 : Number.NaN
  }
  const [created, expires] = [msOf('created'), msOf('expires')]
  if (expires !== null && !(expires >= now.getTime())) return false
  // guard old-signatures: a signed request that somebody has seen is worth nothing after minutes
  return kind === 'response' || created === null || Math.abs(created - now.getTime()) <= offMaxMs
}

type Signed = { algorithm: SignatureAlgorithm; key: KeyObject; base: Uint8Array; signature: Uint8Array }

/** An ECDSA signature is raw r||s. One in DER has another length, and does not verify. */
export function verifies({ algorithm, key, base, signature }: Signed): boolean {
  switch (algorithm) {
    case 'ES256':
      return verify('sha256', base, { key, dsaEncoding: 'ieee-p1363' }, signature)
    case 'ES384':
      return verify('sha384', base, { key, dsaEncoding: 'ieee-p1363' }, signature)
    case 'EdDSA':
      return verify(null, base, key, signature)
    default:
      return algorithm satisfies never
  }
}

function refused(code: SignatureFault): SignatureVerdict {
  return { kind: 'refused', code }
}
