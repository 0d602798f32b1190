import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, escapeLiteral } from 'pg'
import { type Account, serverAccount } from './account.ts'
import { type Binaries, installBinaries, temporaryParents } from './binaries.ts'
import {
  type Layout,
  layOut,
  makeData,
  makeRoot,
  owner,
  type RolePassword,
  readOrMakePassword,
  readOrMakeRolePasswords,
} from './data-folder.ts'
import { withFolderLock } from './folder-lock.ts'
import { findPostmaster, removeForeignPidFile } from './postmaster.ts'
import { settingsOf } from './settings.ts'
import { join, type Share, type Supervision, supervise } from './supervision.ts'

type EmbeddedOptions = {
  stateDir: string
  /** False loses all data at a power cut: for tests and throw-away servers only. */
  durable?: boolean
  maxConnections?: number
  extraSettings?: Record<string, string>
  onLog?: (line: string) => void
}

/**
 * `adopted`: the server was already running. Both URLs stay valid when the server is restarted; `pid` follows it. `url` is the owner's;
 * `runtimeUrl` and `vaultUrl` are for roles that may only connect until they are granted more.
 */
export type EmbeddedPostgres = {
  readonly url: string
  readonly runtimeUrl: string
  readonly vaultUrl: string
  readonly pid: number
  readonly adopted: boolean
  stop(): Promise<void>
}

/** Crash recovery after a power cut replays up to 2 GB of log. */
const startPatienceMs = 120_000
const lockPatienceMs = 150_000

/**
 * Starts PostgreSQL on `<stateDir>/postgres`, creating it first where needed, or joins the server that already runs there. The server
 * stops when the last process that started or joined it calls `stop` or dies. If it crashes, it is started again with backoff while any
 * process holds it.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const isDurable = options.durable ?? true
  const root = await makeRoot(options.stateDir)
  const account = await serverAccount(joinPath(root, 'data'))
  const layout = await layOut(root, account)
  const parents = isDurable ? [layout.root, ...temporaryParents()] : temporaryParents()
  const opened = await withFolderLock(layout.lock, lockPatienceMs, async () => {
    const binaries = await installBinaries(parents, account)
    await makeData(layout, binaries, account, isDurable)
    const password = await readOrMakePassword(layout)
    const how = supervisionOf(options, layout, binaries, account)
    const attached = await attach(how)
    const url = urlOf(layout, owner, password)
    const roles = await readOrMakeRolePasswords(layout)
    const runtimeUrl = urlOf(layout, roles.runtime.role, roles.runtime.password)
    const vaultUrl = urlOf(layout, roles.vault.role, roles.vault.password)
    try {
      await makeDatabase(url, [roles.runtime, roles.vault])
    } catch (error) {
      await attached.share.release()
      throw error
    }
    return { ...attached, how, url, runtimeUrl, vaultUrl }
  })
  return keepRunning(opened, layout, isDurable)
}

function supervisionOf(
  options: EmbeddedOptions,
  layout: Layout,
  binaries: Binaries,
  account: Account,
): Supervision {
  const settings = settingsOf(binaries, {
    durable: options.durable ?? true,
    maxConnections: options.maxConnections ?? 100,
    socketFolder: layout.sockets,
    extraSettings: options.extraSettings ?? {},
  })
  return {
    binary: binaries.postgres,
    postgresArguments: ['-D', layout.dataPath, ...settings],
    data: layout.data,
    control: joinPath(layout.sockets, 'supervisor'),
    account,
    onLog: options.onLog ?? (() => undefined),
  }
}

/** With the lock held nobody else starts a server, but the last holder of one may be stopping it: this waits for that. */
async function attach(how: Supervision): Promise<{ share: Share; adopted: boolean }> {
  const deadline = performance.now() + startPatienceMs
  for (;;) {
    const running = findPostmaster(how.data)
    if (running === undefined) {
      removeForeignPidFile(how.data)
      return { share: await supervise(how, startPatienceMs), adopted: false }
    }
    const share = await join(how, startPatienceMs)
    if (share !== undefined) return { share, adopted: true }
    // It is stopping, or it is an orphan whose supervisor was killed. A second supervisor would do no harm, so the wait is short.
    if (await isGoneWithin(how.data, 1_000)) continue
    if (findPostmaster(how.data)?.isReady) {
      return { share: await supervise(how, startPatienceMs, running.pid), adopted: true }
    }
    if (performance.now() > deadline)
      throw new Error(`PostgreSQL (process ${running.pid}) neither serves ${how.data} nor stops`)
  }
}

