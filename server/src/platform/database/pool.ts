import pg from 'pg'
import type { Statement } from '../../contract/statement.ts'
import { isStalePlan } from './errors.ts'
import { runStatement } from './run-statement.ts'
import { SessionClient, type SessionConfig, type Startup, sessionConfig, sessionDefaults } from './session.ts'
import { createSharedReaders } from './shared-readers.ts'
import { Shares } from './shares.ts'

/** bigint columns become bigint, timestamps Date; everything else is as the driver returns it. */
const types = new pg.TypeOverrides()
types.setTypeParser(20, (text: string) => BigInt(text))

/** The kind of a statement decides which connections it uses and how long it may take. */
type ConnectionKind =
  /** Who calls, from the hash of a token. */
  | 'door'
  /** Reads by id: connections that all calls share. */
  | 'short'
  /** Lists, searches, calculations: a call has its connection alone. */
  | 'long'
  /** Deep pages of lists, exports: likewise. */
  | 'bulk'
  /** Reads for operators and metrics. */
  | 'survey'
  /** Transactions. */
  | 'write'

/** Reads that hold a connection, and a part of their tenant's share, while they run. */
export type HeldKind = 'long' | 'bulk'

/** How many milliseconds one statement may run; then it is cancelled, and nothing was done. */
type StatementTimes = Readonly<Record<ConnectionKind, number>>

/** For a process that serves callers: none of them may wait for another caller's statement. */
export const callerTimes: StatementTimes = {
  door: 2_000,
  short: 2_000,
  long: 2_000,
  bulk: 5_000,
  survey: 30_000,
  // Longer than the wait for a lock: that is tried again, while a statement that is out of time is not.
  write: 10_000,
}

/** For workers and commands, which nobody waits for. */
export const patientTimes: StatementTimes = {
  door: 30_000,
  short: 30_000,
  long: 30_000,
  bulk: 30_000,
  survey: 30_000,
  write: 30_000,
}

type PoolConfig = pg.PoolConfig & SessionConfig

export type PoolOptions = {
  url: string
  /** Connections that a transaction holds alone. */
  writers: number
  /** Pipelined connections that many short reads share. */
  readers: number
  /** Connections that a long read holds alone. */
  longReaders?: number
  bulkReaders?: number
  /** How many connections of a kind one tenant may hold; by default all. */
  shares?: Partial<Readonly<Record<HeldKind | 'write', number>>>
  /** How many milliseconds a read waits for a connection. */
  waits?: Readonly<Record<HeldKind, number>>
  /** `patientTimes` by default. */
  times?: StatementTimes
  /** Whether a pooler stands before the server that refuses connections which ask for limits: then the limits of the role apply. */
  isPooled?: boolean
  applicationName: string
  onError: (error: Error) => void
}

export type Connection = {
  query<Row>(statement: Statement<Row>): Promise<{ rows: Row[]; rowCount: number; command: string }>
  release(error?: Error): void
}

