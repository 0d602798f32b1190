import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ChatMessage } from '../../domain/chats/message.ts'
import { type ProductApi, Unreachable } from '../purchases/product-api.ts'
import { sentEvents } from '../sent-events.ts'
import type { ChatEvent, RunStatus } from './chat-events.ts'

type Hears = {
  event(event: ChatEvent): void
  /** A message whose events are deleted. */
  missed(message: ChatMessage): void
  /** What comes while nobody waits for an answer has ended, and why. */
  trouble(error: unknown): void
}

/** A service that starts again is away for less than this. */
const awayMaxMs = 60_000
const retryMs = 500

/** What happens in one chat, each event once and in order, over one connection at a time. */
export class ChatFeed {
  readonly #api: ProductApi
  readonly #path: string
  readonly #hears: Hears
  readonly #closing = new AbortController()
  /** The last event that was heard; null: none yet. */
  #cursor: string | null
  #placeMax: number
  #isFollowing = false
  /** Runs that wait for a purchase. */
  readonly #waiting = new Set<string>()
  /** The message that is being answered. */
  #turn: Turn | null = null

  /** `after`: the last event that is known, and `place` the last message; a new chat has neither. */
  constructor(
    api: ProductApi,
    hears: Hears,
    { chatId, after, place }: { chatId: string; after: string | null; place: number },
  ) {
    this.#api = api
    this.#path = `/v1/chats/${chatId}`
    this.#hears = hears
    this.#cursor = after
    this.#placeMax = place
  }

  get isAnswering(): boolean {
    return this.#turn !== null
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** Writes a message, and ends when it is answered: also with a button for a person, whose purchase is then waited for. */
  async say(text: string): Promise<RunStatus> {
    const turn = new Turn()
    this.#turn = turn
    const body = { parts: [{ type: 'text', text }], client_message_id: turn.messageId }
    try {
      if (this.#isFollowing) this.#begun(await this.#patiently(() => this.#post(body)))
      else await this.#sayAndHear(turn, body)
      if (!turn.isDone) this.follow()
      return await turn.done
    } finally {
      this.#turn = null
      if (this.isWaiting) this.follow()
    }
  }

  /** Hears what comes, until nothing is under way. */
  follow(): void {
    if (this.#isFollowing || this.#closing.signal.aborted) return
    this.#isFollowing = true
    this.#followOn()
      .catch((error: unknown) => {
        if (this.#closing.signal.aborted) return
        if (this.#turn) this.#turn.fail(error)
        else this.#hears.trouble(error)
      })
      .finally(() => {
        this.#isFollowing = false
      })
  }

  /** Asks that the answer ends where it is. */
  async stop(): Promise<void> {
    const turn = this.#turn
    if (turn === null) return
    const runId = await Promise.race([turn.run, turn.done.then(() => null)])
    if (runId !== null) await this.#api.post(`${this.#path}/runs/${runId}/stop`)
  }

  /** Stops nothing: what is under way goes on without a listener. */
  close(): void {
    this.#closing.abort()
  }

  #post(body: object): Promise<{ run_id: string }> {
    return this.#api.post(`${this.#path}/messages`, body)
  }

  /** The answer to one message, over the connection that posts it. A connection that breaks before any event is posted again: it is the same turn. */
  async #sayAndHear(turn: Turn, body: object): Promise<void> {
    const { signal } = this.#closing
    while (!turn.isBegun) {
      const stream = await this.#patiently(() => this.#api.stream(`${this.#path}/messages`, { body, signal }))
      if (stream) await this.#hear(stream)
    }
  }

  async #followOn(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const after = this.#cursor
      const stream = await this.#patiently(() => this.#api.stream(`${this.#path}/stream`, { after, signal }))
      if (stream) await this.#hear(stream)
      // Where a message was posted meanwhile, there is something to hear.
      else if (this.#turn === null || this.#turn.isDone) return
    }
  }

  /** Until the stream ends, or the connection breaks. */
  async #hear(stream: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const { id, event, data } of sentEvents(stream)) {
        const sent = { id, event, data: JSON.parse(data) } as ChatEvent // as the service documents its events
        if (sent.event === 'cursor.expired') await this.#readMissed()
        else this.#take(sent)
      }
    } catch (error) {
      this.#closing.signal.throwIfAborted()
      if (!isBroken(error)) throw error
    }
  }

  #take(sent: ChatEvent): void {
    // A message that is posted again brings the same events.
    if (this.#cursor !== null && BigInt(sent.id) <= BigInt(this.#cursor)) return
    this.#cursor = sent.id
    if (sent.event === 'message.created') {
      const { message } = sent.data
      this.#placeMax = Math.max(this.#placeMax, message.place)
      if (message.client_message_id === this.#turn?.messageId) this.#begun(sent.data)
    }
    this.#hears.event(sent)
    if (sent.event !== 'done') return
    const { run_id, status } = sent.data
    if (status === 'waiting') this.#waiting.add(run_id)
    else this.#waiting.delete(run_id)
    this.#turn?.end(run_id, status)
  }

  #begun({ run_id }: { run_id: string }): void {
    this.#turn?.begin(run_id)
  }

  /** The events after the cursor are deleted: what is complete is read, and an answer that is being written is heard from its beginning. */
  async #readMissed(): Promise<void> {
    this.#cursor = null
    const path = `${this.#path}/messages?after=${this.#placeMax}&limit=200`
    const { data }: { data: ChatMessage[] } = await this.#api.get(path)
    for (const message of data) {
      if (message.status === 'writing') break
      this.#placeMax = message.place
      this.#hears.missed(message)
      if (message.role === 'assistant') this.#turn?.end(message.run_id, message.status)
    }
  }

  /** A service that is away for a moment is asked again. */
  async #patiently<T>(ask: () => Promise<T>): Promise<T> {
    const { signal } = this.#closing
    for (const startedAt = performance.now(); ; await delay(retryMs, undefined, { signal })) {
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof Unreachable) || performance.now() - startedAt > awayMaxMs) throw error
      }
    }
  }
}

/** One message and what answers it. */
class Turn {
  readonly messageId = randomUUID()
  readonly #run = Promise.withResolvers<string>()
  readonly #done = Promise.withResolvers<RunStatus>()
  #runId: string | null = null
  #isDone = false

  constructor() {
    for (const { promise } of [this.#run, this.#done]) promise.catch(() => undefined) // it is told where somebody waits
  }

  get run(): Promise<string> {
    return this.#run.promise
  }

  get done(): Promise<RunStatus> {
    return this.#done.promise
  }

  get isBegun(): boolean {
    return this.#runId !== null
  }

  get isDone(): boolean {
    return this.#isDone
  }

  begin(runId: string): void {
    this.#runId = runId
    this.#run.resolve(runId)
  }

  end(runId: string, status: RunStatus): void {
    if (runId !== this.#runId) return
    this.#isDone = true
    this.#done.resolve(status)
  }

  fail(error: unknown): void {
    this.#isDone = true
    this.#done.reject(error)
  }
}

/** What `fetch` throws where a body ends before its end. */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'terminated'
}
