import type { Statement } from '../../src/contract/statement.ts'
import type { Connection, Pools } from '../../src/platform/database/pool.ts'

/** A statement as it was sent, and which round trip of the recording it travelled in. */
export type Sent = { statement: Statement<unknown>; trip: number }

export type Recorder = {
  pools: Pools
  /** What is sent while this runs. A new round trip begins with the first statement that is sent after an answer came back. */
  record(work: () => Promise<void>): Promise<Sent[]>
}

/**
 * What serves many calls at once and belongs to none: the door of keys is cached, their last use and the time are kept on the side,
 * and somebody does what a worker or a merchant would do that a call waits for.
 */
const shared: ReadonlySet<string> = new Set([
  'door_api_key',
  'touch_api_keys',
  'read_database_time',
  'attempted_meanwhile',
  'looked_meanwhile',
  'answered_meanwhile',
])

/** Pools that remember what passes them. */
export function recordPools(pools: Pools): Recorder {
  let sent: Sent[] | null = null
  let trip = 0
  let hasAnswer = true

  async function through<T>(statement: Statement<unknown>, send: () => Promise<T>): Promise<T> {
    if (!sent || shared.has(statement.name)) return send()
    if (hasAnswer) trip += 1
    hasAnswer = false
    sent.push({ statement, trip })
    try {
      return await send()
    } finally {
      hasAnswer = true
    }
  }

  function recorded(connection: Connection): Connection {
    return {
      query: (statement) => through(statement, () => connection.query(statement)),
      release: (error) => connection.release(error),
    }
  }

  return {
    pools: {
      ...pools,
      connect: async (tenant) => recorded(await pools.connect(tenant)),
      hold: async (kind, tenant) => recorded(await pools.hold(kind, tenant)),
      door: (statement) => through(statement, () => pools.door(statement)),
      read: (statement) => through(statement, () => pools.read(statement)),
      single: (statement, tenant) => through(statement, () => pools.single(statement, tenant)),
    },
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
