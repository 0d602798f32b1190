import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isThere, withFileWords } from '../../platform/files/file-trouble.ts'
import { findPostmaster } from '../../platform/postgres/postmaster.ts'
import { CommandFailure } from '../failure.ts'
import { claimFolder } from './claim-folder.ts'
import { openStateFolder, type StateFolder, stateFiles } from './state-folder.ts'

/** Everything that a service writes into its state folder, with a description. */
const contents: Readonly<Record<string, string>> = {
  postgres: 'the database',
  [stateFiles.encryptionKeys]: 'the keys that encrypt its secrets',
  [stateFiles.vaultMasterKeys]: 'the master keys of the vault',
  [stateFiles.vaultDoors]: 'the doors of the vault',
  [stateFiles.browser]: 'the door and the Chromium of the browser',
  [stateFiles.account]: "the first account's API keys",
  [stateFiles.mcp]: 'the MCP configuration for an agent',
  [stateFiles.environment]: 'the settings of its processes',
  [stateFiles.auditHeads]: 'the exported heads of the audit chains',
  [stateFiles.sandbox]: "the sandbox's merchants",
  sandbox: 'the logs of the sandbox',
  guides: 'files that the guides wrote',
  [stateFiles.ports]: 'the ports of the sandbox',
  [stateFiles.names]: "the names of the sandbox's shops",
  logs: 'logs',
}

/** Every folder in which a service was ever started has one of these. */
const marks = ['postgres', stateFiles.ports, stateFiles.environment, stateFiles.encryptionKeys]

type StateEntry = { name: string; what: string }

export type FoundState = {
  path: string
  entries: StateEntry[]
  bytes: number
  /** Removes all of it. */
  remove(): void
}

/**
 * Claims the folder of a service that does not run, and passes its contents to `work`; null: there is none. It refuses a folder that
 * holds anything else, so that a wrong path removes nobody's files.
 */
export async function withStoppedState<T>(
  given: string,
  work: (found: FoundState) => Promise<T>,
): Promise<T | null> {
  const path = resolve(given)
  if (!isThere(path)) return null
  refuseOthers(path)
  const state = openStateFolder(path, { create: false })
  const release = await claimFolder(state)
  let isRemoved = false
  try {
    refuseRunningDatabase(state)
    refuseKeysOfAnother(state)
    const entries = entriesOf(path)
    return await work({
      path,
      entries,
      bytes: entries.reduce((sum, { name }) => sum + sizeOf(state.file(name)), 0),
      remove() {
        for (const { name } of entries) rmSync(state.file(name), { recursive: true, force: true })
        isRemoved = true
      },
    })
  } finally {
    await release()
    if (isRemoved) removeEmpty(path)
  }
}

function entriesOf(path: string): StateEntry[] {
  const present = new Set(readdirSync(path))
  return Object.entries(contents).flatMap(([name, what]) => (present.has(name) ? [{ name, what }] : []))
}

function refuseOthers(path: string): void {
  if (!statSync(path).isDirectory())
    throw new CommandFailure(
      `${path} is not a folder, so it is not the state folder of a service. Nothing was removed.`,
    )
  const names = withFileWords(path, () => readdirSync(path))
  // guard only-a-state-folder-goes: a wrong path removes nothing
  if (!names.some((name) => marks.includes(name)))
    throw new CommandFailure(`${path} is not the state folder of a service. Nothing was removed.`)
  const foreign = names.filter((name) => !Object.hasOwn(contents, name) && !isPassing(name))
  // guard foreign-files-stay: files of other owners in the folder are not removed with it
  if (foreign.length === 0) return
  const some = foreign.slice(0, 5).join(', ')
  const more = foreign.length > 5 ? ` and ${foreign.length - 5} more` : ''
  throw new CommandFailure(
    `${path} also holds files that the service did not write: ${some}${more}. Move them away first. Nothing was removed.`,
  )
}

/** Locks, and files that were being written when a process was killed. */
function isPassing(name: string): boolean {
  return name.startsWith(stateFiles.lock) || /^[\w.-]+\.\d+\.tmp$/.test(name)
}

/** After `up` was killed, its PostgreSQL may need a moment to stop. */
function refuseRunningDatabase(state: StateFolder): void {
  const postmaster = findPostmaster(state.file('postgres/data'))
  if (!postmaster) return
  throw new CommandFailure(
    `PostgreSQL (process ${postmaster.pid}) still uses ${state.path}. It stops some seconds after the service. Wait, then try again.`,
  )
}

/** The encrypted data of a database elsewhere cannot be read without the keys here. Nobody could make them again. */
function refuseKeysOfAnother(state: StateFolder): void {
  const keys = [stateFiles.encryptionKeys, stateFiles.vaultMasterKeys].filter((name) =>
    isThere(state.file(name)),
  )
  if (keys.length === 0) return
  const url = state.read<Record<string, string>>(stateFiles.environment)?.DATABASE_URL
  // guard keys-of-a-living-database-stay: encrypted values in a database elsewhere can still be read
  if (!url || isOwnDatabase(state, url)) return
  const { host, pathname } = new URL(url)
  throw new CommandFailure(
    `The database of this service is not in ${state.path}. It is ${pathname.slice(1)} on ${host || 'this machine'}, and only ` +
      `${keys.join(' and ')} of this folder can decrypt it. Move ${keys.length === 1 ? 'that file' : 'these files'} to a safe place first. Nothing was removed.`,
  )
}

function isOwnDatabase(state: StateFolder, url: string): boolean {
  const file = state.file('postgres/runtime-password')
  return isThere(file) && new URL(url).password === readFileSync(file, 'utf8').trim()
}

function sizeOf(path: string): number {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** The folder itself stays where it cannot be removed: the mount of a volume, or a folder that a link points to. */
function removeEmpty(path: string): void {
  for (const name of readdirSync(path)) if (isPassing(name)) rmSync(join(path, name), { force: true })
  try {
    rmdirSync(path)
  } catch {
    return
  }
}
