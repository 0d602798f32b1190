import { patientMs } from '../../gate/pace.ts'
import { seededRandom } from '../random.ts'
import { eachOf } from '../suite.ts'
import type { Reception } from './journal.ts'
import { type Case, judge, type Owed, type ToldDelivery } from './judge.ts'
import { checkJudge } from './self-check.ts'
import type { Show } from './show.ts'
import { type Endpoint, isOf } from './stage.ts'
import type { CommittedEvent } from './teller.ts'

const latencyFactorMax = 2
const memoryGrowthMaxMb = 160

/** The events of each stretch of time whose latencies are compared. */
type Phases = Readonly<Record<'healthy' | 'mixed' | 'flooded', ReadonlySet<string>>>

/** Compares the product's word with what the endpoints saw. Latencies below the floor are not compared. */
export async function conclude(show: Show, phases: Phases, latencyFloorMs: number): Promise<void> {
  const { tally, stage, service } = show
  const facts = await gather(show)
  const { kept, broken } = judge(facts)
  tally.pass(kept)
  for (const line of broken) tally.fail(line)
  const { first, count } = show.seeds
  for (let seed = first; broken.length === 0 && seed < first + count; seed++)
    checkJudge(facts, tally, seededRandom(seed))
  judgeSecrets(show, facts)
  judgeLatency(show, facts.journal, phases, latencyFloorMs)
  judgeMemory(show)
  const ofBuyers = stage.endpoints.filter(({ audience }) => audience === 'buyer').length
  tally.figure(
    'endpoints',
    `${stage.endpoints.length}, ${stage.of('healthy').length} healthy, ${ofBuyers} of buyers`,
  )
  tally.figure('events', show.told.length)
  const owedToBuyers = facts.owed.filter(({ audience }) => audience === 'buyer').length
  tally.figure('deliveries owed', `${facts.owed.length}, ${owedToBuyers} to buyers`)
  tally.figure('attempts received', facts.journal.length)
  tally.figure('told as', countsOf(facts.deliveries))
  tally.figure('canary hits', facts.canaryHits)
  await service.audit(tally)
}

async function gather(show: Show): Promise<Case> {
  const { stage, teller, tally, told } = show
  const cast = stage.endpoints.filter(
    ({ merchant }) => stage.merchants.includes(merchant) || stage.buyers.includes(merchant),
  )
  const names = new Set(cast.map(({ name }) => name))
  const deliveries: ToldDelivery[] = []
  await eachOf(cast, 8, async (endpoint) => void deliveries.push(...(await stage.deliveries(endpoint))))
  const destinations = await stage.destinations()
  const committed = await teller.committed(stage.merchants.map(({ id }) => id))
  const known = new Map(told.map((one) => [one.event, one]))
  const present = new Set(committed.map(({ id }) => id))
  for (const { event } of told)
    if (!present.has(event)) tally.fail(`lost ${event}: its commit was acknowledged`)
  const owed = committed.flatMap((event) =>
    cast.flatMap((endpoint): Owed[] => {
      const committedAt = known.get(event.id)?.committedAt ?? Date.now()
      if (!isOwed(endpoint, event, committedAt)) return []
      const { order, sequence } = event
      return [
        {
          endpoint: `${endpoint.name} ${endpoint.kind}`,
          audience: endpoint.audience,
          destination: endpoint.destination,
          event: event.id,
          order,
          sequence,
          committedAt,
        },
      ]
    }),
  )
  return {
    owed,
    journal: stage.journal().filter(({ endpoint }) => names.has(endpoint)),
    deliveries,
    destinations,
    failingFrom: show.failingFrom,
    canaryHits: await stage.canaryHits(),
  }
}

/** It subscribed to the type, was enabled at the time, and belongs to one of the two parties of the event. */
function isOwed(
  { audience, merchant, spans }: Endpoint,
  event: CommittedEvent,
  committedAt: number,
): boolean {
  if (merchant.id !== (audience === 'merchant' ? event.account : event.buyer)) return false
  return spans.some(
    ({ types, from, until }) => from <= committedAt && committedAt < until && isOf(types, event.type),
  )
}

