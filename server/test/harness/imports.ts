import { catalogImportWork } from '../../src/domain/selling/catalog-imports/work.ts'
import { type Faults, noFaults } from '../../src/platform/faults/faults.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { createWorker } from '../../src/platform/work/worker.ts'
import type { TestApp } from './app.ts'

/** Works through every file that was sent, in this process. A file that failed in the middle is due again at once. */
export async function runImports(app: TestApp, faults: Faults = noFaults): Promise<void> {
  const worker = createWorker({
    ...app.parts,
    log: silentLog(),
    metrics: createMetrics(),
    faults,
    kinds: [catalogImportWork],
  })
  await app.parts.pools.single({
    name: '',
    text: 'update catalog_imports set due_at = prokura_now(), lease_until = null where due_at is not null',
    values: [],
  })
  await worker.runOnce()
}
