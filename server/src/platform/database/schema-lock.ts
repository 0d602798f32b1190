import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { openSession } from './session.ts'

/** Any constant of our own; advisory locks are counted per database. A migration or a restore holds it alone; backups share it. */
export const schemaLockKey = 7_261_140_593

export type SchemaLock = 'shared' | 'alone'

/** The holder of the lock, as PostgreSQL knows it. */
type LockHolder = { pid: number; application: string; address: string | null; since: Date | null }

type SchemaLockOptions = {
  url: string
  applicationName: string
  kind: SchemaLock
  /** How many milliseconds to wait for the lock; without a limit where `onWait` reports the wait. */
  patienceMs: number
  /** Called at once, and every half minute. */
  onWait?: (holder: LockHolder | null) => void
}

/** The lock was not released in time, or its holder will never release it. */
export class SchemaLocked extends Error {
  override readonly name = 'SchemaLocked'
}

const pollMs = 100
const tellEveryMs = 30_000

/**
 * Does the work while the schema is ours. The lock belongs to a transaction on a connection of its own: no pooler gives that connection
 * to another client, and it ends with its client. A lock of a session would stay on a pooler's connection after we have ended.
 */
export async function withSchemaLock<T>(options: SchemaLockOptions, work: () => Promise<T>): Promise<T> {
  const { client } = await openSession({ url: options.url, applicationName: options.applicationName })
  try {
    await takeTurn(client, options)
    return await work()
  } finally {
    await client.query('commit').catch(() => undefined)
    await client.end().catch(() => undefined)
  }
}

/**
 * Polls, with nothing open in between: an open statement holds a snapshot, and a `create index concurrently` of the lock's holder would
 * wait for that snapshot for ever. The transaction that holds the lock has no snapshot.
 */
async function takeTurn(client: ClientBase, { kind, patienceMs, onWait }: SchemaLockOptions): Promise<void> {
  const tryLock = kind === 'shared' ? 'pg_try_advisory_xact_lock_shared' : 'pg_try_advisory_xact_lock'
  const startedAt = performance.now()
  let toldAt = Number.NEGATIVE_INFINITY
  for (;;) {
    await client.query('begin isolation level read committed')
    await client.query(liftLimits)
    // Without parameters: the portal of a prepared statement keeps its snapshot while the transaction lasts.
    const { rows } = await client.query<{ mine: boolean }>(`select ${tryLock}(${schemaLockKey}) as mine`)
    if (rows[0]?.mine) return
    const holder = await findHolder(client)
    await client.query('rollback')
    refuseLeaked(holder)
    const now = performance.now()
    if (now - startedAt > patienceMs)
      throw new SchemaLocked(`${wordsOf(holder)} this database right now. Try again when that is over.`)
    if (now - toldAt > tellEveryMs) {
      onWait?.(holder)
      toldAt = now
    }
    await delay(pollMs)
  }
}

/** A transaction that only holds a lock is idle for as long as the work takes. */
const liftLimits = `select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

async function findHolder(client: ClientBase): Promise<LockHolder | null> {
  const { rows } = await client.query<LockHolder>(selectHolder, [schemaLockKey])
  return rows[0] ?? null
}

// PostgreSQL shows a key of 64 bits as two halves.
const selectHolder = `/* tenantless: of the server */
  select a.pid, coalesce(a.application_name, '') as application, host(a.client_addr) as address, a.xact_start as since
  from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = ($1::bigint >> 32)::oid and l.objid = ($1::bigint & 4294967295)::oid
  order by a.xact_start nulls last limit 1`

/**
 * The names of processes that release it again. Any other process of ours got it on a pooler's connection, from a client that ended long
 * ago.
 */
const mayHold = /^prokura (?:migrate|backup|restore|schema)/

function refuseLeaked(holder: LockHolder | null): void {
  if (holder === null || !/^prokura /.test(holder.application) || mayHold.test(holder.application)) return
  throw new SchemaLocked(
    `"${holder.application}" (pid ${holder.pid}) holds the lock of migrations and never releases it: it was left on a connection of a pooler. End that connection with "select pg_terminate_backend(${holder.pid})", and set DATABASE_DIRECT_URL to the server itself.`,
  )
}

/** `"prokura migrate" (pid 12, from 10.0.0.5) migrates, backs up or restores`. */
export function wordsOf(holder: LockHolder | null): string {
  if (holder === null) return 'Another process migrates, backs up or restores'
  const from = holder.address === null ? '' : `, from ${holder.address}`
  const name = holder.application === '' ? 'Another process' : `"${holder.application}"`
  return `${name} (pid ${holder.pid}${from}) migrates, backs up or restores`
}
