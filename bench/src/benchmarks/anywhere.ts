import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark, Contestant, Work } from '../benchmark.ts'
import { memoryOfTree } from '../cpu.ts'
import { quantile } from '../statistics.ts'
import { makeBuyer } from '../world/buyer.ts'
import { startWorld, type World } from '../world/world.ts'

type Page = { url: string; price: number; channel: string }

const pages = {
  browser: { url: 'https://classic.shop.test/product/kettle', price: 4900, channel: 'browser' },
  ucp: { url: 'https://ucp.shop.test/products/kettle', price: 2500, channel: 'ucp' },
} as const satisfies Record<string, Page>

const patienceMs = 120_000
const lookEveryMs = 25
const leastPurchases = 3

/** Purchases at strangers, one after the other, from approval to success. The time of the shop itself is in it. */
export const anywhereBench: Benchmark = {
  name: 'anywhere',
  about:
    'buys at a shop that has nothing but pages, in a browser, and at one that speaks UCP; and what the browser process costs while nobody buys',
  unit: 'purchase, or second',
  seconds: 20,
  async prepare() {
    const world = await startWorld({ workers: 1 })
    // A Chromium that nobody uses stays for a minute. In this world it is never started.
    const quiet = await startWorld({ workers: 1 })
    const profileId = await makeBuyer(world)
    const [browserPid] = world.browser().browser ?? []
    if (browserPid === undefined) throw new Error('there is no browser process, so nothing can be measured')
    await assertKnown(world)
    const buying = (name: string, page: Page): Contestant => ({
      name,
      processes: () => ({ ...world.processes(), ...world.roles(), ...world.browser() }),
      run: (seconds) => buyFor(seconds, { world, profileId, page, browserPid }),
    })
    return {
      postgres: world.postgres,
      contestants: [
        buying('in a browser', pages.browser),
        buying('over UCP', pages.ucp),
        {
          name: 'browser process, idle',
          processes: () => quiet.browser(),
          async run(seconds) {
            await delay(seconds * 1000)
            return { operations: seconds, seconds }
          },
        },
      ],
      budgets: [
        {
          about: 'in a browser, approval → success, p50 ms',
          of: 'in a browser',
          measure: 'p50_ms',
          most: 6000,
        },
        {
          about: 'CPU of the browser process and Chromium, µs a purchase',
          of: 'in a browser',
          measure: 'browser_us',
          most: 3_000_000,
        },
        {
          about: 'most memory of Chromium at once, MB, what its processes share counted once',
          of: 'in a browser',
          measure: 'peak_mb',
          most: 500,
        },
        {
          about: 'over UCP, approval → success, p50 ms, with the shop’s own time',
          of: 'over UCP',
          measure: 'p50_ms',
          most: 300,
        },
        {
          about: 'CPU of API, worker and PostgreSQL, µs a purchase over UCP',
          of: 'over UCP',
          measure: 'cpu_us',
          most: 60_000,
        },
        {
          about: 'CPU of the browser process while nobody buys, µs a second',
          of: 'browser process, idle',
          measure: 'browser_us',
          most: 10_000,
        },
      ],
      facts: { 'under way at once': 1, 'reads of the state, ms apart': lookEveryMs },
      async stop() {
        await quiet.stop()
        await world.stop()
      },
    }
  },
}

/** A worker looks at the registry's shops by itself soon after the start. */
async function assertKnown({ database }: World): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    const { rowCount } = await database.query(
      'select 1 from registry_entries where looked_at is null and due_at is not null',
    )
    if (rowCount === 0) return
    if (performance.now() > until) throw new Error('no worker looks at the shops of the registry')
    await delay(lookEveryMs)
  }
}

type Buying = { world: World; profileId: string; page: Page; browserPid: number }

async function buyFor(seconds: number, buying: Buying): Promise<Work> {
  const memory = watchMemory(buying.browserPid)
  const startedAt = performance.now()
  const took: number[] = []
  while (took.length < leastPurchases || performance.now() - startedAt < seconds * 1000)
    took.push(await buy(buying))
  const elapsed = (performance.now() - startedAt) / 1000
  took.sort((a, b) => a - b)
  const most = memory.stop()
  return {
    operations: took.length,
    seconds: elapsed,
    latencyMs: { p50: quantile(took, 0.5), p99: quantile(took, 0.99) },
    ...(buying.page.channel === 'browser' ? { peakMb: most.peak, residentMb: most.resident } : {}),
  }
}

/** Answers the milliseconds from approval to success, by the times of the purchase itself. */
async function buy({ world, profileId, page }: Buying): Promise<number> {
  const { id } = await world.call('POST', '/v1/purchase_intents', {
    profile_id: profileId,
    items: [{ url: page.url, quantity: 1, expected_amount: page.price, expected_currency: 'USD' }],
  })
  await world.call('POST', `/v1/purchase_intents/${id}/approve`, { approve: true })
  await untilOver(world, id)
  const { status, carts, approval, completed_at } = await world.call('GET', `/v1/purchase_intents/${id}`)
  if (status !== 'succeeded') throw new Error(`a purchase at ${page.url} ended ${status}`)
  if (carts.length !== 1 || carts[0].channel !== page.channel)
    throw new Error(`${page.url} was bought by ${carts[0]?.channel}, not by ${page.channel}`)
  return Date.parse(completed_at) - Date.parse(approval.approved_at)
}

async function untilOver({ database }: World, id: string): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    const { rows } = await database.query('select status from purchase_intents where id = $1', [id])
    if (!['approved', 'queued', 'in_progress'].includes(rows[0]?.status)) return
    if (performance.now() > until) throw new Error(`purchase ${id} does not end`)
    await delay(lookEveryMs)
  }
}

function watchMemory(pid: number): { stop(): { peak: number; resident: number } } {
  const most = { peak: 0, resident: 0 }
  const look = () => {
    const { peak, resident } = memoryOfTree(pid)
    // Not a number stays so.
    most.peak = Math.max(most.peak, peak)
    most.resident = Math.max(most.resident, resident)
  }
  const timer = setInterval(look, 150)
  return {
    stop() {
      clearInterval(timer)
      look()
      return most
    },
  }
}
