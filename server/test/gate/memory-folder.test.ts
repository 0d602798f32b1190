import { expect, test } from 'vitest'
import { mayHoldPrograms } from './memory-folder.ts'

const disk = '/dev/vda / ext4 rw,relatime 0 0'

test.each([
  ['in memory', 'tmpfs /dev/shm tmpfs rw,nosuid,nodev,size=24684084k 0 0', true],
  [
    'where nothing may be executed',
    'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0',
    false,
  ],
  ['on a disk', '/dev/vdb /dev/shm ext4 rw 0 0', false],
  ['below another one', 'tmpfs /dev tmpfs rw 0 0', false],
  ['mounted over by another', 'tmpfs /dev/shm tmpfs rw 0 0\n/dev/vdb /dev/shm ext4 rw 0 0', false],
])('a folder %s, %s: may it hold programs: %s', (_, mount, may) => {
  expect(mayHoldPrograms(`${disk}\n${mount}\n`, '/dev/shm')).toBe(may)
})
