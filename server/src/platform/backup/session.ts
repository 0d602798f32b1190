import type { Duplex } from 'node:stream'
import type { Client } from 'pg'
import { type SchemaLock, SchemaLocked, withSchemaLock } from '../database/schema-lock.ts'
import { openSession } from '../database/session.ts'
import { BackupError } from './manifest.ts'

/** How values are written and read, whatever the server or the user's role has set. */
const settings = [
  `set local statement_timeout = 0`,
  `set local lock_timeout = 0`,
  `set local idle_in_transaction_session_timeout = 0`,
  `set local datestyle = 'ISO'`,
  `set local intervalstyle = 'postgres'`,
  `set local timezone = 'UTC'`,
  `set local bytea_output = 'hex'`,
  `set local extra_float_digits = 1`,
  // A row that a policy hides must end the backup instead of being left out.
  `set local row_security = off`,
]

/** A session that was cut off takes a moment to end and to release its lock. */
const lockPatienceMs = 3_000

/**
 * Runs `work` in one transaction on a connection of its own while nobody migrates the database. `begin` is the statement that opens it.
 */
export async function inQuietSchema<T>(
  options: { url: string; applicationName: string; lock: SchemaLock; begin: string },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { url, applicationName, lock, begin } = options
  return withSchemaLock({ url, applicationName, kind: lock, patienceMs: lockPatienceMs }, async () => {
    const { client } = await openSession({ url, applicationName })
    try {
      await client.query([begin, ...settings].join(';'))
      const result = await work(client)
      const { command } = await client.query('commit')
      if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
      await client.end()
      return result
    } catch (error) {
      // After a copy that was left half-way, everything would have to be read before the connection could be closed properly.
      socketOf(client).destroy()
      throw error
    }
  }).catch((error: unknown) => {
    throw error instanceof SchemaLocked ? new BackupError(error.message) : error
  })
}

function socketOf(client: Client): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream // the driver's own, without a type
}
