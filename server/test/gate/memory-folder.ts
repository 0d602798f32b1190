import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const folder = '/dev/shm'
/** What tests and suites have there at once at most, and as much again for everything else that runs. */
const leastBytes = 8 * 2 ** 30

/**
 * Keeps temporary files in memory where Linux offers a folder for that: databases, states and profiles of tests live for seconds, and
 * creating and deleting their files costs a disk more than the tests themselves do. What a killed process wrote stays there as it does on
 * a disk. `TMPDIR`, where it is set, decides.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR === undefined && canHold(folder)) process.env.TMPDIR = folder
}

function canHold(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    const isExecutable = mayHoldPrograms(readFileSync('/proc/mounts', 'utf8'), path)
    return isExecutable && Math.min(bavail * bsize, freemem()) >= leastBytes
  } catch {
    return false
  }
}

/** It is in memory, and PostgreSQL and Chromium can be unpacked there: containers often forbid to execute anything in it. */
export function mayHoldPrograms(mounts: string, path: string): boolean {
  const lines = mounts.split('\n').map((line) => line.split(' '))
  const [, , type, options = ''] = lines.findLast(([, place]) => place === path) ?? []
  return type === 'tmpfs' && !options.split(',').includes('noexec')
}
