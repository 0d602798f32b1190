import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isDatabaseAway } from '../platform/database/errors.ts'
import type { Log } from '../platform/logs/logs.ts'
import { type JsonValue, parseJson } from '../schema/strict-json.ts'
import { type Door, readBody } from './door.ts'

/** What a browser asks. */
export type Asked = {
  /** The token of its session, if it has sent something of that form. */
  readonly session: string | null
  readonly body: JsonValue
  /** The address that is counted as one caller. */
  readonly address: string
}

export type Answer = {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

export type PublicRoutes = Readonly<
  Record<string, { readonly method: 'GET' | 'POST'; answer(asked: Asked): Promise<Answer> }>
>

export type PublicDoorOptions = {
  readonly host: string
  readonly port: number
  /** Where browsers reach it. */
  readonly url: string
  /** The origin of the only pages that may ask. */
  readonly pages: string
  readonly addressOf: (request: IncomingMessage) => string
}

/** A card is some hundred bytes. */
const bodyBytesMax = 8_192
const requestMs = 10_000
const connectionsMax = 1_000
const lingerMs = 1_000
/** How long a browser may remember what pages may send. Browsers keep it for two hours at most. */
const preflightSeconds = 7_200

/** Listens for browsers: the pages of one origin leave here what no other process may see, and get no number back. */
export async function openPublicDoor(
  options: PublicDoorOptions,
  routes: PublicRoutes,
  log: Log,
): Promise<Door> {
  const headers = headersOf(options)
  const server = createServer(
    { connectionsCheckingInterval: requestMs / 2, headersTimeout: requestMs, requestTimeout: requestMs },
    async (request, response) => {
      const startedMs = performance.now()
      const route = routeOf(routes, request)
      const answer = await answerTo(request, options, route?.[1]).catch((error: unknown) => {
        if (isDatabaseAway(error)) return away
        log.error({ err: error }, 'vault: a request at the public door failed on our side')
        return refusal(500, 'internal_error', 'Something failed on our side. Try again.')
      })
      send(response, answer, headers)
      // Nothing else of a request is written down, because everything else of it may be a card.
      const ms = Math.round(performance.now() - startedMs)
      log.info(
        { route: route?.[0] ?? null, status: answer.status, ms },
        'vault: a request at the public door',
      )
    },
  )
  server.maxConnections = connectionsMax
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return {
    async close() {
      // What is under way takes milliseconds; nobody outside keeps the process from its end.
      const patience = setTimeout(() => server.closeAllConnections(), lingerMs)
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeIdleConnections()
      })
      clearTimeout(patience)
    },
  }
}

/** In the form of the refusals of the API. */
export function refusal(status: number, code: string, message: string, more: object = {}): Answer {
  return { status, body: { detail: { code, message, param: null, retryable: status >= 429, ...more } } }
}

const away: Answer = {
  ...refusal(503, 'unavailable', 'Cards cannot be taken right now. Wait a few seconds, then try again.'),
  headers: { 'retry-after': '1' },
}

function routeOf(routes: PublicRoutes, { url = '' }: IncomingMessage) {
  return Object.entries(routes).find(([path]) => path === url)
}

async function answerTo(
  request: IncomingMessage,
  { pages, addressOf }: PublicDoorOptions,
  route: PublicRoutes[string] | undefined,
): Promise<Answer> {
  const { method, headers } = request
  // guard pages-of-elements: no other page leaves a card here, or reads what is answered
  if (headers.origin !== undefined && headers.origin !== pages)
    return refusal(403, 'origin_not_allowed', 'Pages of this origin may not ask here.')
  if (route === undefined) return refusal(404, 'not_found', 'There is nothing here.')
  if (method === 'OPTIONS') return { status: 204, body: {}, headers: preflightOf(route) }
  if (method !== route.method)
    return {
      ...refusal(405, 'method_not_allowed', 'This path does not take this method.'),
      headers: { allow: `${route.method}, OPTIONS` },
    }
  const session = sessionOf(headers.authorization)
  const asked = { session, body: {}, address: addressOf(request) }
  if (method === 'GET') return route.answer(asked)
  if (!/^application\/json *(;|$)/i.test(headers['content-type'] ?? ''))
    return refusal(415, 'unsupported_media_type', 'Send the body as `application/json`.')
  const bytes = await readBody(request, bodyBytesMax)
  if (bytes === null)
    return {
      ...refusal(413, 'payload_too_large', 'The body is larger than 8 KiB.'),
      headers: { connection: 'close' },
    }
  const parsed = parseJson(bytes)
  bytes.fill(0)
  if (!parsed.ok) return refusal(400, 'bad_request', parsed.error.msg)
  return route.answer({ ...asked, body: parsed.value })
}

function sessionOf(authorization: string | undefined): string | null {
  return /^bearer +(pr_es_(?:test|live)_[0-9A-Za-z]{33})$/i.exec(authorization ?? '')?.[1] ?? null
}

function preflightOf({ method }: PublicRoutes[string]): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': method,
    'access-control-allow-headers': 'Authorization, Content-Type',
    'access-control-max-age': String(preflightSeconds),
  }
}

/** The same for every answer: the origin of the pages never depends on who asks. */
function headersOf({ pages, url }: PublicDoorOptions): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': pages,
    'access-control-expose-headers': 'Retry-After',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(url.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

function send(response: ServerResponse, { status, body, headers }: Answer, base: object): void {
  if (response.destroyed) return
  if (status === 204) {
    response.writeHead(204, { ...base, ...headers }).end()
    return
  }
  const text = JSON.stringify(body)
  response.writeHead(status, {
    ...base,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}
