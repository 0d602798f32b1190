import { createHash } from 'node:crypto'
import { canonical } from '../../../platform/idempotency/request-digest.ts'

/** What identifies a business response: its bytes, or the arguments of a tool, which has no bytes. */
export function answerDigest(rawBody: Uint8Array, body: unknown): Buffer {
  return createHash('sha256')
    .update(rawBody.length > 0 ? rawBody : canonical(body))
    .digest()
}
