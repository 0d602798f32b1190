import pg from 'pg'

/** What a connection asks of its session as it begins, by the names that PostgreSQL has for it. */
export type Startup = Readonly<Record<string, string>>

/** `startup` wins over whatever the server, the database, the role or the address itself say. */
export type SessionConfig = pg.ClientConfig & { startup: Startup }

/** How values are written and read, whatever is set for the database or the role. Every pooler carries these for each of its clients. */
const values: Startup = { DateStyle: 'ISO, MDY', TimeZone: 'UTC', standard_conforming_strings: 'on' }

/** The rest of what reading and changing rows depends on. A pooler may refuse to be asked for it, or forget it. */
export const sessionDefaults: Startup = {
  default_transaction_isolation: 'read committed',
  bytea_output: 'hex',
  IntervalStyle: 'postgres',
  extra_float_digits: '1',
}

/** A session for one purpose. Limits of its own it sets for its transactions. */
export function sessionConfig(options: { url: string; applicationName: string }): SessionConfig {
  return {
    connectionString: driverUrl(options.url),
    application_name: options.applicationName,
    startup: values,
  }
}

/**
 * The address with the driver's word for its `sslmode`. What asks for TLS in any other word has the certificate checked all the same, which
 * the driver warns of in seven lines: a later version will check less. We go on checking.
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

/** PgBouncer and its like refuse what they cannot carry from one server connection to the next, unless told to ignore it. */
function refusesStartup(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/i.test(error.message)
}

export type OpenSession = {
  client: SessionClient
  /** A pooler stands before the server that refuses to be asked for more than values. */
  isPooled: boolean
}

type SessionOptions = { url: string; applicationName: string; patienceMs?: number }

/** Work of ours that nobody waits for takes as long as it takes, whatever is set for callers. */
const unlimited: Startup = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/** Opens a session for one purpose; whoever opens it ends it. `asked` is what it asks for where no pooler refuses that. */
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

/** Somebody waits for the sentence that says what is wrong. */
const connectMs = 3_000
