import pg from 'pg'

/** The settings that a connection asks for when it begins, by PostgreSQL's names. */
export type Startup = Readonly<Record<string, string>>

/** `startup` overrides what the server, the database, the role or the address set. */
export type SessionConfig = pg.ClientConfig & { startup: Startup }

/** How values are written and read, whatever is set for the database or the role. Every pooler keeps these for each of its clients. */
const values: Startup = { DateStyle: 'ISO, MDY', TimeZone: 'UTC', standard_conforming_strings: 'on' }

/** The other settings on which reading and changing rows depends. A pooler may refuse them, or forget them. */
export const sessionDefaults: Startup = {
  default_transaction_isolation: 'read committed',
  bytea_output: 'hex',
  IntervalStyle: 'postgres',
  extra_float_digits: '1',
}

/** A session for one purpose. Limits of its own are set for each of its transactions. */
export function sessionConfig(options: { url: string; applicationName: string }): SessionConfig {
  return {
    connectionString: driverUrl(options.url),
    application_name: options.applicationName,
    startup: values,
  }
}

/**
 * The address with the driver's word for its `sslmode`. An address that asks for TLS in any other word has the certificate checked all
 * the same, but then the driver warns in seven lines that a later version will check less. We continue to check.
 */
export function driverUrl(given: string): string {
  const url = URL.parse(given)
  const mode = url?.searchParams.get('sslmode') ?? ''
  if (!url || url.searchParams.get('uselibpqcompat') === 'true' || !checkedModes.includes(mode)) return given
  url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

const checkedModes = ['prefer', 'require', 'verify-ca']

export class SessionClient extends pg.Client {
  constructor(config?: SessionConfig) {
    super(config)
    const { startup = values } = config ?? {}
    const driver = this as unknown as { getStartupConf(): Startup } // the driver's own, without a type
    const { getStartupConf } = driver
    driver.getStartupConf = () => ({ ...getStartupConf.call(this), ...startup })
  }
}

/**
 * PgBouncer and similar poolers refuse settings that they cannot carry from one server connection to the next, unless they are configured
 * to ignore them.
 */
function refusesStartup(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/i.test(error.message)
}

type OpenSession = {
  client: SessionClient
  /** Whether a pooler stands before the server that refuses all settings but those of values. */
  isPooled: boolean
}

type SessionOptions = { url: string; applicationName: string; patienceMs?: number }

/** Our own work that no caller waits for takes as long as it takes, whatever is set for callers. */
const unlimited: Startup = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/** Opens a session for one purpose; the caller ends it. `asked` are the settings that it asks for where no pooler refuses them. */
export async function openSession(options: SessionOptions, asked = unlimited): Promise<OpenSession> {
  const plain = { ...sessionConfig(options), connectionTimeoutMillis: options.patienceMs ?? connectMs }
  try {
    const startup = { ...plain.startup, ...sessionDefaults, ...asked }
    return { client: await connected({ ...plain, startup }), isPooled: false }
  } catch (error) {
    if (!refusesStartup(error)) throw error
    return { client: await connected(plain), isPooled: true }
  }
}

async function connected(config: SessionConfig): Promise<SessionClient> {
  const client = new SessionClient(config)
  // A lost connection also rejects the statement under way; without a listener the event would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/** Opens a session, does the work and closes it again. */
export async function withSession<T>(
  options: SessionOptions,
  work: (client: SessionClient) => Promise<T>,
): Promise<T> {
  const { client } = await openSession(options)
  return work(client).finally(() => client.end().catch(() => undefined))
}

/** A person waits for the sentence that says what is wrong. */
const connectMs = 3_000
