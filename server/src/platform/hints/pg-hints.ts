import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { runStatement } from '../database/run-statement.ts'
import { SessionClient, type SessionConfig, sessionConfig } from '../database/session.ts'
import type { Log } from '../logs/logs.ts'
import { packTopics, unpackTopics } from './hint-payload.ts'
import { type Hints, isForWatchers } from './hints.ts'

export type PgHintsOptions = {
  /** A connection without a pooler in between: LISTEN belongs to a session. */
  directUrl: string
  log: Log
  /** Called whenever hints between processes stop or start arriving. */
  onDegraded?: (degraded: boolean) => void
  /** How many milliseconds hints that nobody waits for are collected after one was sent. */
  coalesceMs?: number
}

export type PgHints = Hints & {
  /** Whether hints of other processes fail to arrive; then every topic is woken by a poll. */
  isDegraded(): boolean
  close(): Promise<void>
}

const channel = 'prokura_hints'
/** A topic that stands for all topics: sent by a process whose hints were lost for a while. */
const everything = '*'
/** The first hint is sent at once; those of the next milliseconds are sent together, or with the next one that somebody waits for. */
const coalesceMsDefault = 5
/**
 * Hints for which this process has woken somebody itself, and hints for watchers, are sent with the next hint, or alone after this many
 * milliseconds.
 */
const patienceMs = 25
const fallbackMs = 250
const selfTestMs = 2_000
const selfTestEveryMs = 30_000
const reconnectMaxMs = 5_000

/**
 * Hints in memory here at once, and to other processes by NOTIFY on a connection of its own: inside a business transaction NOTIFY takes a
 * lock that all commits queue for. Resolves when the first self-test has passed or failed.
 */
export async function createHints(options: PgHintsOptions): Promise<PgHints> {
  const hints = new NotifiedHints(options)
  await hints.open()
  return hints
}

class NotifiedHints implements PgHints {
  readonly #options: PgHintsOptions
  readonly #listeners = new Map<string, Set<() => void>>()
  /** Our own notifications come back to us; everybody here has been woken by them already. */
  readonly #origin = randomUUID().slice(0, 8)
  #client: pg.Client | null = null
  /** In the order in which the others are woken: first what somebody waits for. */
  #outbox = new Set<string>()
  #sending = false
  /** The outbox holds a hint that work waits for, or one that has waited long enough. */
  #isUrgent = false
  /** Ends the moment in which hints are collected. */
  #hurry: () => void = () => undefined
  #patience: NodeJS.Timeout | null = null
  #degraded = false
  #closed = false
  #fallback: NodeJS.Timeout | null = null
  #selfTest: NodeJS.Timeout | null = null
  #reconnect: NodeJS.Timeout | null = null
  #attempt = 0
  #awaited: { token: string; arrived: () => void } | null = null

  constructor(options: PgHintsOptions) {
    this.#options = options
  }

