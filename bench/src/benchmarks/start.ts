import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Work } from '../benchmark.ts'
import { startBenchChild } from '../child.ts'
import { startWorld } from '../world/world.ts'

const script = fileURLToPath(new URL('../world/world-process.ts', import.meta.url))

/** From the command to "ready": database, sandbox, API and worker. */
export const startBench: Benchmark = {
  name: 'start',
  about: 'starting everything: on an existing database, and from nothing',
  unit: 'start',
  seconds: 1,
  async prepare() {
    const world = await startWorld({ workers: 1 })
    const { postgres } = world
    await world.stop()
    const kept = await mkdtemp(join(tmpdir(), 'prokura-bench-'))
    return {
      postgres,
      contestants: [
        { name: 'existing database', processes: () => ({}), run: () => startOn(kept) },
        {
          name: 'from nothing',
          processes: () => ({}),
          async run() {
            const state = await mkdtemp(join(tmpdir(), 'prokura-bench-'))
            const work = await startOn(state)
            await rm(state, { recursive: true, force: true })
            return work
          },
        },
      ],
      budgets: [
        {
          about: 'ready on an existing database, ms',
          of: 'existing database',
          measure: 'p50_ms',
          most: 2000,
          aim: 1000,
        },
        { about: 'ready from nothing, ms', of: 'from nothing', measure: 'p50_ms', most: 20_000, aim: 10_000 },
      ],
      stop: () => rm(kept, { recursive: true, force: true }),
    }
  },
}

async function startOn(state: string): Promise<Work> {
  const startedAt = performance.now()
  const child = await startBenchChild(script, [state, '1'])
  const ms = performance.now() - startedAt
  await child.stop()
  return { operations: 1, seconds: ms / 1000, latencyMs: { p50: ms, p99: ms } }
}
