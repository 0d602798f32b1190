import { expect, test } from 'vitest'
import { queues } from '../src/composition.ts'
import { silentLog } from '../src/platform/logs/logs.ts'
import { createMetrics } from '../src/platform/metrics/metrics.ts'
import { openWork } from '../src/work.ts'

test('all work that there is stands among what is looked through for trouble', async () => {
  const work = openWork({
    railUrl: null,
    sandboxUrl: null,
    allowLoopback: false,
    ownPorts: [],
    sandboxMerchantUrl: null,
    log: silentLog(),
    metrics: createMetrics(),
  })
  expect(queues.map(({ kind }) => kind).sort()).toEqual(work.kinds.map(({ kind }) => kind).sort())
  await work.close()
})
