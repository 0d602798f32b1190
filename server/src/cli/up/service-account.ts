import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { mayBecome, serviceIds, unreachableFolder } from '../../platform/postgres/account.ts'
import { compileCacheFolder } from '../compile-cache.ts'
import type { StateFolder } from './state-folder.ts'

/** Files that become those of whoever serves, and others that it reads. */
type Needs = { owns: readonly string[]; reads: readonly string[]; program: string }

/** What starts a process under another user: its ids, and an environment that fits them. */
export type RunAs = { uid: number; gid: number; env: Record<string, string> }

const cacheFolder = `${compileCacheFolder}-${serviceIds.uid}`

/**
 * Whom root starts API and workers as: an id of their own, which owns nothing but the files named here. Null: as us, because we are not
 * root, or because this place does not let them run as anybody else, which is told.
 */
export async function serviceAccount(
  state: StateFolder,
  { owns, reads, program, warn }: Needs & { warn: (line: string) => void },
): Promise<RunAs | null> {
  if (process.geteuid?.() !== 0) return null
  const obstacle = await obstacleFor(state, { owns, reads, program })
  if (obstacle === null) return { ...serviceIds, env: { NODE_COMPILE_CACHE: cacheFolder } }
  warn(`API and worker run as root, because ${obstacle}`)
  return null
}

async function obstacleFor(state: StateFolder, { owns, reads, program }: Needs): Promise<string | null> {
  if (!mayBecome(serviceIds)) return `this system starts no process as user ${serviceIds.uid}`
  const closed = await unreachableFolder(dirname(state.path), { ...serviceIds, spawn: serviceIds })
  if (closed !== undefined) return `user ${serviceIds.uid} may not enter ${closed}`
  try {
    // Each file in it that is private is so by itself.
    chmodSync(state.path, statSync(state.path).mode | 0o011)
    for (const file of owns) giveTo(file)
    makeCacheFolder()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const unreadable = [program, ...owns, ...reads].find((file) => !mayRead(file))
  return unreadable === undefined ? null : `user ${serviceIds.uid} may not read ${unreadable}`
}

function giveTo(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  chownSync(file, serviceIds.uid, serviceIds.gid)
}

/** Code that they compiled themselves: nobody else may leave any there. */
function makeCacheFolder(): void {
  mkdirSync(cacheFolder, { recursive: true, mode: 0o700 })
  chownSync(cacheFolder, serviceIds.uid, serviceIds.gid)
}

function mayRead(file: string): boolean {
  const look = `require('node:fs').closeSync(require('node:fs').openSync(${JSON.stringify(file)}, 'r'))`
  return spawnSync(process.execPath, ['-e', look], { ...serviceIds, cwd: '/', env: {} }).status === 0
}
