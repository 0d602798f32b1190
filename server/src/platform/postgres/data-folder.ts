import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Account, handOver, namedAccount, serviceIds, unreachableFolder } from './account.ts'
import type { Binaries } from './binaries.ts'
import { findPostmaster } from './postmaster.ts'

/** The paths of one embedded server. `dataPath` is PostgreSQL's own name for its data folder. */
export type Layout = {
  root: string
  data: string
  dataPath: string
  password: string
  runtimePassword: string
  vaultPassword: string
  lock: string
  sockets: string
}

/** The name of the superuser, who owns the tables, and of the database. */
export const owner = 'prokura'
/** The role of API and worker. */
const runtime = 'prokura_runtime'
/** The role of the vault process. */
const vault = 'prokura_vault'

/** A unix socket's path ends at 103 bytes on macOS, and PostgreSQL adds a name of its own. */
const socketFolderLengthMax = 80

/** The account can work in a folder that it cannot walk to if it starts inside; this is the folder's name then. */
const workingFolder = '/proc/self/cwd'

/** Makes the server's folder inside the state folder. Nothing in it depends on the lock yet. */
export async function makeRoot(stateDir: string): Promise<string> {
  await mkdir(stateDir, { recursive: true })
  const root = join(await realpath(stateDir), 'postgres')
  await mkdir(root, { recursive: true })
  return root
}

export async function layOut(root: string, account: Account): Promise<Layout> {
  if (account.spawn.uid !== undefined) await chmod(root, 0o755)
  const closed = await unreachableFolder(root, account)
  if (closed !== undefined && !(await lstat(workingFolder).catch(() => undefined))) {
    throw new Error(
      `PostgreSQL refuses to run as root, so it runs as user ${account.uid}, which may not enter ${closed}. ` +
        `Open the folder (chmod o+x ${closed}), choose another state folder, or set DATABASE_URL.`,
    )
  }
  const data = join(root, 'data')
  return {
    root,
    data,
    dataPath: closed === undefined ? data : workingFolder,
    password: join(root, 'password'),
    runtimePassword: join(root, 'runtime-password'),
    vaultPassword: join(root, 'vault-password'),
    lock: join(root, 'lock'),
    sockets: await makeSocketFolder(root, account, closed === undefined),
  }
}

/** Stable for a state folder, so that pools find a restarted server under the same address. */
async function makeSocketFolder(root: string, account: Account, isReachable: boolean): Promise<string> {
  const inside = join(root, 'run')
  const name = `prokura-${account.uid}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`
  const folder =
    isReachable && Buffer.byteLength(inside) <= socketFolderLengthMax ? inside : join('/tmp', name)
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined)
  const made = await lstat(folder)
  // In /tmp another user may have made the folder before us, to read our socket's traffic.
  const isOurs = folder === inside || made.uid === account.uid || made.uid === process.geteuid?.()
  if (!made.isDirectory() || !isOurs) {
    throw new Error(
      `${folder} belongs to another user: remove it, or use a state folder with a shorter path.`,
    )
  }
  if (account.spawn.uid === undefined) await chmod(folder, 0o700)
  else {
    // The folder belongs to the server, and our processes may pass through it to the socket.
    await chown(folder, account.uid, serviceIds.gid)
    await chmod(folder, 0o710)
  }
  return folder
}

/** Returns the password of the server. Call it with the lock held. */
export async function readOrMakePassword(layout: Layout): Promise<string> {
  const known = await readFile(layout.password, 'utf8').catch(() => undefined)
  if (known !== undefined) return known.trim()
  if (await exists(layout.data)) {
    throw new Error(
      `${layout.password} is missing, and ${layout.data} cannot be opened without it. Restore it from a backup.`,
    )
  }
  return makePassword(layout.password)
}

export type RolePassword = { role: string; password: string; isNew: boolean }

/** The passwords of the roles beside the owner; one that was lost is made anew, and its role gets it. Call it with the lock held. */
export async function readOrMakeRolePasswords(
  layout: Layout,
): Promise<{ runtime: RolePassword; vault: RolePassword }> {
  return {
    runtime: { role: runtime, ...(await readOrMake(layout.runtimePassword)) },
    vault: { role: vault, ...(await readOrMake(layout.vaultPassword)) },
  }
}

