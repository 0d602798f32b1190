import { readFileSync } from 'node:fs'

/**
 * Becomes the same program without core dumps: one would hold every number and key that is in memory. Node cannot lower this limit of its
 * own process, and a shell can. Returns where the limit is 0 already, or where this system does not say.
 */
export function becomeWithoutCoreDumps(): 'off' | 'unknown' {
  const limit = coreLimit()
  if (limit === null) return 'unknown'
  if (limit === '0') return 'off'
  if (typeof process.execve !== 'function') return 'unknown'
  const own = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve('/bin/sh', ['sh', '-c', 'ulimit -c 0; exec "$@"', 'sh', ...own])
  return 'unknown'
}

/** The soft limit of this process, as Linux says it. */
function coreLimit(): string | null {
  try {
    return /^Max core file size\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? null
  } catch {
    return null
  }
}
