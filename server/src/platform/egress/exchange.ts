import { type Dispatcher, errors } from 'undici'
import { ConnectFailure } from './connector.ts'
import { type EgressCode, EgressFault, type EgressStage } from './fault.ts'

export type EgressResponse = {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

type ExchangeLimits = { timeoutMs: number; maxResponseBytes: number; hasNoBody: boolean }

/**
 * One request and its answer, as a handler of undici's dispatch: only at that level is it certain whether a request has begun to leave.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<EgressResponse>

  readonly #limits: ExchangeLimits
  readonly #settled = Promise.withResolvers<EgressResponse>()
  readonly #onReleased: () => void
  readonly #deadline: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #stage: EgressStage = 'before'
  #isOver = false
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: EgressResponse['headers'] = {}
  #bytes = 0

  /** `onReleased` is called when the connection is free again, which after a deadline is later than `response`. */
  constructor(limits: ExchangeLimits, onReleased: () => void) {
    this.#limits = limits
    this.response = this.#settled.promise
    this.#onReleased = onReleased
    this.#deadline = setTimeout(() => this.#giveUp('timeout'), limits.timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) {
      // The caller has an error that says nothing was sent; aborting here keeps that true.
      controller.abort(new Error('given up before it was sent'))
      return
    }
    this.#controller = controller
    this.#stage = 'during'
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: EgressResponse['headers'],
  ): void {
    if (status < 200) return
    this.#stage = 'after'
    this.#status = status
    this.#headers = headers
    const announced = Number(headers['content-length'] ?? 0)
    if (!this.#limits.hasNoBody && announced > this.#limits.maxResponseBytes) this.#giveUp('too_large')
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    this.#bytes += chunk.length
    // guard answers-are-bounded: no answer fills the memory
    if (this.#bytes > this.#limits.maxResponseBytes) this.#giveUp('too_large')
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (!this.#isOver) {
      this.#close()
      const body = Buffer.concat(this.#chunks, this.#bytes)
      this.#settled.resolve({ status: this.#status, headers: this.#headers, body })
    }
    // undici frees the connection in an immediate that it queues after this returns. A slot that is freed sooner would open another
    // connection beside the one that is about to be idle.
    queueMicrotask(() => setImmediate(this.#onReleased))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#isOver) this.#fail(codeOf(error, this.#stage), error)
    this.#onReleased()
  }

  #giveUp(code: EgressCode): void {
    this.#fail(code)
    this.#controller?.abort(new Error(code))
  }

  #fail(code: EgressCode, cause?: unknown): void {
    this.#close()
    const status = this.#stage === 'after' ? this.#status : undefined
    this.#settled.reject(new EgressFault({ stage: this.#stage, code, status, cause }))
  }

  #close(): void {
    this.#isOver = true
    clearTimeout(this.#deadline)
  }
}

export function codeOf(error: Error, stage: EgressStage): EgressCode {
  if (error instanceof ConnectFailure) return error.egressCode
  if (error instanceof errors.InvalidArgumentError) return 'invalid_request'
  if (error instanceof errors.ClientDestroyedError || error instanceof errors.ClientClosedError)
    return 'closed'
  if (error instanceof errors.HeadersOverflowError) return 'too_large'
  if (error instanceof errors.HTTPParserError) return 'protocol'
  if (error instanceof errors.ResponseContentLengthMismatchError) return 'protocol'
  return stage === 'before' ? 'connect' : 'reset'
}
