import type { ServerResponse } from 'node:http'
import type { ServerSentEvent } from '../../contract/operation.ts'
import { visibleJson } from '../../core/visible-text.ts'
import type { Exchange } from './exchange.ts'

/** After how many milliseconds a client should reconnect when the server drains. */
const drainRetryMs = 1000

type StreamOptions = {
  source: AsyncIterable<ServerSentEvent>
  head: Readonly<Record<string, string>>
  /** Of the stream itself. */
  headers?: Readonly<Record<string, string>> | undefined
  draining: AbortSignal
}

/** Writes server-sent events until the source ends, the caller leaves, or the server drains. For HEAD it writes only the headers. */
export async function writeStream(
  { id, request, response: out }: Exchange,
  { source, head, headers, draining }: StreamOptions,
): Promise<void> {
  const iterator = source[Symbol.asyncIterator]()
  const end = new Ending(out, draining)
  try {
    out.writeHead(200, {
      ...head,
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      // A proxy that packs a stream holds its pieces back.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      vary: 'Accept',
      'request-id': id,
    })
    out.flushHeaders()
    while (request.method !== 'HEAD') {
      const step = await end.orSooner(iterator.next())
      if (step === 'gone') break
      if (step === 'drained') {
        out.write(format({ retryMs: drainRetryMs, comment: 'draining' }))
        break
      }
      if (step.done) break
      // A slow reader slows the source down instead of filling our memory. No heartbeats are added to what it has not taken, so that its
      // time runs out.
      const event = format(step.value)
      const taken = new Promise<void>((resolve) => out.write(event, () => resolve()))
      if ((await end.orSooner(taken)) === 'gone') break
    }
  } finally {
    end.forget()
    await iterator.return?.()
    out.end()
  }
}

/**
 * What ends a stream from outside. It listens once for the whole stream, since a stream has any number of steps, and the signal outlives
 * it.
 */
class Ending {
  readonly #out: ServerResponse
  readonly #draining: AbortSignal
  #how: 'gone' | 'drained' | null = null
  #tell: (how: 'gone' | 'drained') => void = () => undefined

  constructor(out: ServerResponse, draining: AbortSignal) {
    this.#out = out
    this.#draining = draining
    out.once('close', this.#onClose)
    if (draining.aborted) this.#onDraining()
    else draining.addEventListener('abort', this.#onDraining)
  }

  /** The value of the promise, or why the stream ends. */
  orSooner<T>(promise: Promise<T>): Promise<T | 'gone' | 'drained'> {
    if (this.#how) {
      promise.catch(() => undefined)
      return Promise.resolve(this.#how)
    }
    return new Promise((resolve, reject) => {
      this.#tell = resolve
      promise.then(resolve, reject)
    })
  }

  forget(): void {
    this.#out.off('close', this.#onClose)
    // guard listener-on-the-drain: a stream leaves nothing behind on a signal that outlives it
    this.#draining.removeEventListener('abort', this.#onDraining)
  }

  readonly #onClose = () => this.#end('gone')
  readonly #onDraining = () => this.#end('drained')

  #end(how: 'gone' | 'drained'): void {
    // Nothing more can be sent to a caller that has left.
    if (this.#how !== 'gone') this.#how = how
    this.#tell(how)
  }
}

function format({ id, event, data, comment, retryMs }: ServerSentEvent): string {
  const lines = [
    ...(comment === undefined ? [] : [`: ${comment}`]),
    ...(retryMs === undefined ? [] : [`retry: ${retryMs}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined
      ? []
      : visibleJson(data)
          .split('\n')
          .map((line) => `data: ${line}`)),
  ]
  return `${lines.join('\n')}\n\n`
}
