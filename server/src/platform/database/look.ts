import { currentVersion } from './schema-version.ts'
import { openSession, type Startup, sessionDefaults } from './session.ts'
import { UnfitDatabase } from './words.ts'

/** What a process has to know of a database before it works on it. */
export type SeenDatabase = {
  /** 0 without our schema. */
  schemaVersion: number
  /** Whether a pooler stands before it that refuses connections which ask for limits and defaults. */
  isPooled: boolean
  /** Whether limits of statements take effect; false where a pooler drops them. */
  hasLimits: boolean
  role: string
  /** How many connections the role may have; null: as many as the server has. */
  connectionsMax: number | null
}

const applicationName = 'prokura look'
const oldestServer = 150_000
/** Limits like those of our own pools, to see whether they take effect. */
const asked: Startup = { statement_timeout: '4000', lock_timeout: '8000' }

type Told = {
  server: number
  encoding: string
  database: string
  role: string
  connections: number
  settings: Record<string, string>
}

/**
 * Looks at a database before anything is opened on it. Throws `UnfitDatabase` where settings of our sessions would not take effect, and
 * the driver's error where it cannot be reached.
 */
export async function lookAtDatabase(url: string): Promise<SeenDatabase> {
  const { client, isPooled } = await openSession({ url, applicationName }, asked)
  try {
    const { rows } = await client.query<Told>(question, [settingNames])
    const [told] = rows
    if (!told) throw new Error('the database did not say what it is')
    refuseUnfit(told)
    const hasLimits = told.settings.lock_timeout === asked.lock_timeout
    if (!hasLimits) await refuseForgetful(url)
    return {
      schemaVersion: await currentVersion(client),
      isPooled,
      hasLimits,
      role: told.role,
      connectionsMax: told.connections < 0 ? null : told.connections,
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

const question = `/* tenantless: of the database */
  select current_setting('server_version_num')::int as server, pg_encoding_to_char(d.encoding) as encoding, d.datname::text as database,
    current_user::text as role, (select rolconnlimit from pg_roles where rolname = current_user) as connections,
    (select json_object_agg(name, setting) from pg_settings where name = any($1)) as settings
  from pg_database d where d.datname = current_database()`

const expected: Readonly<Record<string, RegExp>> = {
  DateStyle: /^ISO/,
  TimeZone: /^UTC$/,
  standard_conforming_strings: /^on$/,
  default_transaction_isolation: /^read committed$/,
  bytea_output: /^hex$/,
  IntervalStyle: /^postgres$/,
  extra_float_digits: /^[1-3]$/,
}
const settingNames = [...Object.keys(expected), 'lock_timeout']

function refuseUnfit({ server, encoding, database, role, settings }: Told): void {
  if (server < oldestServer)
    throw new UnfitDatabase(
      `The server of {setting} is PostgreSQL ${Math.floor(server / 10_000)}: upgrade it to 15 or newer, or name another server.`,
    )
  // guard encoding-is-refused: a database that cannot hold every name is not begun
  if (encoding !== 'UTF8')
    throw new UnfitDatabase(
      `The database "${database}" of {setting} has the encoding ${encoding}, which cannot store every character: create a database with "create database … encoding 'UTF8' template template0", and name that one.`,
    )
  for (const [name, pattern] of Object.entries(expected)) {
    const value = settings[name] ?? ''
    if (pattern.test(value)) continue
    const wanted =
      sessionDefaults[name] ?? (name === 'DateStyle' ? 'ISO' : name === 'TimeZone' ? 'UTC' : 'on')
    throw new UnfitDatabase(
      `Behind the pooler of {setting} sessions have ${name} = ${value}: run "alter role ${JSON.stringify(role)} set ${name} = '${wanted}'", and have the pooler open new connections.`,
    )
  }
}

/**
 * A pooler that gives each transaction another connection has to carry prepared statements along, as PgBouncer does since 1.21. A pooler
 * that does not fails at the second client that prepares a statement of the same name.
 */
async function refuseForgetful(url: string): Promise<void> {
  const name = `prokura_look_${process.pid}_${Math.trunc(performance.now() * 1000)}`
  for (let client = 0; client < 2; client++) {
    const { client: session } = await openSession({ url, applicationName }, asked)
    try {
      await session.query({ name, text: 'select 1' })
      await session.query({ name, text: 'select 1' })
    } finally {
      await session.end().catch(() => undefined)
    }
  }
}
