import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BaseHeaders } from './base-headers.ts'
import type { Exchange } from './exchange.ts'

/** What pages may read of an answer, besides what browsers always show. */
const exposed = [
  'Request-Id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Window',
  'Service-Attribution-Id',
].join(', ')

/** How long a browser may remember what pages may send. Browsers keep it for two hours at most. */
const preflightSeconds = 7200

/** An origin is short, and an answer never repeats more than that. */
const originPattern = /^[\x21-\x7e]{1,300}$/

/**
 * Lets a page of another origin read the answer to its request, whatever the answer will be. Cookies play no part here, so that every
 * page may read what anybody may ask for. With a key, only the page that asks may read it. Nothing is allowed with a secret key, so that
 * whoever puts one into a page notices at once.
 */
export function allowPage({ headers }: IncomingMessage, response: ServerResponse): void {
  const { origin, authorization } = headers
  if (origin === undefined || !originPattern.test(origin)) return
  if (authorization !== undefined && /^bearer +pr_sk_/i.test(authorization)) return
  response.setHeader('access-control-allow-origin', authorization === undefined ? '*' : origin)
  if (authorization !== undefined) response.setHeader('vary', 'Origin')
  response.setHeader('access-control-expose-headers', exposed)
}

/** Answers a browser that asks what a page may send here, before it sends it. */
export function answerPreflight(
  { id, response }: Pick<Exchange, 'id' | 'response'>,
  { methods, base }: { methods: readonly string[]; base: BaseHeaders },
): void {
  const allow = methods.join(', ')
  response
    .writeHead(204, {
      ...base,
      'request-id': id,
      allow: `${allow}, OPTIONS`,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-max-age': String(preflightSeconds),
    })
    .end()
}
