import { chmodSync, chownSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../platform/files/file-trouble.ts'
import { vaultDoors } from '../../platform/vault-client/vault-words.ts'

/** The user of the vault, and the group that may enter each of its doors. */
type DoorOwners = { readonly uid: number; readonly workerGid: number; readonly browserGid: number }

/**
 * The folders of the sockets, one for each door, with no right for anybody else. With `owners` (only root can give folders away) the group
 * of a folder may pass to its socket, which gets the same group; without, everything is of one user.
 */
export function makeDoorFolders(folder: string, owners: DoorOwners | null): void {
  makeFolder(folder, 0o711)
  for (const [door, gid] of [
    [vaultDoors.worker, owners?.workerGid],
    [vaultDoors.browser, owners?.browserGid],
  ] as const) {
    const path = join(folder, dirname(door))
    makeFolder(path, 0o700)
    if (owners !== null && gid !== undefined) chownSync(path, owners.uid, gid)
    // An earlier start may have given it to the vault's own user.
    else if (process.geteuid?.() === 0) chownSync(path, 0, 0)
    // The set-group bit gives the socket the group of its folder, whoever makes it.
    chmodSync(path, owners === null ? 0o700 : 0o2710)
  }
}
