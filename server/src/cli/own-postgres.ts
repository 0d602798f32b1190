import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/postgres/embedded.ts'
import { CommandFailure } from './failure.ts'

/** The server of a state folder, with the settings that all commands share: the first of them decides for the others. */
export async function startOwnPostgres(stateDir: string, { durable = true } = {}): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ stateDir, durable, maxConnections: 200 }).catch((error: unknown) => {
    // Errors of its own kind say in words what the system lacks. Those of another kind are bugs, or files that the system refuses.
    const isSaid = error instanceof Error && error.constructor === Error && !('syscall' in error)
    throw isSaid ? new CommandFailure(error.message) : error
  })
}
