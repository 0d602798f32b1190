import { isDatabaseAway, sqlState } from '../platform/database/errors.ts'
import { findSchemaTrouble } from '../platform/database/migrate.ts'
import { CommandFailure } from './failure.ts'

/** What a person can mend about a database: the roles' rights, the name and password in its address, a standby. */
const mendable = /^(?:08|28|3D|53|57P|58|42501|25006)/

/** Fails in words where the database of an operator's command cannot be worked with, before anything is opened on it. */
export async function checkDatabase(url: string): Promise<void> {
  const trouble = await findSchemaTrouble(url)
  if (trouble !== null)
    throw new CommandFailure(`${trouble} DATABASE_URL or --state says which database it is.`)
}

/** The same for what only shows later; bugs stay what they are. */
export function inWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const state = sqlState(error)
  if (state === null ? !isDatabaseAway(error) : !mendable.test(state)) return error
  return new CommandFailure(
    `The database refused: ${error.message}.${state === null ? '' : ` (SQLSTATE ${state})`}`,
  )
}
