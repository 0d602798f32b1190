import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKeys } from '../../../test/harness/app.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { readConfig } from '../../platform/config/config.ts'
import { settleIn } from './settle-in.ts'
import { openStateFolder } from './state-folder.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'prokura-settle-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await database?.drop()
})

test('a role that does not start is told as it is, and not as a fault of the database', async () => {
  const missing = Object.assign(new Error('open /run/doors: no such file'), {
    code: 'ENOENT',
    syscall: 'write',
  })
  const settling = settleIn({
    config: readConfig({ DATABASE_URL: database.url, PROKURA_KEYS: testKeys }),
    state: openStateFolder(join(folder, 'state'), { create: true }),
    account: undefined,
    baseUrl: 'http://127.0.0.1:1',
    // biome-ignore lint/suspicious/noExplicitAny: nothing is bought, and nobody asks the sandbox
    urls: {} as any,
    hasWorker: false,
    hasBrowser: false,
    onProgress: () => undefined,
    startRoles: () => Promise.reject(missing),
  })
  await expect(settling).rejects.toBe(missing)
})
