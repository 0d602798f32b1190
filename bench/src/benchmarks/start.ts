import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Work } from '../benchmark.ts'
import { startBenchChild } from '../child.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { startWorld } from '../world/world.ts'

const script = fileURLToPath(new URL('../world/world-process.ts', import.meta.url))

const purchasePatienceMs = 60_000

/** From the command to "ready": database, sandbox, API and worker; and on to the first purchase. */
export const startBench: Benchmark = {
  name: 'start',
  about: 'starts everything: on an existing database, from nothing, and from nothing to the first purchase',
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
        { name: 'first purchase', processes: () => ({}), run: buyFirst },
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
        {
          about: 'from a fresh checkout to the first purchase, ms',
          of: 'first purchase',
          measure: 'p50_ms',
          most: 20_000,
        },
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
  return once(ms)
}

/** Without anything from an earlier start: no folder, no database, no compiled modules. */
async function buyFirst(): Promise<Work> {
  const startedAt = performance.now()
  const world = await startWorld({ workers: 1, env: { NODE_DISABLE_COMPILE_CACHE: '1' } })
  try {
    const profileId = await makeBuyer(world)
    const { id } = await world.call('POST', '/v1/purchase_intents', purchaseBody(world, profileId))
    await world.call('POST', `/v1/purchase_intents/${id}/approve`, { approve: true })
    for (;;) {
      const { status } = await world.call('GET', `/v1/purchase_intents/${id}`)
      const ms = performance.now() - startedAt
      if (status === 'succeeded') return once(ms)
      const isUnderWay = status === 'queued' || status === 'approved'
      if (!isUnderWay || ms > purchasePatienceMs)
        throw new Error(`the first purchase is ${status} after ${Math.round(ms)} ms`)
      await delay(10)
    }
  } finally {
    await world.stop()
  }
}

function once(ms: number): Work {
  return { operations: 1, seconds: ms / 1000, latencyMs: { p50: ms, p99: ms } }
}
