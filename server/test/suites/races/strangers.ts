import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../../gate/pace.ts'
import { type Arena, answersOf, approveOf, codeOf, purchaseOf } from '../arena.ts'
import { memberOf } from '../client.ts'
import { judgeStrangers } from '../load/judge-strangers.ts'
import { readStrangers, type StrangersFacts } from '../load/read-strangers.ts'
import { strangerFaults } from '../load/stranger-faults.ts'
import { eachOf } from '../suite.ts'
import { newProfile } from '../whole-product.ts'
import { until } from './orders.ts'

/** What a purchase is made of: at a simulated shop, at one that speaks UCP, of an API that is paid by the request, or at pages. */
export type Source = 'simulated' | 'ucp' | 'mpp' | 'browser'

const mixture: readonly Source[] = ['simulated', 'ucp', 'simulated', 'mpp']
/** Each at a page takes seconds of a machine. */
export const withPages: readonly Source[] = ['simulated', 'ucp', 'browser', 'mpp']

const elsewhere = {
  ucp: { place: 'https://ucp.shop.test/products/', price: 2_500 },
  mpp: { place: 'https://mpp.shop.test/v1/', price: 250 },
  browser: { place: 'https://classic.shop.test/product/', price: 4_900 },
} as const
const wished = 'race-stranger'

function itemsOf(source: Exclude<Source, 'simulated'>, name: string): object[] {
  const { place, price } = elsewhere[source]
  return [{ url: `${place}${name}`, quantity: 1, expected_amount: price, expected_currency: 'USD' }]
}

type Goods = Readonly<Record<Source, string>>

/** What every one of them sells. */
const sold: Goods = { simulated: 'none', ucp: 'kettle', mpp: 'forecast', browser: 'kettle' }
/** What none of them does, once it has been asked. */
export const refused: Goods = {
  simulated: 'out_of_stock',
  ucp: 'declined',
  mpp: 'declined',
  browser: 'sold-out',
}

type Mixed = { goods?: Goods; from?: readonly Source[]; profileId?: string; more?: object }

/** Purchases that wait for an approval, in the order of their sources. */
export async function createMixed(
  arena: Arena,
  count: number,
  { goods = sold, from = mixture, profileId, more = {} }: Mixed = {},
): Promise<string[]> {
  const profile = profileId ?? (await newProfile(arena.service))
  const ids: string[] = []
  await eachOf([...Array(count).keys()], 8, async (index) => {
    const source = from[index % from.length] ?? 'simulated'
    const asked =
      source === 'simulated'
        ? purchaseOf(profile, { ...more }, goods.simulated)
        : purchaseOf(profile, { ...more, reference_id: wished, items: itemsOf(source, goods[source]) })
    ids[index] = String((await arena.ask(asked, 201)).id)
  })
  return ids
}

/** How a shop of UCP tells of an order: before its answer, twice, or as it should be. */
const tellers = ['told-first', 'told-twice', 'kettle'] as const

/**
 * The messages of a shop about an order meet the commit of the worker that placed it, each other, and the buyer's cancel: each is applied
 * once, and the cancel is refused, because the shop was never asked whether it allows one.
 */
export async function raceOrderMessages(arena: Arena): Promise<string[]> {
  const profile = await newProfile(arena.service)
  const ids: string[] = []
  await eachOf([...Array(arena.rounds(6)).keys()], 8, async (index) => {
    const items = itemsOf('ucp', tellers[index % tellers.length] ?? 'kettle')
    const { id } = await arena.ask(purchaseOf(profile, { reference_id: wished, items }), 201)
    ids.push(String(id))
  })
  await arena.race(ids.map((id) => approveOf(id)))
  await until(async () => (await arena.query(ordersOf, ids)).length === ids.length)
  const orders = (await arena.query<{ id: string }>(ordersOf, ids)).map(({ id }) => id)
  arena.expect(orders.length === ids.length, () => `${orders.length} orders of ${ids.length} purchases`)
  const passing = passDay(arena)
  const answers = await arena.race(
    orders.flatMap((id) =>
      ['cancel', 'returns'].map((what) => ({ method: 'POST', path: `/v1/orders/${id}/${what}`, body: {} })),
    ),
  )
  arena.expect(
    answers.every((one) => one.status === 409 && codeOf(one) === 'not_supported_by_merchant'),
    () => `cancels and returns of a stranger's orders: ${JSON.stringify(answersOf(answers))}`,
  )
  await passing
  await until(async () => (await Promise.all(orders.map((id) => isSent(arena, id)))).every(Boolean))
  for (const id of orders) await expectToldOnce(arena, id)
  return ids
}

const ordersOf = `select id from orders where purchase_intent_id = any($1) and channel = 'ucp'`

async function isSent(arena: Arena, id: string): Promise<boolean> {
  return (await arena.ask({ method: 'GET', path: `/v1/orders/${id}` }, 200)).status === 'fulfilling'
}

async function expectToldOnce(arena: Arena, id: string): Promise<void> {
  const { fulfillments, channel } = await arena.ask({ method: 'GET', path: `/v1/orders/${id}` }, 200)
  const events = await arena.query<{ type: string }>(
    'select type from events where aggregate_id = $1 order by sequence',
    id,
  )
  const heard = events.map(({ type }) => type).join()
  const parcels = Array.isArray(fulfillments) ? fulfillments.map((one) => memberOf(one, 'status')).join() : ''
  arena.expect(
    heard === 'order.placed,order.shipped' && parcels === 'shipped' && channel === 'ucp',
    () => `${id} of ${channel} has the events ${heard} and the parcels ${parcels}`,
  )
}

/** Its shop sends what it has sold, and says so. */
async function passDay({ service }: Arena): Promise<void> {
  const { strangers_url: strangers, control_token: token } = service.ready.sandbox
  const passed = await fetch(`${strangers}/ucp/control/days`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ days: 1 }),
  })
  if (!passed.ok) throw new Error(`no day passes at the shop: ${await passed.text()}`)
}

/** All that was bought at strangers, by the word of the processor and of the shops; then faults in it, each of which must be found. */
export async function compareStrangers(arena: Arena): Promise<undefined> {
  const { service } = arena
  const { sandbox, database_url: url } = service.ready
  const where = {
    ...{ url, wishes: wished, strangersUrl: sandbox.strangers_url, shops: Object.keys(sandbox.shops) },
    processorUrl: sandbox.processor_log_url.replace(/\/log$/, ''),
  }
  let facts = await readStrangers(where, service.get)
  const wait = patience(20_000)
  // What is released after a purchase has ended may take a moment.
  while (brokenIn(facts).length > 0 && !wait.isOver()) {
    await delay(100)
    facts = await readStrangers(where, service.get)
  }
  const broken = brokenIn(facts)
  arena.expect(broken.length === 0, () => broken.slice(0, 20).join('\n'))
  arena.expect(facts.charges.length > 0, () => 'nothing was bought at strangers')
  for (const { fault, id, plant } of strangerFaults) {
    const planted = plant(facts)
    const isFound = planted !== null && brokenIn(planted).some((one) => one.startsWith(`${id} `))
    arena.expect(isFound, () => `planted: ${id} does not see that ${fault}`)
  }
  return undefined
}

function brokenIn(facts: StrangersFacts): string[] {
  return judgeStrangers(facts).flatMap(({ id, violations }) => violations.map((what) => `${id} ${what}`))
}
