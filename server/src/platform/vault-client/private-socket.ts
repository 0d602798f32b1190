import { lstatSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'

/** The socket, or the folder around it, is not as private as it has to be. The message is for people and names the path. */
export class OpenSocket extends Error {
  override readonly name = 'OpenSocket'
}

/**
 * Proves the other end before it is told anything: whoever serves a socket has made it, so the socket and its folder belong to the vault's
 * user, and nobody else may put one there. Node says no more about the process at the other end.
 */
export function assertServedByOwner(path: string): void {
  const [folder, socket] = [lstatSync(dirname(path)), lstatSync(path)]
  assertClosed(dirname(path), folder)
  if (!socket.isSocket()) throw new OpenSocket(`${path} is not a socket`)
  if (socket.uid !== folder.uid) throw new OpenSocket(`${path} belongs to another user than its folder`)
}

/** Before a process listens in a folder: it has to be its own, and closed to others, because the folder alone decides who may connect. */
export function assertOwnFolder(folder: string): void {
  const found = lstatSync(folder)
  assertClosed(folder, found)
  const uid = process.geteuid?.()
  if (uid !== undefined && found.uid !== uid)
    throw new OpenSocket(`${folder} belongs to user ${found.uid}, and this process runs as user ${uid}`)
}

function assertClosed(folder: string, found: Stats): void {
  if (!found.isDirectory()) throw new OpenSocket(`${folder} is not a folder`)
  const isOpen = process.platform !== 'win32' && (found.mode & 0o027) !== 0
  if (isOpen) throw new OpenSocket(`${folder} is open to other users (run chmod 2710 on it)`)
}
