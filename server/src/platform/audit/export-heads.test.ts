import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import { createRelay } from '../events/relay.ts'
import { createLog } from '../logs/logs.ts'
import { type HeadExport, HeadExporter } from './export-heads.ts'
import { readExportedHeads } from './exported-heads.ts'
import { headFile } from './head-file.ts'
import { verifyAudit } from './verify-audit.ts'

let spine: Spine
let folder: string

beforeAll(async () => {
  spine = await startSpine()
  folder = await mkdtemp(join(tmpdir(), 'audit-heads-'))
})
afterAll(async () => {
  await spine.close()
  await rm(folder, { recursive: true })
})

async function chain(tenant: Tenant, sequence: number): Promise<void> {
  await spine.emit(tenant, { aggregateId: tenant.accountId, sequence })
  const relay = createRelay(spine.withMetrics({ followers: [] }))
  await relay.runOnce()
  await relay.stop()
}

function exporting(file: string, more: Partial<HeadExport> = {}) {
  const lines: string[] = []
  const log = createLog({
    level: 'info',
    role: 'test',
    destination: { write: (line: string) => void lines.push(line) },
  })
  const exporter = new HeadExporter({
    pools: spine.pools,
    log,
    sink: headFile(file),
    isMyTurn: async () => true,
    now: async () => spine.clock.now(),
    ...more,
  })
  return { exporter, lines }
}

test('each head is exported once until its chain grows, into a file of its owner and the log, and either verifies the chains', async () => {
  const [one, two] = [spine.newTenant(), spine.newTenant()]
  await chain(one, 1)
  await chain(two, 1)
  const file = join(folder, 'heads.jsonl')
  const { exporter, lines } = exporting(file)
  expect(await exporter.exportOnce()).toBe(2)
  expect(await exporter.exportOnce()).toBe(0)
  await chain(one, 2)
  expect(await exporter.exportOnce()).toBe(1)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2)
  expect(lines).toHaveLength(2)
  const log = join(folder, 'worker.log')
  await writeFile(log, lines.join(''))
  for (const kept of [file, log]) {
    const exported = await readExportedHeads(kept)
    expect(await verifyAudit(spine.pools, { keys: spine.auditKeys, exported })).toMatchObject({
      ok: true,
      heads: 3,
    })
  }
})

test('a process exports nothing while it is not its turn, and everything once it is', async () => {
  let isMine = false
  const file = join(folder, 'turns.jsonl')
  const { exporter } = exporting(file, { isMyTurn: async () => isMine })
  await chain(spine.newTenant(), 1)
  expect(await exporter.exportOnce()).toBe(0)
  isMine = true
  const all = await exporter.exportOnce()
  expect(all).toBeGreaterThan(0)
  isMine = false
  expect(await exporter.exportOnce()).toBe(0)
  isMine = true
  expect(await exporter.exportOnce()).toBe(all)
})

test('a head that could not be kept is exported again', async () => {
  let isFull = true
  const { exporter } = exporting(join(folder, 'full.jsonl'), {
    sink: {
      async keep() {
        if (isFull) throw new Error('no space left')
      },
    },
  })
  await expect(exporter.exportOnce()).rejects.toThrow('no space left')
  isFull = false
  expect(await exporter.exportOnce()).toBeGreaterThan(0)
})
