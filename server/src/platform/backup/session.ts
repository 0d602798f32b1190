import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { migrationLockKey } from '../database/migrate.ts'
import { BackupError } from './manifest.ts'

/** How values are written and read, whatever the server or the user's role has set. */
const settings = [
  `set statement_timeout = 0`,
  `set lock_timeout = 0`,
  `set idle_in_transaction_session_timeout = 0`,
  `set datestyle = 'ISO'`,
  `set intervalstyle = 'postgres'`,
  `set timezone = 'UTC'`,
  `set bytea_output = 'hex'`,
  `set extra_float_digits = 1`,
  // A row that a policy hides must end the backup, not be missing from it.
  `set row_security = off`,
]

/** A session that was cut off takes a moment to go, and takes its lock with it. */
const lockPatienceMs = 3_000

/** Runs `work` on a connection of its own while nobody migrates the database. */
export async function withQuietSchema<T>(
  options: { url: string; applicationName: string; lock: 'shared' | 'alone' },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: options.url, application_name: options.applicationName })
  // A lost connection also rejects the statement under way; without a listener the event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(settings.join(';'))
    await takeLock(client, options.lock)
    const result = await work(client)
    await client.end()
    return result
  } catch (error) {
    // A copy that was left half-way would have to be read to its end before the connection could say goodbye.
    socketOf(client).destroy()
    throw error
  }
}

async function takeLock(client: Client, kind: 'shared' | 'alone'): Promise<void> {
  const tryLock = kind === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const deadline = performance.now() + lockPatienceMs
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(`select ${tryLock}($1) as mine`, [
      migrationLockKey,
    ])
    if (rows[0]?.mine) return
    if (performance.now() > deadline) {
      throw new BackupError(
        'Somebody migrates, backs up or restores this database right now. Try again when that is over.',
      )
    }
    await delay(50)
  }
}

function socketOf(client: Client): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream // the driver's own, without a type
}
