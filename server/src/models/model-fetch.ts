import { setTimeout as wait } from 'node:timers/promises'
import { exponentialSeconds, jittered } from '../core/backoff.ts'
import { ModelFailure, type ModelFailureReason } from '../domain/chats/port.ts'
import type { StreamingEgress } from '../platform/egress/egress.ts'
import { EgressFault } from '../platform/egress/fault.ts'
import { parseRetryAfter } from '../platform/egress/retry-after.ts'
import type { EgressStream } from '../platform/egress/stream-exchange.ts'

type FetchMeans = {
  readonly egress: StreamingEgress
  /** The header that carries the key; null: the address wants none. It is added here, so that the library that asks never has it. */
  readonly authorization: () => Readonly<Record<string, string>>
  /** For the whole call, with what is tried again and the waits between. */
  readonly callMs: number
  readonly idleMs: number
}

/** Much more than an answer, whose every few characters come in an event of their own. */
const wireBytesMax = 8_388_608
const attemptsMax = 3
const retryAfterSecondsMax = 10
/** Too many requests, and the ways of servers and of those before them to be unavailable for a moment. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504, 529])

export type ModelFetch = {
  readonly fetch: typeof globalThis.fetch
  /** What went wrong on the wire, which the caller of fetch may have wrapped or swallowed. */
  failure(): ModelFailure | null
}

/** A fetch for one call of a model, by way of our own egress. It answers with a stream of events, and with nothing else. */
export function createModelFetch(means: FetchMeans, signal: AbortSignal): ModelFetch {
  const deadline = performance.now() + means.callMs
  let failure: ModelFailure | null = null
  const failed = (reason: ModelFailureReason, status: number | null = null) => {
    failure ??= new ModelFailure(reason, status)
    return failure
  }

  async function request(url: string, init: RequestInit | undefined): Promise<EgressStream> {
    const headers = Object.fromEntries(new Headers(init?.headers))
    return await means.egress.stream({
      url,
      method: 'POST',
      headers: { ...headers, ...means.authorization() },
      body: String(init?.body ?? ''),
      // A peer of our own configuration is the same in both modes.
      mode: 'test',
      peer: true,
      timeoutMs: Math.max(1, deadline - performance.now()),
      idleMs: means.idleMs,
      maxResponseBytes: wireBytesMax,
      signal,
    })
  }

  async function attempt(url: string, init: RequestInit | undefined): Promise<EgressStream | EgressFault> {
    try {
      return await request(url, init)
    } catch (error) {
      if (!(error instanceof EgressFault)) throw error
      signal.throwIfAborted()
      return error
    }
  }

  async function fetchAnswer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const url = input instanceof Request ? input.url : String(input)
    for (let attempts = 1; ; attempts++) {
      const answer = await attempt(url, init)
      const isFault = answer instanceof EgressFault
      if (!isFault && answer.status < 300) return await streamOf(answer)
      if (!isFault) await answer.body.cancel()
      const asked = isFault ? null : retryAfterOf(answer)
      const seconds = asked ?? jittered(exponentialSeconds(attempts, 0.5, 4), Math.random())
      const mayPass = isFault ? isPassing(answer) : passing.has(answer.status)
      const isInTime = seconds <= retryAfterSecondsMax && performance.now() + seconds * 1000 < deadline
      if (!mayPass || !isInTime || attempts === attemptsMax)
        throw isFault ? failed(reasonOf(answer)) : failed(reasonOfStatus(answer.status), answer.status)
      await wait(seconds * 1000, undefined, { signal })
    }
  }

  async function streamOf({ status, headers, body }: EgressStream): Promise<Response> {
    if (!/^text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))) {
      await body.cancel()
      throw failed('not_streamed', status)
    }
    const reader = body.getReader()
    const watched = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(error instanceof EgressFault ? failed(reasonOf(error)) : error)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
    return new Response(watched, { status, headers: { 'content-type': 'text/event-stream' } })
  }

  return { fetch: fetchAnswer, failure: () => failure }
}

function retryAfterOf({ headers }: EgressStream): number | null {
  const header = headers['retry-after']
  return parseRetryAfter(Array.isArray(header) ? header[0] : header, Date.now())
}

/** What was asked has no effect, so it may be asked again wherever the connection broke. */
function isPassing(fault: EgressFault): boolean {
  return reasonOf(fault) === 'unreachable' && (fault.stage !== 'before' || fault.retryable)
}

function reasonOf({ stage, code }: EgressFault): ModelFailureReason {
  if (code === 'too_large') return 'too_large'
  if (code === 'protocol') return 'invalid'
  // Before anything was sent, it is the connection that took too long.
  return code === 'timeout' && stage !== 'before' ? 'slow' : 'unreachable'
}

function reasonOfStatus(status: number): ModelFailureReason {
  if (status === 401 || status === 403) return 'refused_key'
  if (status === 404) return 'unknown_model'
  if (passing.has(status)) return 'overloaded'
  if (status === 408) return 'slow'
  if (status === 413) return 'too_large'
  return status >= 400 && status < 500 ? 'refused_request' : status >= 500 ? 'unreachable' : 'invalid'
}
