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
import { type InnerList, type Item, parseDictionary, serializeMember } from './structured-fields.ts'

export type SignatureFault =
  /** There is none that covers everything it must. */
  'signature_missing' | 'signature_invalid' | 'key_not_found' | 'algorithm_unsupported' | 'digest_mismatch'

type SignatureVerdict =
  | { readonly kind: 'verified'; readonly kid: string; readonly covered: readonly (string | null)[] }
  | { readonly kind: 'refused'; readonly code: SignatureFault }

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
  const candidates = candidatesOf(message)
  if (candidates.length === 0) return refused('signature_missing')
  const digest = message.headers['content-digest']
  if (digest !== undefined && !isDigestOf(digest, message.body)) return refused('digest_mismatch')
  const faults = new Set<SignatureFault>()
  for (const candidate of candidates) {
    const verdict = check(message, candidate, { keys, now })
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
    const signature = signatures.get(label)
    if (covered.kind !== 'list' || signature?.kind !== 'item' || signature.item.kind !== 'bytes') return []
    const names = covered.items.map(nameOf)
    const isWhole = required.every((name) => names.includes(name)) && covered.parameters.has('keyid')
    return isWhole ? [{ covered, signature: signature.item.value }] : []
  })
}

/** A header counts as covered where one member of it is, as Web Bot Auth signs `Signature-Agent`; no other header is a dictionary. */
function nameOf({ item, parameters }: Item): string | null {
  if (item.kind !== 'string') return null
  const isPart = parameters.size > 0 && item.value !== 'signature-agent'
  return isPart ? null : item.value
}

function check(
  message: Message,
  { covered, signature }: Candidate,
  { keys, now }: { keys: readonly PublicJwk[]; now: Date },
): SignatureVerdict {
  const kid = covered.parameters.get('keyid')
  if (kid?.kind !== 'string') return refused('signature_invalid')
  // A key that says which algorithm a message may be read with would let its sender choose; UCP allows none.
  if (covered.parameters.has('alg')) return refused('signature_invalid')
  if (hasExpired(covered, now)) return refused('signature_invalid')
  const jwk = keys.find((one) => one.kid === kid.value && isForSignatures(one))
  if (!jwk) return refused('key_not_found')
  const algorithm = algorithmOf(jwk)
  if (algorithm === null) return refused('algorithm_unsupported')
  const key = importPublicJwk(jwk)
  const base = signatureBase(message, covered.items, serializeMember(covered))
  if (key === null || base === null) return refused('signature_invalid')
  const isGood = verifies({ algorithm, key, base: Buffer.from(base), signature })
  return isGood
    ? { kind: 'verified', kid: kid.value, covered: covered.items.map(nameOf) }
    : refused('signature_invalid')
}

function hasExpired({ parameters }: InnerList, now: Date): boolean {
  const expires = parameters.get('expires')
  return expires !== undefined && (expires.kind !== 'integer' || expires.value * 1000 < now.getTime())
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
