import { AssertionError } from 'node:assert'
import { fileWords } from '../../platform/files/file-trouble.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../platform/postgres/embedded.ts'
import { CommandFailure } from '../failure.ts'

/** The server of a state folder, with the settings that all commands share: the first command decides for the others. */
export async function startOwnPostgres(stateDir: string, { durable = true } = {}): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ stateDir, durable, maxConnections: 200 }).catch((error: unknown) => {
    // The error says in words what the system lacks. Errors of the language are bugs, and a person needs to know where.
    const isBug = !(error instanceof Error) || bugs.some((kind) => error instanceof kind)
    throw isBug ? error : new CommandFailure(fileWords(error) ?? error.message)
  })
}

const bugs = [TypeError, RangeError, ReferenceError, SyntaxError, AssertionError]
