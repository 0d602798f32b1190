import type { Dispatcher } from 'undici'
import { codeOf, type EgressResponse } from './exchange.ts'
import { type EgressCode, EgressFault, type EgressStage } from './fault.ts'

export type EgressStream = Omit<EgressResponse, 'body'> & {
  /** It fails with an EgressFault where the answer breaks off; a reader that cancels it ends the exchange. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
}

type StreamLimits = {
  readonly timeoutMs: number
  /** From the request to the first byte, and from each to the next. The time in which the reader keeps the answer waiting does not count. */
  readonly idleMs: number
  readonly maxResponseBytes: number
  readonly signal: AbortSignal
}

/** What is read ahead of the reader. */
const aheadBytes = 65_536

/** One request and its answer as it comes. As with a whole answer, what is certain about sending is known here only. */
export class StreamExchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<EgressStream>

  readonly #limits: StreamLimits
  readonly #begun = Promise.withResolvers<EgressStream>()
  readonly #onReleased: () => void
  readonly #deadline: NodeJS.Timeout
  readonly #onAbort = () => this.#giveUp('closed')
  #idle: NodeJS.Timeout
  #stage: EgressStage = 'before'
  #isOver = false
  #isPaused = false
  #controller: Dispatcher.DispatchController | undefined
  #reader: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  #status: number | undefined
  #bytes = 0

  /** `onReleased` is called when the connection is free again. */
  constructor(limits: StreamLimits, onReleased: () => void) {
    this.#limits = limits
    this.response = this.#begun.promise
    this.#onReleased = onReleased
    this.#deadline = setTimeout(() => this.#giveUp('timeout'), limits.timeoutMs)
    this.#idle = setTimeout(() => this.#giveUp('timeout'), limits.idleMs)
    limits.signal.addEventListener('abort', this.#onAbort, { once: true })
    if (limits.signal.aborted) this.#giveUp('closed')
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) {
      controller.abort(new Error('given up before it was sent'))
      return
    }
    this.#controller = controller
    this.#stage = 'during'
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: EgressResponse['headers'],
  ): void {
    if (status < 200 || this.#isOver) return
    this.#stage = 'after'
    this.#status = status
    this.#idle.refresh()
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: (reader) => {
          this.#reader = reader
        },
        pull: () => {
          if (!this.#isPaused || this.#isOver) return
          this.#isPaused = false
          this.#idle = setTimeout(() => this.#giveUp('timeout'), this.#limits.idleMs)
          controller.resume()
        },
        cancel: () => this.#giveUp('closed'),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: aheadBytes }),
    )
    this.#begun.resolve({ status, headers, body })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    if (!this.#isPaused) this.#idle.refresh()
    this.#bytes += chunk.length
    // guard streams-are-bounded: no answer that comes in parts goes on without end
    if (this.#bytes > this.#limits.maxResponseBytes) {
      this.#giveUp('too_large')
      return
    }
    this.#reader?.enqueue(new Uint8Array(chunk))
    if (this.#isPaused || (this.#reader?.desiredSize ?? 0) > 0) return
    this.#isPaused = true
    clearTimeout(this.#idle)
    controller.pause()
  }

  onResponseEnd(): void {
    if (!this.#isOver) {
      this.#end()
      this.#reader?.close()
    }
    queueMicrotask(() => setImmediate(this.#onReleased))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#isOver) this.#fail(codeOf(error, this.#stage), error)
    this.#onReleased()
  }

  #giveUp(code: EgressCode): void {
    if (this.#isOver) return
    this.#fail(code)
    this.#controller?.abort(new Error(code))
  }

  #fail(code: EgressCode, cause?: unknown): void {
    this.#end()
    const fault = new EgressFault({ stage: this.#stage, code, status: this.#status, cause })
    this.#begun.reject(fault)
    try {
      this.#reader?.error(fault)
    } catch {
      // Its reader has left.
    }
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#deadline)
    clearTimeout(this.#idle)
    this.#limits.signal.removeEventListener('abort', this.#onAbort)
  }
}
