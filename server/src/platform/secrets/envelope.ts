import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { type KeyProvider, UnknownKeyError } from './keys.ts'

/** What a sealed record is, and its owner. It is bound into the record, so a row that is copied elsewhere does not open there. */
type EnvelopeContext = { what: string; accountId: string; mode: string; id: string }

export type EnvelopeErrorReason = 'format' | 'unknown_key' | 'authentication'

/** `authentication` means altered bytes or another context; the two cannot and should not be told apart. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError'
  readonly reason: EnvelopeErrorReason

  constructor(reason: EnvelopeErrorReason, cause?: unknown) {
    super(`sealed record does not open: ${reason}`, { cause })
    this.reason = reason
  }
}

/**
 * Seals a record under a data key of its own, which the provider's current key wraps (AES-256-GCM both times).
 *
 * Layout: version (1) · key id length (1) · key id · wrapped data key (12 nonce, 32, 16 tag) · record (12 nonce, n, 16 tag).
 */
export function seal(provider: KeyProvider, plaintext: Buffer, context: EnvelopeContext): Buffer {
  const keyId = Buffer.from(provider.currentId, 'utf8')
  const header = Buffer.concat([Buffer.from([formatVersion, keyId.length]), keyId])
  const dataKey = randomBytes(dataKeyBytes)
  try {
    const wrapped = encrypt(provider.key(provider.currentId), dataKey, boundData('key', header, context))
    return Buffer.concat([header, wrapped, encrypt(dataKey, plaintext, boundData('record', header, context))])
  } finally {
    dataKey.fill(0)
  }
}

/** Throws EnvelopeError unless the record is intact and was sealed for exactly this context, and its key is held. */
export function open(provider: KeyProvider, sealed: Buffer, context: EnvelopeContext): Buffer {
  const { header, keyId, wrapped, record } = parse(sealed)
  const dataKey = decrypt(keyOf(provider, keyId), wrapped, boundData('key', header, context))
  try {
    return decrypt(dataKey, record, boundData('record', header, context))
  } finally {
    dataKey.fill(0)
  }
}

const formatVersion = 1
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const dataKeyBytes = 32
const wrappedBytes = nonceBytes + dataKeyBytes + tagBytes

function parse(sealed: Buffer): { header: Buffer; keyId: string; wrapped: Buffer; record: Buffer } {
  const headerBytes = 2 + (sealed[1] ?? 0)
  const recordStart = headerBytes + wrappedBytes
  if (
    sealed[0] !== formatVersion ||
    headerBytes === 2 ||
    sealed.length < recordStart + nonceBytes + tagBytes
  ) {
    throw new EnvelopeError('format')
  }
  return {
    header: sealed.subarray(0, headerBytes),
    keyId: sealed.toString('utf8', 2, headerBytes),
    wrapped: sealed.subarray(headerBytes, recordStart),
    record: sealed.subarray(recordStart),
  }
}

function keyOf(provider: KeyProvider, keyId: string): KeyObject {
  try {
    return provider.key(keyId)
  } catch (error) {
    if (error instanceof UnknownKeyError) throw new EnvelopeError('unknown_key', error)
    throw error
  }
}

// JSON keeps the boundaries between the parts, which plain concatenation would not ("ab"+"c" and "a"+"bc").
function boundData(part: 'key' | 'record', header: Buffer, context: EnvelopeContext): Buffer {
  const { what, accountId, mode, id } = context
  // guard record-is-bound-to-its-account: a sealed record opens for its account only
  // guard record-is-bound-to-its-mode: a sealed record opens in its mode only
  // guard record-is-bound-to-its-id: a sealed record does not open in the place of another
  return Buffer.from(JSON.stringify([part, header.toString('hex'), what, accountId, mode, id]), 'utf8')
}

function encrypt(key: KeyObject | Buffer, plaintext: Buffer, bound: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(bound)
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: KeyObject | Buffer, sealed: Buffer, bound: Buffer): Buffer {
  const nonce = sealed.subarray(0, nonceBytes)
  const ciphertext = sealed.subarray(nonceBytes, sealed.length - tagBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    .setAAD(bound)
    .setAuthTag(sealed.subarray(sealed.length - tagBytes))
  const plaintext = decipher.update(ciphertext)
  try {
    return Buffer.concat([plaintext, decipher.final()])
  } catch {
    throw new EnvelopeError('authentication')
  } finally {
    plaintext.fill(0)
  }
}
