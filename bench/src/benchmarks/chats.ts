import { readFileSync } from 'node:fs'
import { Agent, get, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark, Contestant } from '../benchmark.ts'
import { quantile } from '../statistics.ts'
import { startWorld, type World } from '../world/world.ts'

const streams = 1000
const talksAhead = 20
/** After streams were opened or closed. */
const settleMs = 2_000
const none = 'no open stream'
const open = 'a thousand open streams'

/** A chat that the planner answers: one message after the other, and what open streams cost while nothing is said. */
export const chatsBench: Benchmark = {
  name: 'chats',
  about:
    'writes messages that the planner answers with one search each; and holds a thousand streams of chats open in which nothing happens, or none',
  unit: 'message, or second',
  // A whole heartbeat of each stream.
  seconds: 15,
  async prepare() {
    const world = await startWorld({
      workers: 1,
      env: {
        PROKURA_LIMIT_CHAT_STREAMS: '2000',
        PROKURA_LIMIT_DISCOVERY_TEST: '1000000',
        PROKURA_LIMIT_ADDRESS_CONNECTIONS: '4000',
      },
    })
    const profileId = await sellKettles(world)
    const talking = await openTalk(world, profileId)
    const reading = await openStreams(world, profileId)
    return {
      postgres: world.postgres,
      contestants: [talking, ...reading.contestants],
      budgets: [
        { about: 'from the post to the first part, p50 ms', of: talking.name, measure: 'p50_ms', most: 60 },
        {
          about: 'CPU of ours for a message with one search, µs',
          of: talking.name,
          measure: 'node_us',
          most: 25_000,
        },
        {
          about: 'CPU of ours for a thousand open streams, µs a second',
          of: open,
          beyond: none,
          measure: 'node_us',
          most: 20_000,
        },
        {
          about: 'memory of the API for a thousand streams, MB',
          of: open,
          measure: 'resident_mb',
          most: 150,
        },
      ],
      facts: { streams },
      async stop() {
        reading.close()
        await world.stop()
      },
    }
  },
}

async function sellKettles(world: World): Promise<string> {
  await world.call('POST', '/v1/merchant', { slug: 'kettles', domain: 'kettles.example', currency: 'EUR' })
  for (const title of ['Quiet kettle', 'Glass kettle', 'Travel kettle']) {
    const url = `https://kettles.example/${title.replace(' ', '-').toLowerCase()}`
    const item = await world.call('POST', '/v1/merchant/catalog_items', {
      title,
      url,
      variants: [{ sku: title, price: 2400 }],
    })
    await world.call('POST', `/v1/merchant/catalog_items/${item.id}/publish`)
  }
  const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'DE' }
  return (await world.call('POST', '/v1/profiles', person)).id
}

async function openTalk(world: World, profileId: string): Promise<Contestant> {
  const { id } = await world.call('POST', '/v1/chats', { profile_id: profileId })
  const latencies: number[] = []
  const talk = () => sayAndListen(world, id, 'a glass kettle please', latencies)
  return {
    name: 'a message with one search',
    processes: world.processes,
    async before() {
      for (let ahead = 0; ahead < talksAhead; ahead++) await talk()
    },
    async run(seconds) {
      latencies.length = 0
      const startedAt = performance.now()
      while (performance.now() - startedAt < seconds * 1000) await talk()
      const sorted = latencies.toSorted((a, b) => a - b)
      return {
        operations: latencies.length,
        seconds: (performance.now() - startedAt) / 1000,
        latencyMs: { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) },
      }
    },
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: streams + 10 })

/** Posts a message and reads the events of its answer to their end. */
function sayAndListen({ ready }: World, chat: string, text: string, latencies: number[]): Promise<void> {
  const startedAt = performance.now()
  let isFirst = true
  return new Promise((resolve, reject) => {
    const headers = headersOf(ready.keys.secret_test)
    const options = { method: 'POST', agent, headers: { ...headers, 'content-type': 'application/json' } }
    const asked = request(`${ready.base_url}/v1/chats/${chat}/messages`, options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a message was answered ${response.statusCode}`))
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        if (!isFirst || !piece.includes('event: part.')) return
        isFirst = false
        latencies.push(performance.now() - startedAt)
      })
      response.on('end', resolve)
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(JSON.stringify({ parts: [{ type: 'text', text }] }))
  })
}

function headersOf(key: string) {
  return { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
}

/** Streams of chats that wait for purchases. */
async function openStreams(world: World, profileId: string) {
  await world.database.query(
    `insert into chats (account_id, mode, id, profile_id, status, model, seq, created_at, updated_at)
     select account_id, mode, 'chat_bench_' || n, id, 'active', 'planner', 1, now(), now() from profiles, generate_series(1, $2::int) n
     where id = $1`,
    [profileId, streams],
  )
  await world.database.query(
    `insert into chat_runs (account_id, mode, id, chat_id, message_id, key_id, follows, status, queued_at, created_at, updated_at)
     select account_id, mode, replace(id, 'chat', 'run'), id, 'msg_bench', 'key_bench', 0, 'waiting', now(), now(), now() from chats
     where id like 'chat_bench_%'`,
  )
  const [api] = world.roles().api ?? []
  // What they took once stays with the process.
  const before = residentMb(api)
  const opened: { destroy(): void }[] = []
  const openOne = (number: number) =>
    new Promise<void>((resolve, reject) => {
      const url = `${world.ready.base_url}/v1/chats/chat_bench_${number}/stream`
      const asked = get(url, { agent, headers: headersOf(world.ready.keys.secret_test) }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`a stream was answered ${response.statusCode}`))
        response.resume()
        // They end when they are closed.
        response.on('error', () => undefined)
        opened.push(response)
        resolve()
      })
      asked.on('error', reject)
    })
  async function openAll(): Promise<void> {
    for (let from = 0; from < streams; from += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => openOne(from + index + 1)))
    await delay(settleMs)
  }
  async function closeAll(): Promise<void> {
    for (const each of opened.splice(0)) each.destroy()
    await delay(settleMs)
  }
  const rest = async (seconds: number) => {
    await delay(seconds * 1000)
    return { operations: seconds, seconds, residentMb: residentMb(api) - before }
  }
  const contestants: Contestant[] = [
    { name: none, processes: world.processes, before: closeAll, run: rest },
    { name: open, processes: world.processes, before: openAll, run: rest },
  ]
  return {
    contestants,
    close() {
      for (const each of opened) each.destroy()
      agent.destroy()
    },
  }
}

function residentMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
