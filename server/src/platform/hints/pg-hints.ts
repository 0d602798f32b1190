import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { SessionClient, type SessionConfig, sessionConfig } from '../database/session.ts'
import type { Log } from '../logs/logs.ts'
import { packTopics, unpackTopics } from './hint-payload.ts'
import { type Hints, isForWatchers } from './hints.ts'

export type PgHintsOptions = {
  /** A connection past any pooler: LISTEN belongs to a session. */
  directUrl: string
  log: Log
  /** Told whenever hints between processes stop or start arriving. */
  onDegraded?: (degraded: boolean) => void
  /** How long hints that nobody waits for gather behind one that has gone. */
  coalesceMs?: number
}

export type PgHints = Hints & {
  /** Whether hints of other processes arrive; otherwise every topic is woken by a poll. */
  isDegraded(): boolean
  close(): Promise<void>
}

const channel = 'prokura_hints'
/** A topic that stands for all: sent by a process whose hints were lost for a while. */
const everything = '*'
/** The first hint goes at once; those of the next moments go together, or with the next one that is awaited. */
const coalesceMsDefault = 5
/** What this process has woken somebody for itself, and what is only watched, goes with the next hint, or alone after this long. */
const patienceMs = 25
const fallbackMs = 250
const selfTestMs = 2_000
const selfTestEveryMs = 30_000
const reconnectMaxMs = 5_000

/**
 * Hints here in memory at once, and to other processes by NOTIFY on a connection of its own: inside a business transaction NOTIFY takes
 * a lock that all commits queue for. Resolves when the first self-test has passed or failed.
 */
export async function createHints(options: PgHintsOptions): Promise<PgHints> {
  const hints = new NotifiedHints(options)
  await hints.open()
  return hints
}

class NotifiedHints implements PgHints {
  readonly #options: PgHintsOptions
  readonly #listeners = new Map<string, Set<() => void>>()
  /** Our own notifications come back to us; they have woken everybody here already. */
  readonly #origin = randomUUID().slice(0, 8)
  #client: pg.Client | null = null
  #outbox = new Set<string>()
  #sending = false
  /** The outbox holds something that somebody's work waits for, or has waited long enough. */
  #isUrgent = false
  /** Ends the moment for which hints gather. */
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
    this.#outbox.add(topic)
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
    // Whoever waits in another process gets the last hints of this one.
    const last =
      client && this.#outbox.size > 0 ? this.#notify(client, this.#takeOutbox()) : Promise.resolve()
    await last.catch(() => undefined)
    this.#client = null
    await client?.end().catch(() => undefined)
  }

  /** Answers whether anybody here listens. */
  #wake(topic: string): boolean {
    const listeners = this.#listeners.get(topic)
    for (const listener of listeners ?? []) {
      try {
        listener()
      } catch (error) {
        // Whoever publishes has committed; a listener's bug is not its failure.
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
      // The connection's own error event says so, loudly, and starts the fallback.
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

  /** A pooler between us and the server lets LISTEN succeed and no notification ever come. */
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
      // What was published while nobody listened; and what we published while we could not send it.
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
  await client.query({ name: 'hints_notify', text: 'select pg_notify($1, $2)', values: [channel, payload] })
}
