import { Client as DatabaseClient } from 'pg'
import { type Client, memberOf, type Sent } from './client.ts'
import { seededRandom } from './random.ts'
import { eachOf, type SuiteRun } from './suite.ts'
import { bodyOf, newProfile, type Service } from './whole-product.ts'

export type Racing = {
  method: string
  path: string
  body?: object
  key?: string
  headers?: Record<string, string>
  /** A file, instead of a body. */
  content?: string
}

/** Requests that collide: all at once, on two API processes of one database. */
export type Arena = {
  service: Service
  /** Of the API processes. */
  bases: readonly string[]
  random: () => number
  rounds(written: number): number
  /** Sends all of them at once, in turn to each process. No answer may be a failure of ours. */
  race(requests: readonly Racing[]): Promise<Sent[]>
  /** Sends one, which must be answered with this status. */
  ask(request: Racing, status: number): Promise<Record<string, unknown>>
  /** Counts a guarantee that was tried. `what` says how it was broken. */
  expect(isKept: boolean, what: () => string): void
  /** How many times requests were made to collide. */
  readonly raced: number
  /** Looks into the database that both processes work on. */
  query<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** Of the rounds that a race is written with, the gate makes half. */
const factors = { gate: 0.5, long: 10 }

export async function openArena(
  service: Service,
  { bases, databaseUrl }: { bases: readonly string[]; databaseUrl: string },
  { tally, size, seed }: SuiteRun,
): Promise<Arena> {
  const random = seededRandom(seed)
  const database = new DatabaseClient({ connectionString: databaseUrl })
  await database.connect()
  let raced = 0
  const clients = bases.map((base) => service.client(base))
  let sent = 0

  async function send(racing: Racing): Promise<Sent> {
    const { method, path, body, content, key = service.person, headers = {} } = racing
    const text = content ?? (body === undefined ? undefined : JSON.stringify(body))
    const client: Client | undefined = clients[sent++ % clients.length]
    if (!client) throw new Error('an arena without an API')
    const answer = await client.rest({
      method,
      path,
      key,
      headers,
      ...(text === undefined ? {} : { body: text }),
    })
    if (answer.status >= 500) tally.fail(`${method} ${path} answered ${answer.status} ${answer.text}`)
    return answer
  }

  return {
    service,
    bases,
    random,
    rounds: (written) => Math.ceil(written * factors[size]),
    race(requests) {
      raced++
      return Promise.all(requests.map(send))
    },
    get raced() {
      return raced
    },
    async query<Row extends object>(text: string, ...values: unknown[]) {
      const { rows } = await database.query<Row>(text, values)
      return rows
    },
    close: () => database.end(),
    ask: async (request, status) => bodyOf(await send(request), status),
    expect(isKept, what) {
      if (isKept) tally.pass()
      else tally.fail(what())
    },
  }
}

export function codeOf(sent: Sent): unknown {
  return memberOf(memberOf(sent.body, 'detail'), 'code')
}

/** How often each status and code was answered, such as `200` and `409 not_approvable`. */
export function answersOf(sent: readonly Sent[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const one of sent) {
    const name = one.status < 300 ? `${one.status}` : `${one.status} ${codeOf(one)}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

export function approveOf(id: string, more: Partial<Racing> = {}): Racing {
  return { method: 'POST', path: `/v1/purchase_intents/${id}/approve`, body: { approve: true }, ...more }
}

export function cancelOf(id: string): Racing {
  return { method: 'POST', path: `/v1/purchase_intents/${id}/cancel`, body: {} }
}

export function retryOf(id: string): Racing {
  return { method: 'POST', path: `/v1/purchase_intents/${id}/retry`, body: {} }
}

export function readOf(id: string): Racing {
  return { method: 'GET', path: `/v1/purchase_intents/${id}` }
}

/** Asks for one thing of 10.00 at a simulated shop. */
export function purchaseOf(profileId: string, more: Record<string, unknown> = {}, scenario = 'none'): Racing {
  const items = [
    {
      url: `https://shop.example/thing?scenario=${scenario}`,
      quantity: 1,
      expected_amount: 1000,
      expected_currency: 'USD',
    },
  ]
  return { method: 'POST', path: '/v1/purchase_intents', body: { profile_id: profileId, items, ...more } }
}

/** Purchases that wait for an approval, of one profile: a new one unless it is named. */
export async function createMany(
  arena: Arena,
  count: number,
  profileId?: string,
  more: Record<string, unknown> = {},
  scenario = 'none',
): Promise<string[]> {
  const profile = profileId ?? (await newProfile(arena.service))
  const ids: string[] = []
  await eachOf(Array.from({ length: count }), 8, async () => {
    const { id } = await arena.ask(purchaseOf(profile, more, scenario), 201)
    ids.push(String(id))
  })
  return ids
}

export function policyOf(profileId: string, interval: object | null) {
  return {
    name: 'A limit',
    currency: 'USD',
    scope: { profile_ids: [profileId] },
    limits: interval === null ? { per_transaction_max: 1_000_000 } : { intervals: [interval] },
    approval: { mode: 'always' },
  }
}
