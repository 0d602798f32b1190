import { FolderLocked, withFolderLock } from '../../platform/postgres/folder-lock.ts'
import { CommandFailure } from '../failure.ts'
import { type StateFolder, stateFiles } from './state-folder.ts'

/**
 * Claims the folder until the claim is released: a second `up` on it would move the sandbox's ports and migrate the database while the
 * first one uses it. The claim of a process that was killed does not count.
 */
export async function claimFolder(state: StateFolder): Promise<() => Promise<void>> {
  const file = state.file(stateFiles.lock)
  const claimed = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const held = withFolderLock(file, 0, () => {
    claimed.resolve()
    return released.promise
  })
  held.catch((error: unknown) => {
    claimed.reject(
      error instanceof FolderLocked
        ? new CommandFailure(
            `A service already uses ${state.path}. Stop it first, or name another folder with --state DIR.`,
          )
        : error,
    )
  })
  await claimed.promise
  return async () => {
    released.resolve()
    await held
  }
}
