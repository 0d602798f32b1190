import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Benchmark, Work } from '../benchmark.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { quantile } from '../statistics.ts'
import { startWorld, type World } from '../world/world.ts'

const secret = 'whsec_of_a_bench'
const path = '/inbound/stripe/authorizations'
const perSecond = 100
const atOnce = 2_000
/** Stripe sends from about a dozen; no address may have more than a thousand requests under way. */
const addresses = 12
/** More than are ever under way at that pace. */
const connections = 64

/** A merchant waits at its till for two seconds: for an answer that is a row before it is given. */
export const cardAuthorizationsBench: Benchmark = {
  name: 'card-authorizations',
  about:
    'is asked by Stripe whether merchants may charge issued cards: a hundred times a second, and two thousand times at once',
  unit: 'answer',
  seconds: 60,
  async prepare() {
    const world = await startWorld({
      workers: 0,
      env: {
        ...process.env,
        PROKURA_STRIPE_AUTHORIZATIONS_SECRET: secret,
        // As behind a proxy: what comes is counted by the addresses that it names.
        PROKURA_TRUSTED_PROXIES: '127.0.0.1',
      },
    })
    const { processes } = world
    const till = openTill(world)
    const facts: Record<string, string | number> = {}
    return {
      postgres: world.postgres,
      contestants: [
        {
          name: `${perSecond} a second`,
          processes,
          before: (seconds) => till.issue(seconds * perSecond),
          run: (seconds) => till.askSteadily(seconds),
        },
        {
          name: `${atOnce} at once`,
          processes,
          before: () => till.issue(atOnce),
          async run() {
            const { work, told } = await till.askAtOnce()
            Object.assign(facts, told)
            return work
          },
        },
      ],
      budgets: [
        {
          about: `to an answer at ${perSecond} a second, p99 ms`,
          of: `${perSecond} a second`,
          measure: 'p99_ms',
          most: 300,
        },
        {
          about: `to the last of ${atOnce} answers at once, ms`,
          of: `${atOnce} at once`,
          measure: 'p99_ms',
          most: 1_800,
        },
        {
          about: 'CPU of API and PostgreSQL, µs an answer',
          of: `${perSecond} a second`,
          measure: 'cpu_us',
          most: 6_000,
        },
      ],
      facts,
      stop: () => world.stop(),
    }
  },
}

type Said = { readonly ms: number; readonly approved: boolean; readonly reason: string | null }

/** Merchants that charge cards, each a card of its own. */
function openTill(world: World) {
  const { hostname, port } = new URL(world.ready.base_url)
  let issued: string[] = []
  let batch = 0

  let sent = 0

  function requestOf(card: string): string {
    const body = JSON.stringify({
      type: 'issuing_authorization.request',
      livemode: true,
      data: {
        object: {
          id: `iauth_${card}`,
          card: { id: card },
          pending_request: { amount: 600, currency: 'usd', merchant_currency: 'usd' },
          merchant_data: { network_id: '1', name: 'SHOP', country: 'US' },
          request_history: [],
        },
      },
    })
    const at = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      'Content-Type: application/json; charset=utf-8',
      `X-Forwarded-For: 198.51.100.${sent++ % addresses}`,
      `Stripe-Signature: t=${at},v1=${signature}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    return `${head.join('\r\n')}\r\n\r\n${body}`
  }

  async function ask(connection: HttpConnection, card: string, sinceMs: number): Promise<Said> {
    const { status, body } = await connection.send(requestOf(card))
    if (status !== 200) throw new Error(`a question about a card was answered ${status} ${body}`)
    const { approved, metadata } = JSON.parse(body)
    return { ms: performance.now() - sinceMs, approved, reason: metadata.reason ?? null }
  }

  return {
    /** Cards that may be charged with ten dollars. */
    async issue(count: number): Promise<void> {
      const prefix = `ic_bench_${++batch}_`
      await world.database.query(
        `insert into chargeable_cards (account_id, mode, reference, cart_id, attempt, profile_id, limit_amount, currency)
         select $1, 'live', $2 || n, 'cart_bench', 1, 'prof_bench', 1000, 'USD' from generate_series(1, $3) as n`,
        [world.ready.account_id, prefix, count],
      )
      await world.database.query('vacuum analyze chargeable_cards, card_authorizations')
      issued = Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`)
    },

    /** At its time, whether those before it were answered or not. */
    async askSteadily(seconds: number): Promise<Work> {
      const lines = await openLines(hostname, Number(port), connections)
      const startMs = performance.now()
      const asked: Promise<Said>[] = []
      for (const [index, card] of issued.slice(0, seconds * perSecond).entries()) {
        const dueMs = startMs + (index * 1000) / perSecond
        await wait(Math.max(0, dueMs - performance.now()))
        const line = lines.pop() ?? (await HttpConnection.open(hostname, Number(port)))
        asked.push(ask(line, card, dueMs).finally(() => lines.push(line)))
      }
      const said = await Promise.all(asked)
      for (const line of lines) line.close()
      const declined = said.find(({ approved }) => !approved)
      if (declined) throw new Error(`a charge that was allowed is declined: ${declined.reason}`)
      return workOf(said, performance.now() - startMs, 0.99)
    },

    /** The slowest one counts. */
    async askAtOnce() {
      const lines = await openLines(hostname, Number(port), issued.length)
      const startMs = performance.now()
      const said = await Promise.all(
        issued.map((card, index) => ask(lines[index] as HttpConnection, card, startMs)), // one for each
      )
      const work = workOf(said, performance.now() - startMs, 1)
      for (const line of lines) line.close()
      const { rows } = await world.database.query(
        `select count(*)::int as decided, count(*) filter (where declined_because is null)::int as approved, count(distinct reference)::int as cards
         from card_authorizations where reference = any($1)`,
        [issued],
      )
      const [{ decided, approved, cards }] = rows
      const yes = said.filter((one) => one.approved).length
      if (decided !== cards) throw new Error(`${decided} answers are written for ${cards} cards`)
      if (yes > approved) throw new Error(`${yes} were told yes, and ${approved} are written`)
      const told = {
        'at once: approved': yes,
        'at once: declined for want of time': said.length - yes,
        'at once: written as approved, and told no': approved - yes,
      }
      return { work, told }
    },
  }
}

/** In portions: a listening socket keeps only so many that wait. */
async function openLines(host: string, port: number, count: number): Promise<HttpConnection[]> {
  const lines: HttpConnection[] = []
  while (lines.length < count) {
    const portion = Math.min(100, count - lines.length)
    lines.push(...(await Promise.all(Array.from({ length: portion }, () => HttpConnection.open(host, port)))))
  }
  return lines
}

function workOf(said: readonly Said[], tookMs: number, share: number): Work {
  const took = said.map(({ ms }) => ms).sort((one, other) => one - other)
  return {
    operations: said.length,
    seconds: tookMs / 1000,
    latencyMs: { p50: quantile(took, 0.5), p99: quantile(took, share) },
  }
}