  publish(topic: string, how?: { isAwaited: boolean }): void {
    const isHeardHere = this.#wake(topic)
    if (this.#closed || this.#client === null) return
    if (how?.isAwaited) this.#outbox = new Set([topic, ...this.#outbox])
    else this.#outbox.add(topic)
    if (isHeardHere || isForWatchers(topic)) {
      this.#patience ??= setTimeout(() => this.#sendSoon(), patienceMs).unref()
    } else {
      this.#sendSoon()
      if (how?.isAwaited) this.#hurry()
    }
  }

  on(topic: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic)
    }
  }

  isDegraded(): boolean {
    return this.#degraded
  }

  async open(): Promise<void> {
    const client = new SessionClient({
      ...sessionConfig({ url: this.#options.directUrl, applicationName: 'prokura hints' }),
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      pipeline: true,
    } as SessionConfig) // `pipeline` is newer than the driver's types
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, new Error('the connection ended')))
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      this.#client = client
      await this.#test(client)
    } catch (error) {
      this.#lost(client, error)
      return
    }
    if (this.#closed) {
      await client.end().catch(() => undefined)
      return
    }
    this.#attempt = 0
    this.#restored()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#hurry()
    for (const timer of [this.#fallback, this.#selfTest, this.#reconnect, this.#patience])
      if (timer) clearTimeout(timer)
    const client = this.#client
    // Listeners in other processes get the last hints of this one.
    const last =
      client && this.#outbox.size > 0 ? this.#notify(client, this.#takeOutbox()) : Promise.resolve()
    await last.catch(() => undefined)
    this.#client = null
    await client?.end().catch(() => undefined)
  }

  /** Returns whether anybody here listens. */
  #wake(topic: string): boolean {
    const listeners = this.#listeners.get(topic)
    for (const listener of listeners ?? []) {
      try {
        listener()
      } catch (error) {
        // The publisher has committed; a bug in a listener is not its failure.
        this.#options.log.error({ err: error, topic }, 'a listener of hints failed')
      }
    }
    return listeners !== undefined
  }

  #sendSoon(): void {
    this.#isUrgent = true
    if (!this.#sending) void this.#send()
  }

  async #send(): Promise<void> {
    this.#sending = true
    try {
      while (this.#isUrgent && this.#client !== null && !this.#closed) {
        // The commits of one turn of the event loop share a notification.
        await Promise.resolve()
        this.#isUrgent = false
        const pause = Promise.withResolvers<void>()
        const timer = setTimeout(pause.resolve, this.#options.coalesceMs ?? coalesceMsDefault)
        this.#hurry = pause.resolve
        try {
          await this.#notify(this.#client, this.#takeOutbox())
          await pause.promise
        } finally {
          clearTimeout(timer)
        }
      }
    } catch {
      // The error event of the connection reports it and starts the fallback.
    } finally {
      this.#sending = false
    }
  }

  #takeOutbox(): string[] {
    const topics = [...this.#outbox]
    this.#outbox.clear()
    if (this.#patience) clearTimeout(this.#patience)
    this.#patience = null
    return topics
  }

  async #notify(client: pg.Client, topics: readonly string[]): Promise<void> {
    await Promise.all(packTopics(this.#origin, topics).map((payload) => notify(client, payload)))
  }

  #receive(payload: string): void {
    if (payload === this.#awaited?.token) {
      this.#awaited.arrived()
      return
    }
    const { origin, topics } = unpackTopics(payload)
    if (origin === this.#origin) return
    if (topics.includes(everything)) this.#wakeAll()
    else for (const topic of topics) this.#wake(topic)
  }

  /** With a pooler between us and the server, LISTEN succeeds and no notification ever arrives. */
  async #test(client: pg.Client): Promise<void> {
    const token = `test ${randomUUID()}`
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#awaited = { token, arrived: resolve }
    const timer = setTimeout(() => client.emit('self-test-timeout'), selfTestMs)
    const late = new Promise<never>((_, reject) => {
      client.once('self-test-timeout', () => reject(new Error('a notification to ourselves did not arrive')))
    })
    try {
      await Promise.race([Promise.all([notify(client, token), promise]), late])
    } finally {
      clearTimeout(timer)
      client.removeAllListeners('self-test-timeout')
      this.#awaited = null
    }
  }

  #lost(client: pg.Client, error: unknown): void {
    client.removeAllListeners()
    client.on('error', () => undefined)
    if (this.#client === client) this.#client = null
    client.end().catch(() => undefined)
    if (this.#closed || this.#reconnect !== null) return
    if (this.#selfTest) clearInterval(this.#selfTest)
    this.#outbox.clear()
    if (!this.#degraded) {
      this.#setDegraded(true)
      this.#options.log.error(
        { err: error, poll_ms: fallbackMs },
        'hints between processes do not arrive; polling instead. Set DATABASE_DIRECT_URL to a connection past the pooler.',
      )
    }
    this.#fallback ??= setInterval(() => this.#wakeAll(), fallbackMs).unref()
    const waitMs = Math.min(reconnectMaxMs, 100 * 2 ** Math.min(this.#attempt++, 10))
    this.#reconnect = setTimeout(() => {
      this.#reconnect = null
      void this.open()
    }, waitMs).unref()
  }

  #restored(): void {
    if (this.#fallback) clearInterval(this.#fallback)
    this.#fallback = null
    if (this.#degraded) {
      this.#setDegraded(false)
      this.#options.log.info({}, 'hints between processes arrive again')
      // For hints that were published while nobody listened, and our own that we could not send.
      this.#wakeAll()
      this.#outbox.add(everything)
      this.#sendSoon()
    }
    const client = this.#client
    this.#selfTest = setInterval(() => {
      if (client) this.#test(client).catch((error: unknown) => this.#lost(client, error))
    }, selfTestEveryMs).unref()
  }

  #setDegraded(degraded: boolean): void {
    this.#degraded = degraded
    this.#options.onDegraded?.(degraded)
  }

  #wakeAll(): void {
    for (const topic of this.#listeners.keys()) this.#wake(topic)
  }
}

async function notify(client: pg.Client, payload: string): Promise<void> {
  await runStatement(client, {
    name: 'hints_notify',
    text: 'select pg_notify($1, $2)',
    values: [channel, payload],
  })
}
