import type { Apart, Reads } from '../../src/contract/context.ts'
import type { Statement } from '../../src/contract/statement.ts'
import type { Connection, Pools } from '../../src/platform/database/pool.ts'

/**
 * A statement as it was sent, and the number of its round trip in the recording. `isAlone`: it was a transaction by itself. `rows`: how
 * many rows it returned or wrote, where it answered.
 */
export type Sent = { statement: Statement<unknown>; trip: number; isAlone: boolean; rows: number }

export type Recorder = {
  pools: Pools
  /** The same for reads apart. */
  apart(apart: Apart): Apart
  /** The statements that are sent while this runs. A new round trip begins with the first statement that is sent after an answer. */
  record(work: () => Promise<void>): Promise<Sent[]>
}

/**
 * Statements that serve many calls at once and belong to none: the door of keys is cached, their last use and the time are kept apart,
 * and a stand-in does the work of the worker or merchant that a call waits for.
 */
const shared: ReadonlySet<string> = new Set([
  'door_api_key',
  'touch_api_keys',
  'read_database_time',
  'attempted_meanwhile',
  'looked_meanwhile',
  'answered_meanwhile',
])

type Answer = readonly unknown[] | { rowCount: number }

/** Pools that record their statements. */
export function recordPools(pools: Pools): Recorder {
  let sent: Sent[] | null = null
  let trip = 0
  let hasAnswer = true

  async function through<T extends Answer>(
    statement: Statement<unknown>,
    send: () => Promise<T>,
    isAlone = true,
  ): Promise<T> {
    if (!sent || shared.has(statement.name)) return send()
    if (hasAnswer) trip += 1
    hasAnswer = false
    const one: Sent = { statement, trip, isAlone, rows: 0 }
    sent.push(one)
    try {
      const answer = await send()
      one.rows = 'rowCount' in answer ? answer.rowCount : answer.length
      return answer
    } finally {
      hasAnswer = true
    }
  }

  function recorded(connection: Connection): Connection {
    return {
      query: (statement) => through(statement, () => connection.query(statement), false),
      release: (error) => connection.release(error),
    }
  }

  return {
    pools: {
      ...pools,
      connect: async (tenant) => recorded(await pools.connect(tenant)),
      hold: async (kind, tenant) => recorded(await pools.hold(kind, tenant)),
      provisional: (statement) => through(statement, () => pools.provisional(statement)),
      door: (statement) => through(statement, () => pools.door(statement)),
      read: (statement) => through(statement, () => pools.read(statement)),
      single: (statement, tenant) => through(statement, () => pools.single(statement, tenant)),
    },
    apart: (apart) => (owner, work) =>
      apart(owner, (reads) => {
        const rows: Reads['rows'] = (statement) => through(statement, () => reads.rows(statement))
        return work({ rows, maybe: async (statement) => (await rows(statement))[0] ?? null })
      }),
    async record(work) {
      const recording: Sent[] = []
      sent = recording
      trip = 0
      hasAnswer = true
      try {
        await work()
      } finally {
        sent = null
      }
      return recording
    },
  }
}

/** Statements put together as they are needed are told by the tables that they write, or else by those that they read. */
export function nameOf({ name, text }: Statement<unknown>): string {
  if (name !== '' && !name.startsWith('fused_')) return name
  const written = [...text.matchAll(/\b(?:insert into|update|delete from) ([a-z_]+)/g)]
  const tables = (written.length > 0 ? written : [...text.matchAll(/\bfrom ([a-z_]+)/g)]).map(
    ([, table]) => table,
  )
  return `${name === '' ? 'unnamed' : 'one write'} (${[...new Set(tables)].join(' + ')})`
}
