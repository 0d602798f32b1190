import { isDatabaseAway, sqlState } from '../../platform/database/errors.ts'
import { lookAtDatabase, type SeenDatabase } from '../../platform/database/look.ts'
import { MigrationError, schemaTrouble } from '../../platform/database/migrate.ts'
import { SchemaLocked } from '../../platform/database/schema-lock.ts'
import { databaseWords, type NamedDatabase, stateFolderSetting } from '../../platform/database/words.ts'
import { CommandFailure } from '../failure.ts'

/** Errors of a database that a person can correct: the rights of roles, the name and password in its address, a standby. */
const mendable = /^(?:08|28|3D|53|57P|58|42501|25006)/

/** Fails in words where a database cannot be used, before anything is opened on it. */
export async function lookAt(named: NamedDatabase): Promise<SeenDatabase> {
  return withDatabaseTrouble(named, () => lookAtDatabase(named.url))
}

/** The same, for commands that need our schema there. */
export async function checkDatabase(named: NamedDatabase): Promise<SeenDatabase> {
  const seen = await lookAt(named)
  const trouble = schemaTrouble(seen)
  if (trouble !== null)
    throw new CommandFailure(
      named.setting === stateFolderSetting
        ? `${trouble} Check that --state names the right folder.`
        : `${trouble} Check that ${named.setting} or --state names the right database.`,
    )
  return seen
}

/** Does the work; an error of the database is thrown in words, which name the setting. */
export async function withDatabaseTrouble<T>(named: NamedDatabase, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw inWords(error, named)
  }
}

/** The same for errors that show only later; bugs stay unchanged. */
export function inWords(error: unknown, named: NamedDatabase): unknown {
  if (error instanceof MigrationError || error instanceof SchemaLocked)
    return new CommandFailure(error.message)
  const words = databaseWords(error, named)
  if (words !== null) return new CommandFailure(words)
  if (!(error instanceof Error)) return error
  const state = sqlState(error)
  if (state === null ? !isDatabaseAway(error) : !mendable.test(state)) return error
  return new CommandFailure(
    `The database refused the work: ${error.message}.${state === null ? '' : ` (SQLSTATE ${state})`}`,
  )
}
