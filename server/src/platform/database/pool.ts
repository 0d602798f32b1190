import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Statement } from '../../contract/statement.ts'
import { isStalePlan } from './errors.ts'

/** bigint columns are bigint here; timestamps are Date; everything else as the driver has it. */
const types = new pg.TypeOverrides()
types.setTypeParser(20, (text: string) => BigInt(text))

export type PoolOptions = {
  url: string
  /** Connections that transactions hold alone. */
  writers: number
  /** Pipelined connections that many single reads share. */
  readers: number
  /** How long a statement may take; default 30 s. */
  statementMs?: number
  applicationName: string
  onError: (error: Error) => void
}

export type Connection = {
  query<Row>(statement: Statement<Row>): Promise<{ rows: Row[]; rowCount: number; command: string }>
  release(error?: Error): void
}

export type Pools = {
  /** A connection for one transaction. */
  connect(): Promise<Connection>
  /** One statement on a shared connection. Reads only: a failed statement must not be able to take a neighbour with it. */
  read<Row>(statement: Statement<Row>): Promise<Row[]>
  /** One statement by itself, committed by the server when it succeeds. */
  single<Row>(statement: Statement<Row>): Promise<{ rows: Row[]; rowCount: number }>
  /** Connections that are open now, for metrics. */
  size(): { writers: number; idle: number; waiting: number }
  close(): Promise<void>
}

export function openPools(options: PoolOptions): Pools {
  const config: pg.PoolConfig = {
    connectionString: options.url,
    application_name: options.applicationName,
    types,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
    statement_timeout: options.statementMs ?? 30_000,
    lock_timeout: 8_000,
    idle_in_transaction_session_timeout: 30_000,
  }
  const writers = openPool(
    // Statements of a transaction are named and alike each time: planning them for their values, five times a connection and longer
    // where that looks cheaper, costs more than it finds.
    {
      ...config,
      max: options.writers,
      pipeline: true,
      options: '-c plan_cache_mode=force_generic_plan',
    } as pg.PoolConfig,
    options.onError,
  )
  const readers = createReaders(config, options)
  const lend = lender(writers)
  return {
    async connect() {
      const client = await lend()
      return {
        query: (statement) => run(client, statement),
        release: (error) => client.release(error),
      }
    },
    read: (statement) => readers.read(statement),
    async single(statement) {
      const client = await lend()
      let failure: Error | undefined
      try {
        return await run(client, statement)
      } catch (error) {
        failure = connectionLost(error)
        throw error
      } finally {
        client.release(failure)
      }
    },
    size: () => ({ writers: writers.totalCount, idle: writers.idleCount, waiting: writers.waitingCount }),
    async close() {
      await Promise.all([writers.end(), readers.close()])
    },
  }
}

/** The error when it says that the connection is unusable, so that the pool drops it. */
export function connectionLost(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  if (isStalePlan(error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // SQLSTATE class 57P is the server going away, 08 a broken connection; errors without a SQLSTATE come from the socket.
  return /^(57P|08)/.test(code) || !/^[0-9A-Z]{5}$/.test(code) ? error : undefined
}

function openPool(config: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(config)
  // Whoever ends a pool may end its server next: a connection that is lost while it is being closed is no news.
  const onLost = (error: Error) => {
    if (!pool.ending) onError(error)
  }
  pool.on('error', onLost)
  // While a connection is lent the pool does not listen to it; its loss must not end the process.
  pool.on('connect', (client) => client.on('error', onLost))
  return pool
}

/**
 * Connections of a pool, less those that were there when one of them was found to have stale plans: each of them has them, and whoever
 * tries again would find them one after the other.
 */
function lender(pool: pg.Pool): () => Promise<pg.PoolClient> {
  const present = new Set<pg.PoolClient>()
  const stale = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => present.add(client))
  pool.on('remove', (client) => present.delete(client))
  pool.on('release', (error) => {
    if (isStalePlan(error)) for (const one of present) stale.add(one)
  })
  return async () => {
    for (;;) {
      const client = await pool.connect()
      if (!stale.has(client)) return client
      client.release(true)
    }
  }
}

async function run<Row>(client: pg.ClientBase, statement: Statement<Row>) {
  const { name, text, values } = statement
  sendTogether(client)
  const result = await client.query({ name, text, values: values as unknown[] })
  return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0, command: result.command }
}

/** What is asked of a connection in one turn of the event loop leaves in one packet: a packet costs more than most statements. */
function sendTogether(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection // the driver's own, without a type
  if (stream.writableCorked > 0) return
  stream.cork()
  // After every promise of this turn, so that a handler's reads, or a transaction's statements, are all there.
  process.nextTick(() => stream.uncork())
}

type Reader = { client: pg.Client; pending: number; isStale: boolean }

/**
 * A few connections that each carry many reads at once. The least busy one takes all reads of a turn, since together they are one
 * packet. Opened on first use, replaced when lost.
 */
function createReaders(config: pg.PoolConfig, options: PoolOptions) {
  const slots: (Promise<Reader> | null)[] = Array.from({ length: options.readers }, () => null)
  const load = slots.map(() => 0)
  let closed = false
  let turn: number | null = null

  /** Where the reads of this turn of the event loop go. */
  function slotOfTurn(): number {
    if (turn !== null) return turn
    turn = load.indexOf(Math.min(...load))
    process.nextTick(() => {
      turn = null
    })
    return turn
  }

  async function open(slot: number): Promise<Reader> {
    const client = new pg.Client({ ...config, pipeline: true } as pg.ClientConfig)
    const reader = { client, pending: 0, isStale: false }
    // A stale one has left its place already, perhaps to another.
    const leave = () => {
      if (!reader.isStale) slots[slot] = null
    }
    client.on('error', (error) => {
      leave()
      if (!closed) options.onError(error)
    })
    client.on('end', leave)
    await client.connect()
    return reader
  }

  /** All were there when the schema changed. Their places are free for others; what is under way on them is still answered. */
  function retireAll(): void {
    for (const [slot, opened] of slots.entries()) {
      slots[slot] = null
      opened?.then(retire, () => undefined)
    }
  }

  function retire(reader: Reader): void {
    reader.isStale = true
    if (reader.pending === 0) reader.client.end().catch(() => undefined)
  }

  async function ask<Row>(reader: Reader, statement: Statement<Row>): Promise<Row[]> {
    reader.pending += 1
    try {
      return (await run(reader.client, statement)).rows
    } finally {
      reader.pending -= 1
      if (reader.isStale) retire(reader)
    }
  }

  async function read<Row>(statement: Statement<Row>, isSecond = false): Promise<Row[]> {
    if (closed) throw new Error('the database pools are closed')
    const slot = slotOfTurn()
    load[slot] = (load[slot] ?? 0) + 1
    let reader: Reader | null | undefined
    try {
      slots[slot] ??= open(slot).catch((error: unknown) => {
        slots[slot] = null
        throw error
      })
      reader = await slots[slot]
      if (!reader) throw new Error('the reading connection was lost')
      if (!reader.isStale) return await ask(reader, statement)
    } catch (error) {
      if (!reader || isSecond || !isStalePlan(error)) throw error
      if (!reader.isStale) retireAll()
    } finally {
      load[slot] = (load[slot] ?? 0) - 1
    }
    return read(statement, true)
  }

  return {
    read: <Row>(statement: Statement<Row>) => read(statement),
    async close() {
      closed = true
      await Promise.all(slots.map(async (slot) => (await slot?.catch(() => null))?.client.end()))
    },
  }
}
