import { setTimeout as delay } from 'node:timers/promises'
import { memberOf } from '../client.ts'
import { seededRandom } from '../random.ts'
import { type Ask, type Asker, openAsker } from './asker.ts'
import { get, openPressure, unfinished } from './pressure.ts'
import { cannonHost, type Neighbour, type NoiseName, type NoiseOrder, type Report } from './wire.ts'

/** The means of all noises. */
type Noise = {
  asker: Asker
  neighbour: Neighbour
  order: NoiseOrder
  random: () => number
  cannonPort: number
  /** The time is over. */
  isOver(): boolean
  /** This many clients at once, each of which sends again as soon as it is answered. */
  lanes(count: number, next: () => Ask): Promise<void>
}

const noises: Readonly<Record<NoiseName, (noise: Noise) => Promise<void>>> = {
  calculations,
  simulations,
  connections: pressWithoutKey,
  waits,
  queues,
  cannon,
}

/** Makes one of the noises that once stopped everybody, for the given time. */
export async function makeNoise(
  order: NoiseOrder,
  neighbour: Neighbour,
  cannonPort: number,
): Promise<Report> {
  const asker = openAsker(neighbour.baseUrl, '127.0.1.1')
  const endMs = performance.now() + order.ms
  const isOver = () => performance.now() >= endMs
  const noise: Noise = {
    asker,
    neighbour,
    order,
    cannonPort,
    random: seededRandom(order.seed),
    isOver,
    async lanes(count, next) {
      const lane = async () => {
        while (!isOver()) {
          const answer = await asker.ask(next())
          // Without this, a client that is refused at once would only fill the wire from this side.
          if (answer === null || answer.status >= 400) await delay(5)
        }
      }
      // Calls that are under way when the time is over are dropped, as those of a client that is switched off.
      await Promise.race([Promise.all(Array.from({ length: count }, lane)), delay(order.ms)])
    },
  }
  await noises[order.name](noise)
  const report = structuredClone(asker.report())
  await asker.close()
  return report
}

async function calculations({ neighbour, lanes, random }: Noise): Promise<void> {
  const { secret, agent } = neighbour.keys
  const items = Array.from({ length: 100 }, (_, at) => ({ quantity: 1 + at, amount: 1000 + at }))
  const calculate = (): Ask => ({
    method: 'POST',
    path: '/v1/rate_cards/calculate',
    key: secret,
    body: JSON.stringify({
      address: {
        country: 'US',
        state: 'IL',
        city: 'Springfield',
        postal_code: `P${Math.floor(random() * 999)}`,
      },
      currency: 'USD',
      items,
    }),
  })
  const list = (): Ask => ({
    method: 'GET',
    path: `/v1/purchase_intents?limit=200&offset=${Math.floor(random() * 800)}`,
    key: random() < 0.5 ? secret : agent,
  })
  const deep = (): Ask => ({
    method: 'GET',
    path: `/v1/profiles?limit=200&offset=${10_001 + Math.floor(random() * 9000)}`,
    key: secret,
  })
  await Promise.all([lanes(56, calculate), lanes(24, list), lanes(16, deep)])
}

/** The largest question there is: a thousand purchases of a hundred shops each, and a draft with two thousand domains. */
async function simulations({ neighbour, lanes }: Noise): Promise<void> {
  const domains = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => `${name}${at}.example`)
  const merchants = {
    allow: [...domains(900, 'other'), ...domains(100, 'shop')],
    block: domains(1000, 'bad'),
  }
  const body = JSON.stringify({ policy: { merchants }, past: { limit: 1000 } })
  const key = neighbour.keys.agent
  await lanes(16, () => ({ method: 'POST', path: '/v1/policies/simulate', key, body }))
}

async function pressWithoutKey({ asker, neighbour, lanes, order, random }: Noise): Promise<void> {
  const pressure = openPressure(neighbour.baseUrl, asker)
  for (let nth = 0; nth < 300; nth++) {
    pressure.open(nth, get('/docs/js/scalar.js'))
    pressure.open(nth, unfinished('/v1/profiles', 250_000))
    pressure.open(nth, '')
  }
  const large = JSON.stringify({ large: 'x'.repeat(200_000) })
  const junk = (): Ask => ({
    method: 'GET',
    path: '/v1/profiles',
    key: `pr_sk_test_${Math.floor(random() * 1e12)
      .toString(36)
      .padEnd(32, 'x')}`,
  })
  await Promise.all([
    lanes(16, junk),
    lanes(4, () => ({ method: 'POST', path: '/v1/profiles', body: large })),
    lanes(4, () => ({ method: 'POST', path: '/mcp/v1', body: large })),
    delay(order.ms),
  ])
  pressure.close()
}