/** While two secrets are live both sign; a day later only the new one does. */
function judgeSecrets({ stage, tally, failingFrom }: Show, { journal, owed }: Case): void {
  const committedAt = new Map(owed.map((one) => [one.event, one.committedAt]))
  const rotated = new Map(stage.endpoints.filter(isRotated).map((one) => [one.name, one]))
  const counts = { merchant: { both: 0, one: 0 }, buyer: { both: 0, one: 0 } }
  for (const { endpoint, event, verified } of journal) {
    const { rotatedAt, audience = 'merchant' } = rotated.get(endpoint) ?? {}
    const at = committedAt.get(event) ?? 0
    if (rotatedAt === undefined || at <= rotatedAt) continue
    const [expected, name] = at < failingFrom ? (['0,1', 'both'] as const) : (['1', 'one'] as const)
    counts[audience][name] += 1
    if (verified.join() === expected) tally.pass()
    else tally.fail(`secrets of ${endpoint} at ${event}: verified by ${verified.join()}, not by ${expected}`)
  }
  const isTried = Object.values(counts).every(({ both, one }) => both > 0 && one > 0)
  if (!isTried) tally.fail(`secrets were not tried: ${JSON.stringify(counts)}`)
  tally.figure('signed with two secrets', `${counts.merchant.both}, ${counts.buyer.both} to buyers`)
}

function isRotated(endpoint: Endpoint): boolean {
  return endpoint.rotatedAt !== undefined
}

function judgeLatency(
  { stage, tally, told: events }: Show,
  journal: readonly Reception[],
  phases: Phases,
  latencyFloorMs: number,
): void {
  const committedAt = new Map(events.map((one) => [one.event, one.committedAt]))
  const healthy = new Set(stage.of('healthy').map(({ name }) => name))
  const firsts = new Map<string, Reception>()
  for (const one of journal) {
    const pair = `${one.endpoint} ${one.event}`
    if (healthy.has(one.endpoint) && !firsts.has(pair)) firsts.set(pair, one)
  }
  const latenciesOf = (events: ReadonlySet<string>) =>
    [...firsts.values()]
      .filter(({ event }) => events.has(event))
      .map(({ at, event }) => Math.max(0, at - (committedAt.get(event) ?? at)))
      .sort((a, b) => a - b)
  const alone = latenciesOf(phases.healthy)
  const limit = Math.max(patientMs(latencyFloorMs), latencyFactorMax * percentile(alone, 0.99))
  tally.figure('p50/p99 all healthy', told(alone))
  for (const phase of ['mixed', 'flooded'] as const) {
    const latencies = latenciesOf(phases[phase])
    if (latencies.length === 0) continue
    tally.figure(`p50/p99 ${phase}`, told(latencies))
    if (percentile(latencies, 0.99) <= limit) tally.pass()
    else tally.fail(`latency of healthy endpoints, ${phase}: ${told(latencies)}; all healthy: ${told(alone)}`)
  }
  if (alone.length === 0 || phases.mixed.size === 0) tally.fail('latency was not measured')
}

function told(latencies: readonly number[]): string {
  return `${percentile(latencies, 0.5)}/${percentile(latencies, 0.99)} ms of ${latencies.length}`
}

function judgeMemory({ memory, tally }: Show): void {
  const peaks = memory.peaks()
  const base = peaks.healthy ?? 0
  const worst = Math.max(...Object.values(peaks))
  if (base > 0 && worst - base <= memoryGrowthMaxMb) tally.pass()
  else tally.fail(`memory of a worker grew from ${base} to ${worst} MB: ${JSON.stringify(peaks)}`)
  const told = Object.entries(peaks).map(([stretch, peak]) => `${stretch} ${peak}`)
  tally.figure('most memory of a worker, MB', told.join(', '))
}

function percentile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

function countsOf(deliveries: readonly ToldDelivery[]): string {
  const counts = Object.entries(Object.groupBy(deliveries, ({ status }) => status))
  return counts.map(([status, some]) => `${some.length} ${status}`).join(', ')
}
