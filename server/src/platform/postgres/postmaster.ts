import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The contents of `postmaster.pid`: https://www.postgresql.org/docs/18/storage-file-layout.html */
type Postmaster = { pid: number; isReady: boolean }

/**
 * The running server of this data folder. A file that a dead server left, or whose process id belongs to another process by now, does not
 * count.
 */
export function findPostmaster(dataFolder: string): Postmaster | undefined {
  const recorded = readPidFile(dataFolder)
  return recorded !== undefined && isAlive(recorded.pid) && servesFolder(recorded.pid, dataFolder)
    ? recorded
    : undefined
}

/**
 * After a crash the process id in the file may belong to another process of ours (in containers it often does), and PostgreSQL would
 * refuse to start because of it. Call it with the lock held and no server found.
 */
export function removeForeignPidFile(dataFolder: string): void {
  const recorded = readPidFile(dataFolder)
  if (recorded !== undefined && isAlive(recorded.pid))
    rmSync(join(dataFolder, 'postmaster.pid'), { force: true })
}

function readPidFile(dataFolder: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number.parseInt(lines[0] ?? '', 10)
    return pid > 0 ? { pid, isReady: lines[7]?.trim() === 'ready' } : undefined
  } catch {
    return undefined
  }
}

export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** A postmaster works inside its data folder, which tells it from another process that got the id of a dead one. */
export function servesFolder(pid: number, dataFolder: string): boolean {
  try {
    if (!existsSync('/proc/self/cwd')) {
      return execFileSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' })
        .trim()
        .endsWith('postgres')
    }
    const inside = statSync(`/proc/${pid}/cwd`)
    const ours = statSync(dataFolder)
    return inside.dev === ours.dev && inside.ino === ours.ino
  } catch {
    return false
  }
}