async function isGoneWithin(data: string, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline) {
    if (findPostmaster(data) === undefined) return true
    await delay(20)
  }
  return false
}

type Opened = {
  share: Share
  adopted: boolean
  how: Supervision
  url: string
  runtimeUrl: string
  vaultUrl: string
}

/** Watches our share and takes a new one whenever the server or its supervisor was lost. */
function keepRunning(
  { share: first, adopted, how, url, runtimeUrl, vaultUrl }: Opened,
  layout: Layout,
  isDurable: boolean,
): EmbeddedPostgres {
  let share = first
  let stopping: Promise<void> | undefined
  const abort = new AbortController()
  const watching = (async () => {
    let failures = 0
    while (!abort.signal.aborted) {
      await share.lost
      if (abort.signal.aborted) return
      await delay(Math.min(5_000, 100 * 2 ** failures), undefined, {
        signal: abort.signal,
        ref: false,
      }).catch(() => undefined)
      if (abort.signal.aborted) return
      try {
        // Its folder was removed while it ran, so it cannot be started again.
        if (!existsSync(layout.data)) return
        share = (await withFolderLock(layout.lock, lockPatienceMs, () => attach(how))).share
        failures = 0
      } catch (error) {
        failures += 1
        how.onLog(error instanceof Error ? error.message : String(error))
      }
    }
  })()
  return {
    url,
    runtimeUrl,
    vaultUrl,
    adopted,
    get pid() {
      return share.pid
    },
    stop() {
      stopping ??= (async () => {
        abort.abort()
        await share.release()
        await watching
        await share.release()
        await stopOrphan(how, layout)
        if (!isDurable) await removeSocketFolder(layout)
      })()
      return stopping
    },
  }
}

/** Our share may have been lost with a killed supervisor; then releasing it stopped nothing. */
async function stopOrphan(how: Supervision, layout: Layout): Promise<void> {
  if (findPostmaster(how.data) === undefined) return
  await withFolderLock(layout.lock, startPatienceMs, async () => {
    if (findPostmaster(how.data) === undefined) return
    const { share } = await attach(how)
    await share.release()
  })
}

/**
 * A socket folder outside the state folder is not removed with it. If the server's data is kept, the folder is found again; a folder in
 * use is not empty.
 */
async function removeSocketFolder({ root, sockets }: Layout): Promise<void> {
  if (!sockets.startsWith(root)) await rmdir(sockets).catch(() => undefined)
}

function urlOf(layout: Layout, role: string, password: string): string {
  return `postgres://${role}:${password}@localhost/${owner}?host=${encodeURIComponent(layout.sockets)}`
}

/**
 * Renames the database that initdb made, which costs nothing, while creating another takes as long as starting the server. Folders of
 * versions that had fewer roles get the others.
 */
async function makeDatabase(url: string, roles: readonly RolePassword[]): Promise<void> {
  const admin = new URL(url)
  admin.pathname = '/template1'
  const client = new Client({ connectionString: admin.href })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [owner])
    if (rowCount === 0) await client.query(`alter database postgres rename to ${owner}`)
    const known = await client.query<{ rolname: string }>(
      'select rolname::text from pg_roles where rolname = any($1)',
      [roles.map(({ role }) => role)],
    )
    for (const { role, password, isNew } of roles) {
      const isKnown = known.rows.some(({ rolname }) => rolname === role)
      if (!isKnown) await client.query(`create role ${role} login password ${escapeLiteral(password)}`)
      else if (isNew) await client.query(`alter role ${role} password ${escapeLiteral(password)}`)
    }
  } finally {
    await client.end()
  }
}
