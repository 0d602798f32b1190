import { setTimeout as delay } from 'node:timers/promises'
import { administer } from '../../src/cli/operator/administer.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { measurePace, patience } from '../gate/pace.ts'
import { judgePurchase } from './anywhere/judge.ts'
import { type Page, pages } from './anywhere/shop-pages.ts'
import { openShopping, type Shopping } from './anywhere/shopping.ts'
import { memberOf } from './client.ts'
import { type Attack, attacksOf } from './neighbours/attacks.ts'
import { judge, lies, type Purchase, type Stretch, unseenLies } from './neighbours/judge.ts'
import { eachOf, type SuiteRun } from './suite.ts'
import { bodyOf, type Service, startService } from './whole-product.ts'

/** The shops at which the other account buys. */
const shops = ['classic', 'app', 'messy'] as const
const endMs = 60_000

type Show = {
  readonly run: SuiteRun
  readonly service: Service
  readonly victim: Shopping
  readonly loud: { readonly key: string; readonly shopping: Shopping }
  readonly aloneMs: Map<string, number>
}

/** The pages of one account attack the browser, or are simply many. Another account buys at three shops, and notices little. */
export async function runNeighbours(run: SuiteRun): Promise<void> {
  const { tally, size, only } = run
  // The vault's role can only be made on a server of our own.
  const service = await startService({ workers: 1, testClock: false, databaseUrl: null, pages: true })
  try {
    const opened = await administer(readConfig(service.environment), (admin) => admin.openAccount('Loud'))
    const key = opened.keys.secret_test
    const victim = await openShopping(service)
    const loud = { key, shopping: await openShopping(service, key) }
    const show: Show = { run, service, victim, loud, aloneMs: new Map() }
    // The first purchase of a process is slower than all others.
    await buyAt(show, shops[0])
    for (const { shop, ms } of await buyAtAll(show)) {
      show.aloneMs.set(shop, ms)
      tally.figure(`${shop} alone, ms`, Math.round(ms))
    }
    for (const attack of attacksOf[size])
      if (only === null || attack.name.includes(only)) await suffer(show, attack)
    await service.audit(tally)
  } finally {
    await service.stop()
  }
}

async function suffer(show: Show, attack: Attack): Promise<void> {
  const { run, service } = show
  const { tally } = run
  const pid = service.pids().browser ?? 0
  const before = (await windowsAsked(service)).length
  const paces = [measurePace()]
  const purchases = await begin(show, attack)
  const seen = await buyAtAll(show)
  paces.push(measurePace())
  const failures = attack.isHonest ? await failuresOf(show, purchases) : []
  await cancelAll(show, purchases)
  const stretch: Stretch = {
    name: attack.name,
    purchases: seen,
    pace: Math.max(...paces),
    pids: [pid, service.pids().browser ?? 0],
    asked: (await windowsAsked(service)).slice(before),
    failures,
  }
  for (const { shop, ms } of seen) tally.figure(`${attack.name}: ${shop}, ms`, Math.round(ms))
  tally.figure(`${attack.name}: pace`, Math.round(stretch.pace * 10) / 10)
  const faults = judge(stretch)
  for (const fault of faults) tally.fail(fault)
  if (faults.length === 0) tally.pass(seen.length)
  const unseen = unseenLies(stretch)
  for (const lie of unseen) tally.fail(`planted: nobody noticed in ${attack.name} that ${lie}`)
  tally.pass(lies.length - unseen.length)
}

/** Answers once the first of them is under way. */
async function begin({ loud, service }: Show, { pages: bought }: Attack): Promise<string[]> {
  const ids: string[] = []
  await eachOf(bought, 4, async (page) => {
    const { id, approve } = await loud.shopping.create({ ...usual, ...page })
    ids.push(id)
    await approve()
  })
  const wait = patience(endMs)
  for (;;) {
    const purchases = await Promise.all(ids.map((id) => readAs(service, loud.key, id)))
    if (purchases.some(({ carts }) => carts.some(({ status }) => status !== 'created'))) return ids
    if (wait.isOver()) throw new Error('nobody works for the account that attacks')
    await delay(20)
  }
}

const usual: Omit<Page, 'url' | 'price' | 'currency'> = {
  channel: 'browser',
  shop: 'hostile',
  passes: [],
  isConfirmed: false,
  end: 'bought',
}

/** One purchase at each of the shops, one after the other. */
async function buyAtAll(show: Show): Promise<Purchase[]> {
  const purchases: Purchase[] = []
  for (const shop of shops) purchases.push(await buyAt(show, shop))
  return purchases
}

async function buyAt({ service, victim, aloneMs }: Show, shop: string): Promise<Purchase> {
  const page = pages.find((one) => one.shop === shop)
  if (page === undefined) throw new Error(`there is no page of ${shop}`)
  const { id, email, approve } = await victim.create(page)
  const beganMs = performance.now()
  await approve()
  const wait = patience(endMs)
  let status = ''
  while (!['succeeded', 'failed', 'cancelled'].includes(status) && !wait.isOver()) {
    await delay(50)
    status = (await service.read(id)).status
  }
  const ms = performance.now() - beganMs
  while (!(await victim.isOver(id)) && !wait.isOver()) await delay(100)
  const { broken } = await judgePurchase(service, { page, id, email, end: page.end })
  return { shop, ms, aloneMs: aloneMs.get(shop) ?? ms, status, broken }
}

type Read = {
  readonly status: string
  readonly carts: readonly { readonly status: string; readonly failure: { readonly code: string } | null }[]
}

async function readAs(service: Service, key: string, id: string): Promise<Read> {
  const path = `/v1/purchase_intents/${id}`
  return bodyOf(await service.client().rest({ method: 'GET', path, key }), 200) as Read // the contract's own shape
}

async function failuresOf({ service, loud }: Show, ids: readonly string[]): Promise<string[]> {
  const purchases = await Promise.all(ids.map((id) => readAs(service, loud.key, id)))
  return purchases.flatMap(({ carts }) => carts.flatMap(({ failure }) => failure?.code ?? []))
}

/** What has no card yet ends here; the rest ends by itself. */
async function cancelAll({ service, loud: { key } }: Show, ids: readonly string[]): Promise<void> {
  await eachOf(ids, 4, async (id) => {
    await service
      .client()
      .rest({ method: 'POST', path: `/v1/purchase_intents/${id}/cancel`, key, body: '{}' })
  })
}

async function windowsAsked({ ready }: Service): Promise<string[]> {
  const response = await fetch(`${ready.sandbox.strangers_url}/hostile/log`)
  const entries = (await response.json()) as readonly unknown[] // by its documentation
  return entries
    .map((entry) => String(memberOf(entry, 'result')))
    .filter((result) => result.includes('window-'))
}
