import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from './postmaster.ts'

/** Another live process holds the lock. */
export class FolderLocked extends Error {
  override readonly name = 'FolderLocked'
}

/**
 * Runs `work` while no other process (and no other caller in this one) holds the lock file. A holder that died is recognized by its
 * process id and start time, so a reused id does not keep the folder locked.
 */
export async function withFolderLock<T>(file: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const mine = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(mine, `${process.pid} ${await startOf(process.pid)}`, { mode: 0o600, flag: 'wx' })
  try {
    const deadline = performance.now() + timeoutMs
    while (!(await tryLink(mine, file))) {
      if (await evictDeadHolder(file)) continue
      if (performance.now() > deadline)
        throw new FolderLocked(
          `Another process (its id and start: ${await holderOf(file)}) has held ${file} for too long`,
        )
      await delay(40)
    }
    try {
      return await work()
    } finally {
      await rm(file, { force: true })
    }
  } finally {
    await rm(mine, { force: true })
  }
}

async function tryLink(mine: string, file: string): Promise<boolean> {
  try {
    await link(mine, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function evictDeadHolder(file: string): Promise<boolean> {
  const seen = await holderOf(file)
  if (seen === undefined) return true
  const [pid = '', start = ''] = seen.split(' ')
  if (isAlive(Number(pid)) && (await startOf(Number(pid))) === start) return false
  const evicted = `${file}.dead.${randomBytes(6).toString('hex')}`
  try {
    await rename(file, evicted)
    // Between the look and the rename another process may have removed the dead holder's lock and taken it: then it is put back.
    if ((await readFile(evicted, 'utf8')) !== seen) await link(evicted, file).catch(() => undefined)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  } finally {
    await rm(evicted, { force: true })
  }
  return true
}

async function holderOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    // A lock that we may not read is held by another user, and still exists.
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
}

/** Ticks since boot from /proc/<pid>/stat (proc_pid_stat(5), field 22); elsewhere the process id has to be enough. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // It is dead, and its parent has not collected it: in a container process 1 often does not.
  if (state === 'Z') return 'dead'
  return fields[18] ?? '-'
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
