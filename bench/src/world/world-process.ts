import { useCompileCache } from '../../../server/src/cli/compile-cache.ts'
import { readyUntilParentEnds } from '../child.ts'

// The whole service as `prokura up` starts it. When the bench ends in any way, so does this.

useCompileCache()
const { startUp } = await import('../../../server/src/cli/up/start-up.ts')

const [state = '', workers = '1'] = process.argv.slice(2)
const up = await startUp({
  state,
  port: 0,
  loopback: true,
  workers: Number(workers),
  onProgress: () => undefined,
  onWarning: () => undefined,
})
try {
  await readyUntilParentEnds(up.ready)
} finally {
  await up.stop()
}
process.exit()
