import { isDatabaseAway, sqlState } from './errors.ts'

/** A database that answers, but that this program cannot use. `{setting}` stands for the setting that names it. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase'
}

/** The setting that a person would correct, and its address. */
export type NamedDatabase = { setting: string; url: string }

/** What names a database of our own, whose address no person has written. */
export const stateFolderSetting = 'the state folder'

/** Why the database cannot be used, in a sentence that names the setting and says what to do. Null: the error is not about a database. */
export function databaseWords(error: unknown, named: NamedDatabase): string | null {
  if (error instanceof UnfitDatabase) return error.message.replaceAll('{setting}', named.setting)
  if (!(error instanceof Error)) return null
  const state = sqlState(error)
  return state === null ? wayWords(error, named) : refusalWords(error, state, named)
}

/** The words for what PostgreSQL itself refused. */
function refusalWords({ message }: Error, state: string, named: NamedDatabase): string | null {
  const { setting } = named
  const { where, user, database } = addressOf(named)
  switch (state) {
    case '28P01':
    case '28000':
      return `PostgreSQL at ${where} does not let "${user}" in (${message}): correct the user and the password in ${setting}.`
    case '3D000':
      return `There is no database "${database}" at ${where} (${message}): create it, or ${correction(setting)}.`
    case '42501':
      return `The role "${user}" of ${setting} may not do this (${message}): run \`prokura migrate\` with DATABASE_OWNER_URL, which grants it, or see "Two roles" in docs/operations.md.`
    case '25006':
      return `The database of ${setting} is read-only (${message}): name the primary server, or turn off default_transaction_read_only.`
    case '53300':
      return `PostgreSQL at ${where} has no connection left for "${user}" (${message}): raise max_connections or the limit of the role, or lower PROKURA_WRITERS, PROKURA_READERS and PROKURA_LONG_READERS.`
    case '57P03':
      return `PostgreSQL at ${where} is starting or stopping (${message}): try again in a moment.`
    case '42P05':
    case '26000':
      return `The pooler of ${setting} does not support prepared statements (${message}): use PgBouncer 1.21 or newer with max_prepared_statements = 1000, or let the pooler pool sessions.`
    default:
      if (!/^(?:08|53|57P|58)/.test(state)) return null
      return `PostgreSQL at ${where} does not serve ${setting} (${message}, SQLSTATE ${state}): correct that, or name another server.`
  }
}

/** The words for what failed on the way to it: names, networks, certificates. */
function wayWords(error: Error, named: NamedDatabase): string | null {
  const { setting } = named
  const { where, host, user } = addressOf(named)
  const { message } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (message.includes('does not support SSL'))
    return `${setting} asks for TLS (sslmode), but PostgreSQL at ${where} does not offer it: turn it on there, or remove sslmode from ${setting}.`
  if (/CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS/.test(code))
    return `The certificate of ${where} is not trusted (${message}): add sslrootcert=FILE to ${setting}, with the authority that signed it.`
  if (/^SASL:/.test(message))
    return `PostgreSQL at ${where} asks for the password of "${user}" (${message}): add it to ${setting}.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `There is no host ${host} (${code}): ${correction(setting)}.`
  if ((code === 'ECONNREFUSED' || code === 'ENOENT') && host.startsWith('/'))
    return `No PostgreSQL serves ${where} (${code}): start the service with \`npm start\`, or ${correction(setting)}.`
  if (code === 'ECONNREFUSED')
    return `Nothing listens at ${where} (${code}): start PostgreSQL there, or ${correction(setting)}.`
  if (isDatabaseAway(error) || /^timeout expired$/.test(message))
    return `PostgreSQL at ${where} does not answer (${message}): start it, or ${correction(setting)}.`
  return null
}

/** What to do about an address: nobody can correct one that we wrote ourselves. */
function correction(setting: string): string {
  return setting === stateFolderSetting ? 'name another folder with --state DIR' : `correct ${setting}`
}

function addressOf({ url }: NamedDatabase): { where: string; host: string; user: string; database: string } {
  const { hostname, port, username, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? (hostname || 'localhost')
  const where = host.startsWith('/') ? host : `${host}:${port || searchParams.get('port') || '5432'}`
  return {
    where,
    host,
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
  }
}
