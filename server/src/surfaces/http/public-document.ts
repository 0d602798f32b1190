import { createHash } from 'node:crypto'
import type { Exchange } from './exchange.ts'
import type { Http } from './surface.ts'

/** Others may keep a profile for so long. A key that signs has been published for longer. */
const keptSeconds = 300

/** Answers a public document that is made for each request: it is small, and says what is so now. */
export function sendDocument(
  { edge }: Http,
  exchange: Exchange,
  document: object,
  more: Record<string, string> = {},
): void {
  const { request, response, id } = exchange
  const body = JSON.stringify(document)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = {
    'cache-control': `public, max-age=${keptSeconds}`,
    'access-control-allow-origin': '*',
    etag,
    ...more,
  }
  if (isKnown(request.headers['if-none-match'], etag))
    return void response.writeHead(304, { ...edge.base, 'request-id': id, ...headers }).end()
  edge.write(exchange, { status: 200, headers, body }, edge.base)
}

function isKnown(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false
  return given.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
