import type { Stripe } from 'stripe'
import type { Mode } from '../../contract/context.ts'
import type { Call } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { EgressResponse } from '../../platform/egress/exchange.ts'
import { EgressFault } from '../../platform/egress/fault.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { parseRetryAfter } from '../../platform/egress/retry-after.ts'
import type { Secret } from '../../platform/secrets/secret.ts'

/** The release of Stripe's API that the `stripe` package is made from: what it sends and reads is typed by it. */
export const apiVersion = '2026-10-28.endive'

/**
 * What only a preview of the interface has. `granted`: the first one in which a seller can pay an intent with a token that was granted to it.
 * `issued`: the first one in which a token that is issued says the page where its buyer confirms it.
 */
const previews = { granted: '2026-04-22.preview', issued: '2026-07-29.preview' } as const

const maxResponseBytes = 1_048_576

/**
 * `answer`: Stripe answered and did not fail. `failed`: it answered that it failed itself; `isReplayed` says that it was the answer to an
 * earlier request with the same key, which Stripe repeats for 24 hours. `not_sent`: not one byte left. `lost`: no answer can be read.
 */
export type StripeAnswer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly body: Readonly<Record<string, unknown>>
      readonly isReplayed: boolean
      readonly retryAfterSeconds: number | null
    }
  | { readonly kind: 'failed'; readonly isReplayed: boolean }
  | { readonly kind: 'not_sent'; readonly retryable: boolean }
  | { readonly kind: 'lost' }

type Request = (stripe: Stripe, options: Stripe.RequestOptions) => Promise<object>

export type StripeApi = {
  /** Makes one request. `key`: without it, the request is one that can be made any number of times. */
  send(request: Request, call: Call, key?: string): Promise<StripeAnswer>
  /** The same for a request about shared payment tokens. */
  sendAboutTokens(
    request: Request,
    call: Call,
    about: { preview: keyof typeof previews; key?: string },
  ): Promise<StripeAnswer>
}

type Given = { readonly url: string; readonly secretKey: Secret; readonly egress: Egress }

/** Stripe, by its own package, over our egress: it repeats nothing by itself, and tells nobody how long its requests took. */
export function openStripeApi(given: Given): StripeApi {
  const clients = new Map<Mode, Promise<Stripe>>()

  function clientFor(mode: Mode): Promise<Stripe> {
    const known = clients.get(mode)
    if (known) return known
    const opening = openClient(given, mode)
    clients.set(mode, opening)
    return opening
  }

  async function send(
    request: Request,
    { mode, timeoutMs }: Call,
    { key, version }: { key?: string | undefined; version?: string },
  ): Promise<StripeAnswer> {
    const stripe = await clientFor(mode)
    const options = {
      timeout: timeoutMs,
      ...(key === undefined ? {} : { idempotencyKey: key }),
      ...(version === undefined ? {} : { apiVersion: version }),
    }
    try {
      const body = await request(stripe, options)
      const { lastResponse } = body as { lastResponse?: { headers: Headers } } // which the package adds
      const headers = lastResponse?.headers ?? {}
      return {
        kind: 'answer',
        status: 200,
        body: Object.fromEntries(Object.entries(body)),
        isReplayed: isReplayed(headers),
        retryAfterSeconds: null,
      }
    } catch (error) {
      return answerOf(error)
    }
  }

  return {
    send: (request, call, key) => send(request, call, { key }),
    sendAboutTokens: (request, call, { preview, key }) =>
      send(request, call, { key, version: previews[preview] }),
  }
}

/** The package is as large as the rest of a worker, so it is loaded where it is used, and by nobody who has no account at Stripe. */
async function openClient({ url, secretKey, egress }: Given, mode: Mode): Promise<Stripe> {
  const { default: Package } = await import('stripe')
  return new Package(secretKey.reveal(), {
    apiVersion,
    httpClient: clientOver(egress, { base: url.replace(/\/+$/, ''), mode }),
    // A request that may have arrived is asked about, and not sent again at once.
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** The package's door to the network. What egress knows of a failure comes out as it is, in the error's `detail`. */
function clientOver(egress: Egress, { base, mode }: { base: string; mode: Mode }): Stripe.HttpClient {
  return {
    getClientName: () => 'prokura',
    async makeRequest(_host, _port, path, method, headers, body, _protocol, timeoutMs) {
      const response = await egress.request({
        url: base + path,
        method: method as 'GET' | 'POST' | 'DELETE', // the package sends no others
        headers: Object.fromEntries(
          Object.entries(headers)
            // Egress counts the bytes itself.
            .filter(([name]) => name.toLowerCase() !== 'content-length')
            .map(([name, value]) => [name.toLowerCase(), String(value)]),
        ),
        ...(method === 'POST' ? { body } : {}),
        mode,
        timeoutMs,
        maxResponseBytes,
        peer: true,
      })
      return responseOf(response)
    },
  }
}

function responseOf({ status, headers, body }: EgressResponse): Stripe.HttpClientResponse {
  const told: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') told[name] = value
  return {
    getStatusCode: () => status,
    getHeaders: () => told,
    getRawResponse: () => ({ headers: told }),
    toStream() {
      throw new Error('no answer of Stripe is read as a stream')
    },
    async toJSON() {
      const parsed = parseObject(body)
      // Something before Stripe refuses requests in words of its own; there the status alone is enough.
      if (status >= 400) return { error: {}, ...(isRecord(parsed?.error) ? { error: parsed.error } : {}) }
      if (parsed === null) throw new Error('an answer that is no object')
      return parsed
    },
  }
}

function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    return isRecord(parsed) ? parsed : null
  } catch {
    return null
  }
}

type Failure = {
  readonly statusCode?: number
  readonly headers?: Headers
  /** The error of the answer, and what the package adds to it. */
  readonly raw?: Readonly<Record<string, unknown>>
  readonly detail?: unknown
}

/** What a failure of the package is, by what is certain afterwards. */
function answerOf(error: unknown): StripeAnswer {
  if (!(error instanceof Error) || !('type' in error) || !String(error.type).startsWith('Stripe')) throw error
  const { statusCode: status, headers = {}, raw, detail } = error as Failure
  if (detail instanceof EgressFault)
    return detail.stage === 'before' ? { kind: 'not_sent', retryable: detail.retryable } : { kind: 'lost' }
  // What cannot be read may have been done.
  if (status === undefined) return { kind: 'lost' }
  if (status >= 500) return { kind: 'failed', isReplayed: isReplayed(headers) }
  const retryAfter = headers['retry-after']
  return {
    kind: 'answer',
    status,
    body: { error: raw ?? {} },
    isReplayed: isReplayed(headers),
    retryAfterSeconds: parseRetryAfter(typeof retryAfter === 'string' ? retryAfter : undefined, Date.now()),
  }
}

function isReplayed(headers: Headers): boolean {
  return headers['idempotent-replayed'] === 'true'
}

/** Several requests share the time of one call. */
export function within({ mode, timeoutMs }: Call): () => Call {
  const endsAt = performance.now() + timeoutMs
  return () => ({ mode, timeoutMs: Math.max(1, Math.ceil(endsAt - performance.now())) })
}
