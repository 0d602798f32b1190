import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** The account PostgreSQL runs under, and what `spawn` needs to get there (nothing when we are that account). */
export type Account = { uid: number; gid: number; spawn: { uid?: number; gid?: number } }

/** The id Linux reserves for "nobody". initdb insists on an account that has a name. */
const nobody = 65_534

/**
 * PostgreSQL refuses to run as root. Then it runs as the owner of an existing data folder (a state folder that changed
 * hands keeps working), or as nobody.
 */
export async function serverAccount(dataFolder: string): Promise<Account> {
  const uid = process.geteuid?.() ?? 0
  const gid = process.getegid?.() ?? 0
  const owner = await stat(dataFolder).catch(() => undefined)
  if (uid === 0) {
    const target =
      owner === undefined || owner.uid === 0
        ? { uid: nobody, gid: nobody }
        : { uid: owner.uid, gid: owner.gid }
    return { ...target, spawn: target }
  }
  if (owner !== undefined && owner.uid !== uid) {
    throw new Error(
      `The data folder ${dataFolder} belongs to user ${owner.uid}, and this process runs as user ${uid}. ` +
        `Run it as user ${owner.uid} (or root), or change the owner: chown -R ${uid} ${dataFolder}`,
    )
  }
  return { uid, gid, spawn: {} }
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
