import { createHash } from 'node:crypto'
import type { ChannelItem } from '../../domain/buying/channels/port.ts'

/** The request that is paid for, as it leaves: the same bytes whenever it is sent. */
export type PaidRequest = {
  readonly url: URL
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly contentType: string | null
  readonly body: Buffer | null
  /** Over all of it. */
  readonly sha256: string
}

/** `site`: the origin at which the item's host is reached; test mode may have one on this machine, without TLS. */
export function paidRequest({ url: named, request }: ChannelItem, site: string | null): PaidRequest {
  const url = new URL(named)
  url.hash = ''
  const at = site === null ? null : new URL(site)
  if (at?.host === url.host) url.protocol = at.protocol
  const { method = 'GET', contentType = null, body: text = null } = request ?? {}
  const body = text === null ? null : Buffer.from(text, 'utf8')
  const hash = createHash('sha256').update(JSON.stringify([method, url.href, contentType]))
  return { url, method, contentType, body, sha256: hash.update(body ?? '').digest('hex') }
}

/** A challenge may say for which body it is: as RFC 9530 writes it, or as the library does that most services use. */
export function isDigestOf({ body }: PaidRequest, digest: string): boolean {
  const own = createHash('sha256')
    .update(body ?? '')
    .digest('base64')
  return digest === `sha-256=:${own}:` || digest === `sha-256=${own}`
}
