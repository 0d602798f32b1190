import { createHash, timingSafeEqual } from 'node:crypto'
import { bytesIn, parseDictionary } from './structured-fields.ts'

/** The header of RFC 9530 for these bytes. */
export function contentDigestOf(body: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
}

/** Whether the header names the SHA-256 of exactly these bytes; digests by other algorithms beside it are passed over. */
export function isDigestOf(header: string, body: Uint8Array): boolean {
  const named = bytesIn(parseDictionary(header)?.get('sha-256'))
  const digest = createHash('sha256').update(body).digest()
  return named !== null && named.length === digest.length && timingSafeEqual(named, digest)
}