export type Pools = {
  /** A connection for one transaction, which counts for the tenant if one is named. */
  connect(tenant?: string): Promise<Connection>
  /** One short statement on a shared connection. Reads only: a failed statement must not break a neighbor on the connection. */
  read<Row>(statement: Statement<Row>): Promise<Row[]>
  /** One lookup of who calls, which waits only for others of its kind. */
  door<Row>(statement: Statement<Row>): Promise<Row[]>
  /** One read for operators, which may take long and keeps no caller waiting. */
  survey<Row>(statement: Statement<Row>): Promise<Row[]>
  /** A connection for the long reads of one call. */
  hold(kind: HeldKind, tenant: string): Promise<Connection>
  /** One statement by itself, committed by the server when it succeeds. */
  single<Row>(statement: Statement<Row>, tenant?: string): Promise<{ rows: Row[]; rowCount: number }>
  /**
   * The same, without waiting for the disk: if the server crashes in the next half second, it may be undone. Only for what is then done
   * again and what nobody outside was told, such as a claim. Behind a pooler it waits.
   */
  provisional<Row>(statement: Statement<Row>): Promise<{ rows: Row[]; rowCount: number }>
  /** Connections that are open now, for metrics. */
  size(): { writers: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** Those who use them send one statement at a time. */
export const provisionalWriters = 2
const longReadersDefault = 8
const bulkReadersDefault = 3
/** As long as a statement may take for callers: within that time every place becomes free. */
const waitsDefault = { long: callerTimes.long, bulk: callerTimes.bulk }
/** A caller that reads as fast as it can waits for its own lists, hardly longer than they take. */
const waitersMax = 100
/** How many milliseconds an answer may take on its way, in addition to the statement's own time. */
const graceMs = 3_000
/** How many milliseconds a transaction waits for a connection. */
const connectMs = 10_000

export function openPools(options: PoolOptions): Pools {
  const { times = patientTimes, waits = waitsDefault, shares = {}, onError } = options
  const config = (kind: ConnectionKind, more: Startup = {}): PoolConfig => {
    const session = sessionConfig(options)
    const limits = {
      ...sessionDefaults,
      statement_timeout: String(times[kind]),
      lock_timeout: '8000',
      idle_in_transaction_session_timeout: '30000',
      ...more,
    }
    return {
      ...session,
      startup: options.isPooled ? session.startup : { ...session.startup, ...limits },
      types,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 60_000,
      allowExitOnIdle: true,
    }
  }
  const shared = (kind: ConnectionKind, connections: number) =>
    createSharedReaders({ config: config(kind), connections, silentMsMax: times[kind] + graceMs, onError })
  const readers = shared('short', options.readers)
  // One connection carries more lookups than a process can make.
  const doors = shared('door', 1)
  const surveyors = shared('survey', 1)
  // The statements of a transaction are named and always the same. Planning them for their values, five times a connection and more often
  // where that looks cheaper, costs more than it gains.
  const writing = config('write', { plan_cache_mode: 'force_generic_plan' })
  const writers = openLender(writing, {
    places: options.writers,
    share: shares.write ?? null,
    waitersMax: Number.POSITIVE_INFINITY,
    waitMs: connectMs,
    scope: 'account.writes',
    onError,
  })
  const provisional = openLender(
    {
      ...writing,
      startup: options.isPooled ? writing.startup : { ...writing.startup, synchronous_commit: 'off' },
    },
    {
      places: provisionalWriters,
      share: null,
      waitersMax: Number.POSITIVE_INFINITY,
      waitMs: connectMs,
      scope: 'account.writes',
      onError,
    },
  )
  const held: Readonly<Record<HeldKind, Lender>> = {
    long: openLender(config('long'), {
      places: options.longReaders ?? longReadersDefault,
      share: shares.long ?? null,
      waitersMax,
      waitMs: waits.long,
      scope: 'account.reads',
      onError,
    }),
    bulk: openLender(config('bulk'), {
      places: options.bulkReaders ?? bulkReadersDefault,
      share: shares.bulk ?? null,
      waitersMax,
      waitMs: waits.bulk,
      scope: 'account.bulk_reads',
      onError,
    }),
  }
  return {
    connect: (tenant) => writers.lend(tenant),
    read: (statement) => readers.read(statement),
    door: (statement) => doors.read(statement),
    survey: (statement) => surveyors.read(statement),
    hold: (kind, tenant) => held[kind].lend(tenant),
    single: (statement, tenant) => alone(writers, statement, tenant),
    provisional: (statement) => alone(provisional, statement),
    size: () => writers.size(),
    async close() {
      const all = [writers, provisional, held.long, held.bulk, readers, doors, surveyors]
      await Promise.all(all.map((one) => one.close()))
    },
  }
}

async function alone<Row>(lender: Lender, statement: Statement<Row>, tenant?: string) {
  const connection = await lender.lend(tenant)
  let failure: Error | undefined
  try {
    return await connection.query(statement)
  } catch (error) {
    failure = connectionLost(error)
    throw error
  } finally {
    connection.release(failure)
  }
}

/** The error if it says that the connection is unusable, so that the pool drops it. */
export function connectionLost(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  if (isStalePlan(error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // SQLSTATE class 57P: the server is stopping; 08: a broken connection; errors without a SQLSTATE come from the socket.
  return /^(57P|08)/.test(code) || !/^[0-9A-Z]{5}$/.test(code) ? error : undefined
}

type Lender = {
  lend(tenant?: string): Promise<Connection>
  size(): { writers: number; idle: number; waiting: number }
  close(): Promise<void>
}

type LenderOptions = {
  places: number
  /** Null: one tenant may hold all places. */
  share: number | null
  waitersMax: number
  waitMs: number
  scope: string
  onError: (error: Error) => void
}

/** Connections that are held alone, of which each tenant may have its share. */
function openLender(config: PoolConfig, { share, onError, ...waiting }: LenderOptions): Lender {
  const pool = openPool({ ...config, max: waiting.places, pipeline: true } as PoolConfig, onError)
  const takeClient = freshClients(pool)
  const shares = share === null ? null : new Shares({ ...waiting, share })

  return {
    async lend(tenant) {
      const counted = shares && tenant !== undefined ? { shares, tenant } : null
      const admitted = counted?.shares.enter(counted.tenant)
      if (admitted) await admitted
      const leave = () => counted?.shares.leave(counted.tenant)
      try {
        const client = await takeClient()
        return {
          query: (statement) => runStatement(client, statement),
          release(error) {
            client.release(error)
            leave()
          },
        }
      } catch (error) {
        leave()
        throw error
      }
    },
    size: () => ({
      writers: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + (shares?.waiting ?? 0),
    }),
    close: () => pool.end(),
  }
}

function openPool(config: PoolConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...config, Client: SessionClient } as pg.PoolConfig)
  // The server may be stopped right after a pool is closed: a connection that is lost while it is being closed is not reported.
  const onLost = (error: Error) => {
    if (!pool.ending) onError(error)
  }
  pool.on('error', onLost)
  // While a connection is lent, the pool does not listen to it; its loss must not end the process.
  pool.on('connect', (client) => client.on('error', onLost))
  return pool
}

/**
 * Connections of a pool, without those that existed when one of them was found to have stale plans: each of them has stale plans, and a
 * retry would meet them one after the other.
 */
function freshClients(pool: pg.Pool): () => Promise<pg.PoolClient> {
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