async function waits(noise: Noise): Promise<void> {
  const { asker, neighbour, lanes, order, isOver } = noise
  const { secret, agent } = neighbour.keys
  const pressure = openPressure(neighbour.baseUrl, asker)
  const stream = get(`/v1/purchase_intents/${neighbour.intent}/events`, [
    `Authorization: Bearer ${agent}`,
    'Accept: text/event-stream',
  ])
  for (let nth = 0; nth < 100; nth++) pressure.open(nth, stream)
  const path = '/v1/merchant/catalog_items/import'
  const trickled = [1, 2, 3, 4, 5, 6].map((nth) =>
    pressure.open(nth, unfinished(path, 2_000_000, [`Authorization: Bearer ${secret}`], 100_000)),
  )
  const trickle = async () => {
    for (; !isOver(); await delay(50)) for (const socket of trickled) socket.write('x'.repeat(512))
  }
  let asked = 0
  const quote = (): Ask => ({
    method: 'POST',
    path: '/v1/quotes',
    key: secret,
    headers: { 'idempotency-key': `noise-${order.seed}-${order.ms}-${asked++}` },
    body: JSON.stringify({ catalog_item_id: neighbour.silentItem }),
  })
  const at = `/v1/event_destinations/${neighbour.destination}`
  const event = await firstEvent(noise, at)
  const since = JSON.stringify({ since: '2020-01-01T00:00:00Z' })
  await Promise.all([
    lanes(40, quote),
    trickle(),
    lanes(4, () => ({ method: 'POST', path: `${at}/test`, key: secret })),
    lanes(4, () => ({ method: 'POST', path: `${at}/recover`, key: secret, body: since })),
    lanes(4, () => ({ method: 'POST', path: `${at}/events/${event}/redeliver`, key: secret })),
  ])
  pressure.close()
}

async function firstEvent({ asker, neighbour }: Noise, at: string): Promise<string> {
  const listed = await asker.ask({ method: 'GET', path: `${at}/events?limit=1`, key: neighbour.keys.secret })
  const data = memberOf(listed?.body, 'data')
  return String(memberOf(Array.isArray(data) ? data[0] : null, 'event_id'))
}

/** More purchases than are begun at once, all at a shop that takes three seconds, and each with events for an endpoint that hangs. */
async function queues({ asker, neighbour, order, isOver }: Noise): Promise<void> {
  const { secret, agent } = neighbour.keys
  let made = 0
  const lane = async () => {
    while (made < order.queued) {
      const nth = made++
      await asker.ask({
        method: 'POST',
        path: '/v1/purchase_intents',
        key: nth % 2 === 0 ? secret : agent,
        headers: { 'idempotency-key': `queued-${order.seed}-${order.ms}-${nth}` },
        body: JSON.stringify({
          profile_id: neighbour.profile,
          items: [
            {
              url: `https://shop.example/slow?n=${nth}`,
              quantity: 1,
              expected_amount: 1000,
              expected_currency: 'USD',
            },
          ],
          preferences: { fulfillment: { method: 'ship', max_fee_amount: 800 } },
        }),
      })
    }
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  while (!isOver()) await delay(20)
}

/** A hundred destinations of both kinds, all at one URL that never answers 2xx, and tests of them without end. */
async function cannon({ asker, neighbour, lanes, order, cannonPort }: Noise): Promise<void> {
  const key = neighbour.keys.secret
  const paths = ['/v1/merchant/destinations', '/v1/event_destinations']
  const opened: string[] = []
  let made = 0
  const lane = async () => {
    while (made < 100) {
      const nth = made++
      const path = paths[nth % 2] ?? ''
      const answer = await asker.ask({
        method: 'POST',
        path,
        key,
        body: JSON.stringify({
          name: `Cannon ${order.seed} for ${order.ms} ms, number ${nth}`,
          event_types: nth % 2 === 0 ? ['order.requested'] : ['purchase_intent.*'],
          webhook: { endpoint_url: `https://${cannonHost}:${cannonPort}/hook` },
        }),
      })
      if (answer?.status === 201) opened.push(`${path}/${String(memberOf(answer.body, 'id'))}`)
    }
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  let nth = 0
  await lanes(8, () => ({ method: 'POST', path: `${opened[nth++ % opened.length]}/test`, key }))
}
