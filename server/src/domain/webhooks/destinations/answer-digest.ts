import { createHash } from 'node:crypto'
import { canonical } from '../../../platform/idempotency/request-digest.ts'

/** What makes two business responses the same one: their bytes, or what a tool says, which has none. */
export function answerDigest(rawBody: Uint8Array, body: unknown): Buffer {
  return createHash('sha256')
    .update(rawBody.length > 0 ? rawBody : canonical(body))
    .digest()
}
