import { setTimeout as delay } from 'node:timers/promises'
import { measurePace, patience } from '../../gate/pace.ts'
import { memberOf } from '../client.ts'
import type { Deed, SyncedJournal, Told } from './synced-journal.ts'
import type { LoadOrder, Wish } from './wish.ts'

export type Answer = { status: number; id: string | null; code: string | null; body: unknown }

export type Asking = {
  deed: Deed
  wish: Wish
  /** Headers of this request alone, with its idempotency key. */
  name: string
  target: string | null
  send: (base: string) => Promise<Answer>
  /** The parts of the answer, besides the id, that must still be so in the end. */
  tell?: (body: unknown) => Told | null
}

export type Driver = {
  order: LoadOrder
  journal: SyncedJournal
  counts: {
    wished: number
    open: number
    skipped: number
    acknowledged: number
    unanswered: number
    /** Orders whose merchant has its money and may refund it. */
    paid: number
    /** Purchases from several merchants that were bought whole after a retry. */
    recovered: number
  }
  /** No new wishes begin any more. */
  isStopping(): boolean
  /** Resolves then. */
  stopped: Promise<void>
}

const lookMsMax = 1_000

const pace = { measuredMs: Number.NEGATIVE_INFINITY, times: 1 }
const paceForMs = 2_000

/** One measure for all that wait: hundreds of requests that measure a busy machine, each by itself, leave this process time for nothing else. */
function sharedPace(): number {
  if (performance.now() - pace.measuredMs < paceForMs) return pace.times
  pace.times = measurePace()
  pace.measuredMs = performance.now()
  return pace.times
}

/** Repeats a request under its key until there is an answer. Silence, overload and failures of the service do not show what was done. */
export async function insist(
  { order, journal, counts }: Driver,
  { deed, wish, name, target, send, tell }: Asking,
  { isTwin = false } = {},
): Promise<Answer | null> {
  const about = { name, deed, wish: wish.number }
  const at = () => new Date().toISOString()
  if (!isTwin) await journal.append({ kind: 'asked', at: at(), ...about, target })
  const wait = patience(order.patienceMs, { measure: sharedPace })
  let why = ''
  for (let tries = 1; ; tries++) {
    const base = order.bases[(wish.number + tries + (isTwin ? 1 : 0)) % order.bases.length] ?? ''
    const answer = await send(base).catch((error: unknown) => String(error))
    if (typeof answer === 'string') why = answer
    else if (isWord(answer)) {
      const { status, id, code, body } = answer
      const told = status < 300 ? (tell?.(body) ?? null) : null
      const said = status >= 400 && code === null ? { why: shortOf(body) } : {}
      await journal.append({ kind: 'answered', at: at(), ...about, status, id, code, tries, told, ...said })
      counts.acknowledged += 1
      return status < 300 ? answer : null
    } else why = `${answer.status} ${shortOf(answer.body)}`
    if (wait.isOver()) {
      await journal.append({ kind: 'unanswered', at: at(), ...about, tries, why })
      counts.unanswered += 1
      return null
    }
    await delay(Math.min(1000, 50 * tries))
  }
}

function shortOf(body: unknown): string {
  return String(JSON.stringify(body)).slice(0, 300)
}

/** Twice at the same moment under one key, if the wish has a twin. */
export async function insistAsWished(driver: Driver, asking: Asking): Promise<Answer | null> {
  const [first] = await Promise.all([
    insist(driver, asking),
    ...(asking.wish.hasTwin ? [insist(driver, asking, { isTwin: true })] : []),
  ])
  return first ?? null
}

/** The failure of a merchant's backend is a final answer about a quote. */
function isWord({ status, code }: Answer): boolean {
  return status > 0 && status !== 429 && (status < 500 || code === 'responder_failed')
}

/** Reads until the answer is as requested; null when it is not by the time that the driver stops. */
export async function lookUntil<Found>(
  driver: Driver,
  path: string,
  find: (body: unknown) => Found | null,
): Promise<Found | null> {
  const { order } = driver
  for (let looks = 0; ; looks++) {
    const isLast = driver.isStopping()
    const base = order.bases[looks % order.bases.length] ?? ''
    const sent = await send(driver, 'GET', base + path, { key: order.keys.person }).catch(() => null)
    const found = sent?.status === 200 ? find(sent.body) : null
    if (found !== null || isLast) return found
    // Less and less often: when everything is slow, reads would make it slower.
    await Promise.race([delay(Math.min(lookMsMax, 100 * (looks + 1))), driver.stopped])
  }
}

type RestRequest = { path: string; key: string; name: string; body: object }

/** Sends in a way of its own; half an answer is no answer. */
export async function sendRaw(
  driver: Driver,
  url: string,
  init: RequestInit,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(driver.order.requestMs) })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

export function rest(driver: Driver, { path, key, name, body }: RestRequest) {
  return async (base: string): Promise<Answer> => {
    const headers = { 'idempotency-key': name }
    return answerOf(await send(driver, 'POST', base + path, { key, body, headers }))
  }
}

export function tool(driver: Driver, name: string, args: object, key: string) {
  return async (base: string): Promise<Answer> => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const headers = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    }
    const sent = await send(driver, 'POST', `${base}/mcp/v1`, { key, body: call, headers })
    const result = memberOf(sent.body, 'result')
    const content = memberOf(result, 'content')
    const text = Array.isArray(content) ? memberOf(content[0], 'text') : undefined
    return typeof text === 'string'
      ? answerOf({
          status: Number(memberOf(memberOf(result, '_meta'), 'http_status')),
          body: JSON.parse(text),
        })
      : answerOf({
          // A refusal of the whole request has the body of REST beside its text.
          body: memberOf(memberOf(sent.body, 'error'), 'data'),
          status: sent.status < 300 ? 500 : sent.status,
        })
  }
}

type Request = { key: string; body?: object; headers?: Record<string, string> }

async function send(
  { order }: Driver,
  method: 'GET' | 'POST',
  url: string,
  { key, body, headers }: Request,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(order.requestMs),
  })
  const text = await response.text()
  // Half an answer is no answer: parsing throws, and it is asked for again.
  return { status: response.status, body: JSON.parse(text) }
}

function answerOf({ status, body }: { status: number; body: unknown }): Answer {
  const id = memberOf(body, 'id')
  const code = memberOf(memberOf(body, 'detail'), 'code')
  return {
    status,
    id: typeof id === 'string' ? id : null,
    code: typeof code === 'string' ? code : null,
    body,
  }
}
