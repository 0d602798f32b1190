import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../secrets/secret.ts'

/**
 * The value of Service-Signature: `t=<epoch>,v1=<hex HMAC-SHA256>` with one digest for each live secret. The key is the whole secret as
 * written, including its `whsec_`, so that verifiers made for Stripe accept it.
 */
export function signWebhook(input: {
  secrets: readonly Secret[]
  timestampSeconds: number
  body: Uint8Array | string
}): string {
  const timestamp = String(input.timestampSeconds)
  if (!timestampPattern.test(timestamp)) throw new RangeError('timestampSeconds must be whole seconds')
  if (input.secrets.length === 0) throw new RangeError('a signature needs a secret')
  const digests = input.secrets.map((secret) => `v1=${digest(secret, timestamp, input.body).toString('hex')}`)
  return [`t=${timestamp}`, ...digests].join(',')
}

type WebhookVerdict =
  /** `matched` is the position of the secret that signed. */
  { ok: true; matched: number } | { ok: false; reason: 'malformed' | 'timestamp' | 'signature' }

/** Verifies a Service-Response-Signature (or Service-Signature) over the raw bytes, before any code parses them. */
export function verifyWebhook(input: {
  header: string
  body: Uint8Array
  secrets: readonly Secret[]
  nowSeconds: number
  toleranceSeconds: number
}): WebhookVerdict {
  const parsed = parseHeader(input.header)
  if (parsed === undefined) return { ok: false, reason: 'malformed' }
  // guard signature-in-time: an old signature is worth nothing
  // guard signature-from-the-future: a signature of tomorrow is worth nothing today
  if (Math.abs(input.nowSeconds - Number(parsed.timestamp)) > input.toleranceSeconds) {
    return { ok: false, reason: 'timestamp' }
  }
  let matched = -1
  // Every secret is compared with every digest, even after a match: the time does not reveal which one it was.
  for (const [index, secret] of input.secrets.entries()) {
    const expected = digest(secret, parsed.timestamp, input.body)
    for (const given of parsed.digests) {
      const isEqual = timingSafeEqual(expected, given)
      // guard signature-is-compared: only the holder of the secret can sign
      if (isEqual && matched === -1) matched = index
    }
  }
  return matched === -1 ? { ok: false, reason: 'signature' } : { ok: true, matched }
}

const headerCharactersMax = 1_024
const digestsMax = 8
const timestampPattern = /^(0|[1-9][0-9]{0,11})$/
const digestPattern = /^[0-9a-f]{64}$/

function digest(secret: Secret, timestamp: string, body: Uint8Array | string): Buffer {
  // guard timestamp-is-signed: a signature holds for its own time only
  return createHmac('sha256', secret.reveal()).update(`${timestamp}.`).update(body).digest()
}

function parseHeader(header: string): { timestamp: string; digests: Buffer[] } | undefined {
  if (header.length > headerCharactersMax) return undefined
  let timestamp: string | undefined
  const digests: Buffer[] = []
  for (const part of header.split(',')) {
    const border = part.indexOf('=')
    const name = part.slice(0, border)
    const value = part.slice(border + 1)
    if (border < 1) return undefined
    if (name === 't') {
      // With two timestamps a forger could choose which one is checked and which one is signed.
      // guard one-timestamp: the time that is checked is the time that was signed
      if (timestamp !== undefined || !timestampPattern.test(value)) return undefined
      timestamp = value
    } else if (name === 'v1') {
      if (!digestPattern.test(value)) return undefined
      digests.push(Buffer.from(value, 'hex'))
    }
    // Other names are later schemes, which a v1 verifier skips.
  }
  // guard digests-are-few: sending many digests at once does not help to guess one
  if (timestamp === undefined || digests.length === 0 || digests.length > digestsMax) return undefined
  return { timestamp, digests }
}
