import { type Client, memberOf, type Sent } from './client.ts'
import { seededRandom } from './random.ts'
import type { SuiteRun } from './suite.ts'
import { bodyOf, type Service } from './whole-product.ts'

export type Racing = {
  method: string
  path: string
  body?: object
  key?: string
  headers?: Record<string, string>
}

/** Requests that meet each other: on two API processes of one database, all at once. */
export type Arena = {
  service: Service
  random: () => number
  rounds(gate: number): number
  /** Sends all of them at once, each to the other process than the one before. No answer may be a failure of ours. */
  race(requests: readonly Racing[]): Promise<Sent[]>
  /** Sends one, which must be answered with this status. */
  ask(request: Racing, status: number): Promise<Record<string, unknown>>
  /** Counts a guarantee that was tried; `what` says what broke it. */
  expect(isKept: boolean, what: () => string): void
}

const longFactor = 100

export function openArena(
  service: Service,
  bases: readonly string[],
  { tally, size, seed }: SuiteRun,
): Arena {
  const random = seededRandom(seed)
  const clients = bases.map((base) => service.client(base))
  let sent = 0

  async function send({ method, path, body, key = service.person, headers = {} }: Racing): Promise<Sent> {
    const client: Client | undefined = clients[sent++ % clients.length]
    if (!client) throw new Error('an arena without an API')
    const answer = await client.rest({
      method,
      path,
      key,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (answer.status >= 500) tally.fail(`${method} ${path} answered ${answer.status} ${answer.text}`)
    return answer
  }

  return {
    service,
    random,
    rounds: (gate) => (size === 'long' ? gate * longFactor : gate),
    race: (requests) => Promise.all(requests.map(send)),
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
