import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { programFiles } from '../../platform/files/program-files.ts'
import { mayBecome, serviceIds } from '../../platform/postgres/account.ts'
import { serviceAccount } from './service-account.ts'
import { openStateFolder } from './state-folder.ts'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'prokura-account-'))
  await chmod(home, 0o755)
})
afterEach(() => rm(home, { recursive: true }))

async function accountFor(reads: readonly string[]) {
  const state = openStateFolder(join(home, 'state'), { create: true })
  const warnings: string[] = []
  const owns = [state.file('names.json')]
  const warn = (line: string) => void warnings.push(line)
  const runAs = await serviceAccount(state, { owns, reads, program: programFiles.main, warn })
  return { runAs, warnings }
}

describe.runIf(process.geteuid?.() === 0 && mayBecome(serviceIds))('started by root, the services', () => {
  test('get an account of their own, where they may read every file that they need', async () => {
    const open = join(home, 'open')
    await writeFile(open, '', { mode: 0o644 })
    expect(await accountFor([open])).toEqual({
      runAs: expect.objectContaining(serviceIds),
      warnings: [],
    })
  })

  test('stay with root where they may not read a file, which is named', async () => {
    const [open, closed] = [join(home, 'open'), join(home, 'closed')]
    await writeFile(open, '', { mode: 0o644 })
    await writeFile(closed, '', { mode: 0o600 })
    expect(await accountFor([open, closed])).toEqual({
      runAs: null,
      warnings: [`API and worker run as root, because user ${serviceIds.uid} may not read ${closed}`],
    })
  })
})
