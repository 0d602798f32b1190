import { createHash } from 'node:crypto'
import type { OperationFacts } from '../../contract/operation.ts'
import { Closed } from '../../contract/schemas.ts'
import { visibleJson } from '../../core/visible-text.ts'
import { type QueryReader, readerOfQuery } from '../../platform/calls/arguments.ts'
import type { Exchange } from './exchange.ts'
import type { Http } from './surface.ts'

/** Others may keep a profile for so long. A key that signs has been published for longer. */
const keptSeconds = 300

/** The group in which the reference lists the documents of the service. */
export const documentsTag = 'Platform identity'
export const aboutDocuments =
  'What the service says of itself to programs of other protocols. Anybody reads it, and no key is needed.'

/** Reads what a request asks of a document, and refuses the rest as an operation does. */
export function queryReaderOf({ query }: Pick<OperationFacts, 'query'>): QueryReader {
  return readerOfQuery(query ?? Closed({}))
}

/** Answers a public document that is made for each request: it is small, and says what is so now. */
export function sendDocument(
  { edge }: Http,
  exchange: Exchange,
  document: object,
  more: Record<string, string> = {},
): void {
  const { request, response, id } = exchange
  const body = visibleJson(JSON.stringify(document))
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
