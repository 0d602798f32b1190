import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark, Contestant, Work } from '../benchmark.ts'
import { openAccount } from '../world/crowd.ts'
import { startWorld, type World } from '../world/world.ts'

const sizes = [10_000, 100_000] as const
const askedEveryMs = 100

/** The import of a catalog from a file, from its first byte to the last item. The cost of an item must not grow with the file. */
export const importBench: Benchmark = {
  name: 'import',
  about:
    'imports a catalog of ten thousand and of a hundred thousand items, from the first byte of the file to the last item, and then the same file again',
  unit: 'item',
  seconds: 1,
  async prepare() {
    const world = await startWorld({ workers: 1 })
    const { key } = await openAccount(world, 'A shop')
    await world.call('POST', '/v1/merchant', { currency: 'EUR' }, key)
    const facts: Record<string, string | number> = { 'bytes an item': itemLine(1).length }
    const contestant = (name: string, count: number, isAgain: boolean): Contestant => ({
      name,
      processes: world.processes,
      async before() {
        if (!isAgain) await world.database.query('truncate catalog_items, catalog_imports cascade')
        await world.database.query('vacuum analyze')
      },
      async run() {
        const watched = watchMemory(world)
        try {
          return await importItems(world, key, count)
        } finally {
          for (const [role, megabytes] of Object.entries(watched.stop())) {
            const fact = `${role}, most MB of memory, ${name}`
            facts[fact] = Math.max(Number(facts[fact] ?? 0), megabytes)
          }
        }
      },
    })
    return {
      postgres: world.postgres,
      contestants: sizes.flatMap((size) => [
        contestant(`${size} new items`, size, false),
        contestant(`the same ${size} again`, size, true),
      ]),
      comparisons: [
        {
          about: 'items a second: a hundred thousand beside ten thousand',
          of: '100000 new items',
          against: '10000 new items',
          measure: 'rate',
        },
      ],
      budgets: [
        {
          about: 'ms for a hundred thousand new items',
          of: '100000 new items',
          measure: 'p50_ms',
          most: 60_000,
        },
      ],
      facts,
      stop: () => world.stop(),
    }
  },
}

async function importItems(world: World, key: string, count: number): Promise<Work> {
  const startedAt = performance.now()
  const response = await fetch(`${world.ready.base_url}/v1/merchant/catalog_items/import?publish=true`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/x-ndjson',
    },
    body: ReadableStream.from(fileOf(count)),
    duplex: 'half',
  } as RequestInit) // the type does not know `duplex`, which a stream needs
  if (response.status !== 201)
    throw new Error(`the file was answered ${response.status} ${await response.text()}`)
  const { id } = (await response.json()) as { id: string } // our own contract
  for (;;) {
    const { status, progress, errors } = await world.call(
      'GET',
      `/v1/merchant/catalog_imports/${id}`,
      undefined,
      key,
    )
    if (status === 'failed' || progress.failed > 0)
      throw new Error(`the import failed: ${JSON.stringify(errors[0])}`)
    if (status === 'completed') break
    await delay(askedEveryMs)
  }
  const seconds = (performance.now() - startedAt) / 1000
  return { operations: count, seconds, latencyMs: { p50: seconds * 1000, p99: seconds * 1000 } }
}

/** The most memory that each of our processes holds meanwhile, in megabytes. */
function watchMemory({ ready }: World): { stop(): Record<string, number> } {
  const roles = Object.entries(ready.pids).filter(([role]) => /^(?:api|worker)/.test(role))
  const peaks: Record<string, number> = {}
  function look(): void {
    for (const [role, pid] of roles) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(status) ?? []
      peaks[role] = Math.max(peaks[role] ?? 0, Math.round(Number(kilobytes) / 1024))
    }
  }
  const timer = setInterval(look, askedEveryMs)
  return {
    stop() {
      clearInterval(timer)
      look()
      return peaks
    },
  }
}

function* fileOf(count: number): Generator<Uint8Array> {
  for (let first = 0; first < count; first += 100) {
    const lines = Array.from({ length: Math.min(100, count - first) }, (_, index) => itemLine(first + index))
    yield Buffer.from(lines.join(''))
  }
}

/** An item as in a real shop: two variants, a picture, a sentence. */
function itemLine(number: number): string {
  const variant = (size: string) => ({
    sku: `SKU-${number}-${size}`,
    price: 1000 + (number % 5000),
    quantity: number % 100,
    options: [{ name: 'Size', value: size }],
  })
  const item = {
    handle: `thing-${number}`,
    title: `Thing number ${number}, in two sizes`,
    description: `A thing that somebody may want, and number ${number} of those that this shop sells. It is sent within two days.`,
    url: `https://shop.example/things/${number}`,
    categories: ['Things'],
    options: [{ name: 'Size', values: ['S', 'L'] }],
    media: [{ url: `https://cdn.example/things/${number}.jpg` }],
    variants: [variant('S'), variant('L')],
  }
  return `${JSON.stringify(item)}\n`
}
