import { setTimeout as delay } from 'node:timers/promises'
import { type ChaosProxy, startChaosProxy } from '../harness/chaos-proxy.ts'
import { startPostgresProxy } from '../harness/postgres-proxy.ts'
import { judgeRun } from './load/judge-run.ts'
import { settle } from './load/settle.ts'
import { startStage, type Ways } from './load/stage.ts'
import { startLoad } from './load/start-load.ts'
import { seededRandom, shuffled } from './random.ts'
import type { SuiteRun } from './suite.ts'

type Size = { storms: number; mildMs: number; longMs: number; perSecond: number; promotedUses: number }
const sizes: Record<SuiteRun['size'], Size> = {
  gate: { storms: 8, mildMs: 500, longMs: 1_200, perSecond: 8, promotedUses: 6 },
  // Some outlast a lease.
  long: { storms: 120, mildMs: 3_000, longMs: 45_000, perSecond: 20, promotedUses: 300 },
}

/** The links between processes, by which process talks to which. */
type Net = Readonly<
  Record<LinkName, Pick<ChaosProxy, 'delay' | 'dribble' | 'stall' | 'reset' | 'cut' | 'calm' | 'close'>>
>
type LinkName =
  | 'clients to API'
  | 'API and workers to PostgreSQL'
  | 'workers to processor'
  | 'workers to shops'
  | 'workers to merchants'
  | 'merchants to API'

/** Purchases under way while the network between all processes fails in every way: the same guarantees as under kills. */
export async function runChaos({ size, seed, tally }: SuiteRun): Promise<void> {
  const testClock = size === 'gate'
  let net: Net | undefined
  const stage = await startStage({
    name: 'chaos',
    seed,
    perSecond: sizes[size].perSecond,
    testClock,
    promotedUses: sizes[size].promotedUses,
    over: async (direct) => {
      const put = await putBetween(direct)
      net = put.net
      return put.ways
    },
  })
  const load = startLoad(stage.order)
  try {
    if (!net) throw new Error('nothing stands between the processes')
    await load.untilPaid()
    const storms = await storm(net, sizes[size], seededRandom(seed))
    await load.untilRecovered()
    const counts = await load.stop()
    tally.figure(
      'storms',
      Object.entries(storms)
        .map(([name, times]) => `${name} ${times}`)
        .join(', '),
    )
    tally.figure('wishes', `${counts.wished}, ${counts.skipped} skipped`)
    await settle(stage, tally, testClock ? 'test clock' : stage.askForMissed)
    await judgeRun(stage, tally)
  } finally {
    load.kill()
    await stage.stop()
    await Promise.all(Object.values(net ?? {}).map((link) => link.close()))
  }
}

async function putBetween(direct: Ways): Promise<{ net: Net; ways: Ways }> {
  const between = async (url: string) => {
    const { hostname: host, port } = new URL(url)
    const proxy = await startChaosProxy({ target: { host, port: Number(port) } })
    return { proxy, url: `http://127.0.0.1:${proxy.port}` }
  }
  const [clients, processor, shops, merchants, answers, database] = await Promise.all([
    between(direct.api),
    between(direct.processor),
    between(direct.shops),
    between(direct.merchant),
    between(direct.api),
    startPostgresProxy(direct.database),
  ])
  return {
    net: {
      'clients to API': clients.proxy,
      'API and workers to PostgreSQL': database,
      'workers to processor': processor.proxy,
      'workers to shops': shops.proxy,
      'workers to merchants': merchants.proxy,
      'merchants to API': answers.proxy,
    },
    ways: {
      database: database.url,
      processor: processor.url,
      shops: shops.url,
      merchant: merchants.url,
      api: answers.url,
      bases: [clients.url],
    },
  }
}

const weathers = ['delay', 'dribble', 'stall up', 'stall down', 'reset', 'cut'] as const
type Weather = (typeof weathers)[number]

/** Every kind of weather comes over every link about equally often. One in eight lasts long. */
async function storm(
  net: Net,
  { storms, mildMs, longMs }: Size,
  random: () => number,
): Promise<Record<Weather, number>> {
  const seen: Record<string, number> = Object.fromEntries(weathers.map((weather) => [weather, 0]))
  const names = Object.keys(net) as LinkName[] // the keys of its type
  const kinds = names.flatMap((link) => weathers.map((weather) => ({ link, weather })))
  let cards: typeof kinds = []
  for (let count = 0; count < storms; count++) {
    if (cards.length === 0) cards = shuffled(kinds, random)
    const card = cards.pop()
    if (!card) break
    seen[card.weather] = (seen[card.weather] ?? 0) + 1
    const link = net[card.link]
    begin[card.weather](link, random)
    await delay(random() < 1 / 8 ? longMs : mildMs * (0.5 + random()))
    link.calm()
    await delay(mildMs * random() * 0.4)
  }
  return seen
}

const begin: Readonly<Record<Weather, (link: Net[LinkName], random: () => number) => void>> = {
  delay: (link, random) => link.delay(20 + Math.floor(random() * 300)),
  dribble: (link) => link.dribble(),
  'stall up': (link) => link.stall('up'),
  'stall down': (link) => link.stall('down'),
  reset: (link) => link.reset(),
  cut: (link) => link.cut(),
}
