import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerSentEvent } from '../contract/operation.ts'

/** How soon a client should come back when the server drains. */
const drainRetryMs = 1000

/** Writes server-sent events until the source ends, the caller goes away, or the server drains. */
export async function writeStream(
  request: FastifyRequest,
  reply: FastifyReply,
  source: AsyncIterable<ServerSentEvent>,
  draining: AbortSignal,
): Promise<FastifyReply> {
  const iterator = source[Symbol.asyncIterator]()
  const out = reply.raw
  const end = new Ending(out, draining)
  try {
    reply.hijack()
    out.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'request-id': request.id,
    })
    out.flushHeaders()
    for (;;) {
      const step = await end.orSooner(iterator.next())
      if (step === 'gone') break
      if (step === 'drained') {
        out.write(format({ retryMs: drainRetryMs, comment: 'draining' }))
        break
      }
      if (step.done) break
      // A slow reader holds the source back instead of filling our memory.
      if (!out.write(format(step.value)) && (await end.orSooner(end.flushed())) === 'gone') break
    }
  } finally {
    end.forget()
    await iterator.return?.()
    out.end()
  }
  return reply
}

/** What ends a stream from outside. Listens once for all of it, since a stream has no end of steps, and on a signal that outlives it. */
class Ending {
  readonly #out: ServerResponse
  readonly #draining: AbortSignal
  #how: 'gone' | 'drained' | null = null
  #tell: (how: 'gone' | 'drained') => void = () => undefined
  #flush: () => void = () => undefined

  constructor(out: ServerResponse, draining: AbortSignal) {
    this.#out = out
    this.#draining = draining
    out.once('close', this.#onClose)
    out.on('drain', this.#onFlushed)
    if (draining.aborted) this.#onDraining()
    else draining.addEventListener('abort', this.#onDraining)
  }

  /** What the promise resolves to, or why the stream ends. */
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

  flushed(): Promise<void> {
    return new Promise((resolve) => {
      this.#flush = resolve
    })
  }

  forget(): void {
    this.#out.off('close', this.#onClose)
    this.#out.off('drain', this.#onFlushed)
    this.#draining.removeEventListener('abort', this.#onDraining)
  }

  readonly #onClose = () => this.#end('gone')
  readonly #onDraining = () => this.#end('drained')
  readonly #onFlushed = () => this.#flush()

  #end(how: 'gone' | 'drained'): void {
    // Nothing can be said any more to who has gone.
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
    ...(data === undefined ? [] : data.split('\n').map((line) => `data: ${line}`)),
  ]
  return `${lines.join('\n')}\n\n`
}
