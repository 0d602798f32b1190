/** What a call came to. */
export type Outcome<T> = { readonly kind: 'done'; readonly value: T } | Refusal | NoAnswer

export type Refusal = {
  readonly kind: 'refused'
  readonly code: string
  /** The server's sentence, in English. */
  readonly message: string
  readonly param: string | null
  readonly retryAfterS: number | null
}

/** Nothing is known of what it did: the same request may be sent again, with the same key. */
type NoAnswer = { readonly kind: 'no_answer' }

/** Where cards are entered at the payment processor alone, nothing is left with a vault. */
export const noVault: Refusal = {
  kind: 'refused',
  code: 'unavailable',
  message: 'Nothing can be entered here.',
  param: null,
  retryAfterS: null,
}

export type Request = {
  readonly method?: 'GET' | 'POST'
  readonly url: string
  readonly session?: string
  readonly idempotencyKey?: string
  readonly body?: object
}

export type Fetch = typeof globalThis.fetch

/** Nothing goes along that the browser would add, and nothing of an answer is kept by it. */
const bare = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'error',
  referrerPolicy: 'no-referrer',
} as const

/** A connection that has died without a word tells nobody: what takes longer than this is lost. */
const lostAfterMs = 60_000

export async function call(fetch: Fetch, request: Request): Promise<Outcome<Record<string, unknown>>> {
  const { method = 'POST', url, session, idempotencyKey, body } = request
  // `AbortSignal.timeout` is missing in some of the engines that run the rest of this.
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), lostAfterMs)
  try {
    const response = await fetch(url, {
      ...bare,
      method,
      signal: limit.signal,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const said = recordOf(await response.json().catch(() => null))
    // The rest of the answer was lost, whatever its status was.
    if (limit.signal.aborted) return { kind: 'no_answer' }
    if (response.ok) return { kind: 'done', value: said }
    return refusalOf(response, said.detail)
  } catch {
    return { kind: 'no_answer' }
  } finally {
    clearTimeout(timer)
  }
}

function refusalOf({ status, headers }: Response, detail: unknown): Refusal {
  const after = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfterS = Number.isInteger(after) ? after : null
  if (Array.isArray(detail)) {
    const found = detail.map(recordOf)
    const faults = found.map(({ loc, msg }) => `${[loc].flat().join('.')}: ${msg}`)
    const field = [found[0]?.loc].flat().at(-1)
    const param = typeof field === 'string' ? field : null
    return { kind: 'refused', code: 'invalid_request', message: faults.join('; '), param, retryAfterS }
  }
  const { code, message, param } = recordOf(detail)
  return {
    kind: 'refused',
    code: typeof code === 'string' ? code : status >= 500 ? 'unavailable' : 'invalid_request',
    message: typeof message === 'string' ? message : `The server answered ${status}.`,
    param: typeof param === 'string' ? param : null,
    retryAfterS,
  }
}

/** How long a person is told to wait who has tried too often. */
export function waitMinutes({ retryAfterS }: Refusal): number {
  return Math.max(1, Math.ceil((retryAfterS ?? 60) / 60))
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // its fields are checked by who reads them
}

/** `crypto.randomUUID` is missing where an elements origin is served without TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
