import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../platform/files/file-trouble.ts'
import { browserIds, serviceIds } from '../../platform/postgres/account.ts'
import { CommandFailure } from '../failure.ts'

export type BrowserFolders = {
  /** Of the door, closed to all but the browser's user and the group of the workers. */
  readonly doors: string
  /** Of the unpacked Chromium, which its own user can read and cannot write. */
  readonly binaries: string
  /** Of the profiles, each of which is Chromium's for one start. */
  readonly profiles: string
}

/**
 * Makes the folders of the browser process. `isApart`: we are root, and the process will be of a user of its own. A folder of the door that
 * is there already stays as somebody has made it.
 */
export function makeBrowserFolders(home: string, doors: string | null, isApart: boolean): BrowserFolders {
  makeFolder(home, 0o711)
  chmodSync(home, 0o711)
  const folders = {
    doors: doors ?? join(home, 'doors'),
    binaries: join(home, 'chromium'),
    profiles: join(home, 'profiles'),
  }
  makeFolder(folders.doors, 0o700)
  for (const [path, mode] of [
    [folders.binaries, 0o755],
    [folders.profiles, 0o711],
  ] as const) {
    makeFolder(path, mode)
    chmodSync(path, mode)
    if (isApart) chownSync(path, browserIds.uid, browserIds.gid)
  }
  if (isApart) {
    chownSync(folders.doors, browserIds.uid, serviceIds.gid)
    // The set-group bit gives the socket the group of its folder.
    chmodSync(folders.doors, 0o2710)
  }
  return folders
}

/** A folder below /tmp that is ours: another user may have made it before us. */
export function claimInTmp(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o711 })
  } catch {
    const found = lstatSync(folder)
    if (!found.isDirectory() || found.uid !== process.geteuid?.())
      throw new CommandFailure(
        `${folder} belongs to another user. Remove it, or use a state folder with a shorter path.`,
      )
  }
}
