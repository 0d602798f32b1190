import { statfsSync, statSync } from 'node:fs'

const folder = '/dev/shm'
const tmpfs = 0x01_02_19_94
const writableByAll = 0o002
/** Containers often have 64 MB there, in which Chromium crashes at its first large page. */
const leastBytes = 512 * 2 ** 20

/** Whether Chromium's processes can share memory in `/dev/shm`, whichever user they run as. */
export function hasSharedMemory(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(folder)
    return type === tmpfs && bavail * bsize >= leastBytes && (statSync(folder).mode & writableByAll) !== 0
  } catch {
    return false
  }
}
