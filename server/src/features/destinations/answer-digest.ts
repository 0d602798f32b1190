import { createHash } from 'node:crypto'
import type { Actor } from '../../contract/context.ts'
import { canonical } from '../../platform/idempotency/request-digest.ts'

/**
 * What makes two business responses the same one. Of a signed one its bytes. Of one with a key what it says, since as a tool it has no
 * bytes; one that was taken when its bytes counted is still known by them.
 */
export function answerDigest(
  actor: Actor,
  answer: { readonly rawBody: Uint8Array; readonly body: unknown },
  taken: Buffer | null | undefined,
): Buffer {
  const ofBytes = createHash('sha256').update(answer.rawBody).digest()
  if (actor.type === 'destination' || taken?.equals(ofBytes)) return ofBytes
  return createHash('sha256').update(canonical(answer.body)).digest()
}
