import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { programFiles } from '../../platform/files/program-files.ts'
import { mayBecome, serviceIds, unreachableFolder, vaultIds } from '../../platform/postgres/account.ts'
import { compileCacheSettings } from '../compile-cache.ts'
import type { StateFolder } from './state-folder.ts'

/** Files that the serving account gets, and others that it only reads. */
type Needs = { owns: readonly string[]; reads: readonly string[]; program: string }

/** What a process under another user needs: its ids, and an environment that fits them. */
export type RunAs = { uid: number; gid: number; env: NodeJS.ProcessEnv }

/**
 * The account under which root starts API and workers: an id of their own, which owns nothing but the files named here. Null: the same as
 * ours, because we are not root, or because this place does not let them run as another user, which is reported.
 */
export async function serviceAccount(
  state: StateFolder,
  { owns, reads, program, warn }: Needs & { warn: (line: string) => void },
): Promise<RunAs | null> {
  if (process.geteuid?.() !== 0) return null
  const obstacle = await obstacleFor(state, { owns, reads, program })
  if (obstacle === null) return runAs(serviceIds)
  warn(`API and worker run as root, because ${obstacle}`)
  return null
}

/**
 * The account of the vault, where API and workers have one of their own: then this system allows it, and nothing is tried again. Nobody
 * but the vault may read its master keys, or enter the folders of its doors beside those whom they are for.
 */
export function vaultAccount(owns: readonly string[]): RunAs {
  for (const file of owns) giveTo(file, vaultIds)
  return runAs(vaultIds)
}

function runAs(ids: { uid: number; gid: number }): RunAs {
  return { ...ids, env: compileCacheSettings(makeCacheFolder(ids)) }
}

async function obstacleFor(state: StateFolder, { owns, reads, program }: Needs): Promise<string | null> {
  if (!mayBecome(serviceIds)) return `this system starts no process as user ${serviceIds.uid}`
  const closed = await unreachableFolder(dirname(state.path), { ...serviceIds, spawn: serviceIds })
  if (closed !== undefined) return `user ${serviceIds.uid} may not enter ${closed}`
  try {
    // Each private file in it is protected by its own mode.
    chmodSync(state.path, statSync(state.path).mode | 0o011)
    for (const file of owns) giveTo(file, serviceIds)
    makeCacheFolder(serviceIds)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const unreadable = firstUnreadable([program, ...owns, ...reads])
  return unreadable === undefined ? null : `user ${serviceIds.uid} may not read ${unreadable}`
}

function giveTo(file: string, { uid, gid }: { uid: number; gid: number }): void {
  closeSync(openSync(file, 'a', 0o600))
  chownSync(file, uid, gid)
}

/** Code that these processes compile: no other user may leave code there. */
function makeCacheFolder({ uid, gid }: { uid: number; gid: number }): string {
  const folder = `${programFiles.compileCache}-${uid}`
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chownSync(folder, uid, gid)
  return folder
}

/** Asked of the system, by a process under that account: the modes of the files alone do not decide it everywhere. */
function firstUnreadable(files: readonly string[]): string | undefined {
  const look = `const { openSync, closeSync } = require('node:fs')
    process.exitCode = ${JSON.stringify(files)}.findIndex((file) => {
      try { closeSync(openSync(file, 'r')) } catch { return true }
    }) + 1`
  const { status } = spawnSync(process.execPath, ['-e', look], { ...serviceIds, cwd: '/', env: {} })
  return status === 0 ? undefined : files[(status ?? 1) - 1]
}
