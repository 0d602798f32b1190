import { spawnSync } from 'node:child_process'
import { lchown, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { findPostmaster } from './postmaster.ts'

/** The account that a process runs under, and the ids that `spawn` needs for it (none when we run under it already). */
export type Account = { uid: number; gid: number; spawn: { uid?: number; gid?: number } }

/**
 * The ids under which root starts our processes. They are in no list of users, so no other program runs under them by habit, as many do
 * under nobody.
 */
export const databaseIds = { uid: 47_311, gid: 47_311 }
export const serviceIds = { uid: 47_312, gid: 47_312 }
/** In the group of the services, which may enter the folder of PostgreSQL's socket. */
export const vaultIds = { uid: 47_313, gid: serviceIds.gid }
export const browserIds = { uid: 47_314, gid: 47_314 }
/** Chromium itself, which is in no group of ours. */
export const chromiumIds = { uid: 47_315, gid: 47_315 }

/** The id Linux reserves for "nobody". initdb insists on an account that has a name. */
const nobody = { uid: 65_534, gid: 65_534 }

/**
 * PostgreSQL refuses to run as root. Then it runs under an id of its own, or as nobody where this system does not allow that id. A data
 * folder that belongs to another user, because the state folder changed hands, is served as that user.
 */
export async function serverAccount(dataFolder: string): Promise<Account> {
  const uid = process.geteuid?.() ?? 0
  const gid = process.getegid?.() ?? 0
  const owner = await stat(dataFolder).catch(() => undefined)
  if (uid === 0) {
    const isForeign = owner !== undefined && owner.uid !== 0 && owner.uid !== nobody.uid
    const isServed = owner !== undefined && owner.uid !== 0 && findPostmaster(dataFolder) !== undefined
    if (isForeign || isServed) return accountOf({ uid: owner.uid, gid: owner.gid })
    return accountOf(mayBecome(databaseIds) ? databaseIds : nobody)
  }
  if (owner !== undefined && owner.uid !== uid) {
    throw new Error(
      `The data folder ${dataFolder} belongs to user ${owner.uid}, and this process runs as user ${uid}. ` +
        `Run it as user ${owner.uid} (or root), or change the owner: chown -R ${uid} ${dataFolder}`,
    )
  }
  return { uid, gid, spawn: {} }
}

/** The account for initdb; its files are handed over afterwards. */
export function namedAccount(account: Account): Account {
  return account.spawn.uid === databaseIds.uid ? accountOf(nobody) : account
}

function accountOf(ids: { uid: number; gid: number }): Account {
  return { ...ids, spawn: ids }
}

/** Whether root may start a process under these ids: inside some containers it may not. */
export function mayBecome(ids: { uid: number; gid: number }): boolean {
  return spawnSync(process.execPath, ['--version'], { ...ids, cwd: '/', env: {} }).status === 0
}

/** Gives the folder and everything in it to the account. A folder that belongs to the account already is left alone. */
export async function handOver(folder: string, { uid, gid }: Account): Promise<void> {
  if ((await stat(folder)).uid === uid) return
  const inside = await readdir(folder, { recursive: true })
  for (const name of inside) await lchown(join(folder, name), uid, gid)
  // Last, so that a run that was interrupted begins again.
  await lchown(folder, uid, gid)
}

/** The first folder on the way to `path` (or `path` itself) that the account may not enter. */
export async function unreachableFolder(path: string, account: Account): Promise<string | undefined> {
  if (account.spawn.uid === undefined) return undefined
  const folder = resolve(path)
  const parent = dirname(folder)
  const above = parent === folder ? undefined : await unreachableFolder(parent, account)
  if (above !== undefined) return above
  const info = await stat(folder)
  const shift = info.uid === account.uid ? 6 : info.gid === account.gid ? 3 : 0
  return (info.mode >> shift) & 1 ? undefined : folder
}
