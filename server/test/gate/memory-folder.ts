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
    return isExecutable(path) && Math.min(bavail * bsize, freemem()) >= leastBytes
  } catch {
    return false
  }
}

/** PostgreSQL and Chromium are unpacked there. Containers often forbid to execute anything in this folder. */
function isExecutable(path: string): boolean {
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, place]) => place === path)
  return mount?.[2] === 'tmpfs' && !mount[3]?.split(',').includes('noexec')
}