async function readOrMake(path: string): Promise<{ password: string; isNew: boolean }> {
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known !== undefined) return { password: known.trim(), isNew: false }
  return { password: await makePassword(path), isNew: true }
}

async function makePassword(path: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  const draft = `${path}.new`
  await rm(draft, { force: true })
  await writeFile(draft, `${password}\n`, { mode: 0o600, flag: 'wx', flush: true })
  await rename(draft, path)
  return password
}

/** Creates the data folder unless it exists. It appears complete or not at all. Call it with the lock held. */
export async function makeData(
  layout: Layout,
  binaries: Binaries,
  account: Account,
  isDurable: boolean,
): Promise<void> {
  await removeUnfinished(layout.root)
  if (await exists(layout.data)) {
    // An older version ran it as nobody. If another process runs it at this moment, the next start hands it over.
    if (account.spawn.uid !== undefined && findPostmaster(layout.data) === undefined)
      await handOver(layout.data, account)
    return refuseOtherMajor(layout.data, binaries.major)
  }
  const password = await readOrMakePassword(layout)
  const draft = join(layout.root, `${draftPrefix}${randomBytes(6).toString('hex')}`)
  const passwordFile = join(layout.sockets, 'initdb-password')
  try {
    const initializer = namedAccount(account)
    await mkdir(draft, { mode: 0o700 })
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (account.spawn.uid !== undefined) {
      await chown(draft, initializer.uid, initializer.gid)
      await chown(passwordFile, initializer.uid, initializer.gid)
      // Nothing else is in it yet.
      await chmod(layout.sockets, 0o711)
    }
    const target = layout.dataPath === layout.data ? draft : layout.dataPath
    const surroundings = {
      ...initializer.spawn,
      cwd: draft,
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    }
    await promisify(execFile)(
      binaries.initdb,
      initArguments(target, passwordFile, isDurable),
      surroundings,
    ).catch(explain)
    if (account.spawn.uid !== undefined) await handOver(draft, account)
    await rename(draft, layout.data)
    if (isDurable) await syncFolder(layout.root)
  } finally {
    await rm(passwordFile, { force: true })
    if (account.spawn.uid !== undefined) await chmod(layout.sockets, 0o710)
    await rm(draft, { recursive: true, force: true })
  }
}

const draftPrefix = 'data-unfinished-'

function initArguments(target: string, passwordFile: string, isDurable: boolean): string[] {
  return [
    ...['-D', target, '-U', owner, '--pwfile', passwordFile, '--auth', 'scram-sha-256', '--encoding', 'UTF8'],
    // The builtin provider sorts the same on every machine, whatever its C library.
    ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-instructions'],
    ...(isDurable ? [] : ['--no-sync']),
  ]
}

function explain(error: Error & { stderr?: string }): never {
  const reason = error.stderr?.trim() || error.message
  const hint = reason.includes('could not look up effective user ID')
    ? ' PostgreSQL needs a user with an entry in /etc/passwd: add one, run as another user, or set DATABASE_URL.'
    : ''
  throw new Error(`PostgreSQL's data folder could not be created: ${reason}.${hint}`, { cause: error })
}

async function removeUnfinished(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (name.startsWith(draftPrefix)) await rm(join(root, name), { recursive: true, force: true })
  }
}

async function refuseOtherMajor(data: string, major: number): Promise<void> {
  const found = (await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (found === String(major)) return
  if (found === '')
    throw new Error(`${data} is not a PostgreSQL data folder. Move it away, or restore it from a backup.`)
  throw new Error(
    `${data} was written by PostgreSQL ${found}, and this version runs PostgreSQL ${major}, which cannot open it. ` +
      'Start the previous version once more and take a backup, move the folder away, and restore the backup with this version; ' +
      `or set DATABASE_URL to a PostgreSQL ${found} that serves this folder.`,
  )
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined
}
