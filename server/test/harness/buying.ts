import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { openLiveRail, openTestRail } from '../../src/cli/open-rail.ts'
import { openWalletKeeper, openWallets } from '../../src/cli/open-wallet-keeper.ts'
import { freePort } from '../../src/cli/up/free-port.ts'
import { invariants, railHolds, railMoves } from '../../src/composition.ts'
import { openDispatch } from '../../src/dispatch.ts'
import { railInvariants } from '../../src/domain/buying/rails/rail-holds.ts'
import { dayInvariant } from '../../src/domain/buying/rails/reconcile-day.ts'
import type { ChatModel } from '../../src/domain/chats/port.ts'
import type { Pools } from '../../src/platform/database/pool.ts'
import type { GroupOptions } from '../../src/platform/database/transaction-groups.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { createRelay } from '../../src/platform/events/relay.ts'
import { createFaults, type Faults } from '../../src/platform/faults/faults.ts'
import { createLog } from '../../src/platform/logs/logs.ts'
import { createMetrics, type Metrics } from '../../src/platform/metrics/metrics.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { createSigningKeys } from '../../src/platform/signatures/signing-keys.ts'
import { createWorker } from '../../src/platform/work/worker.ts'
import { createStripeBank } from '../../src/rails/stripe/card-bank.ts'
import { createCardKeeper } from '../../src/rails/stripe/card-keeper.ts'
import { processorPage } from '../../src/rails/stripe/card-page.ts'
import { stripePayoutAccounts } from '../../src/rails/stripe/payout-accounts.ts'
import { openWork, type WorkOptions } from '../../src/work.ts'
import { patience } from '../gate/pace.ts'
import { startTestApp, type TestAccount, type TestApp, type TestAppOptions } from './app.ts'
import { brokenInvariants } from './broken-invariants.ts'
import { elementsOfTests } from './element-sessions.ts'
import { openPages, type Pages } from './pages.ts'
import { person } from './person.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { stripeAccount, stripeAgentKey, stripeLiveKey, stripeSimulator, stripeTestKey } from './stripe.ts'

export type Buyer = { account: TestAccount; profileId: string; key: string }

export type Purchase = { id: string; status: string; carts: CartBody[]; [field: string]: unknown }
export type CartBody = { id: string; status: string; [field: string]: unknown }

/** The running product: the API, workers and relay in this process, the outside world in its own. */
export type Buying = {
  app: TestApp
  sandbox: Sandbox
  /** Null where only shops that speak with agents are bought from. */
  pages: Pages | null
  /** Of workers, relay and browser. */
  faults: Faults
  /** A profile with an address and this test card. */
  newBuyer(card?: string, account?: TestAccount, who?: object): Promise<Buyer>
  /** Creates an intent and approves it. */
  buy(buyer: Buyer, items: readonly Item[], more?: Record<string, unknown>): Promise<Purchase>
  read(buyer: Buyer, id: string): Promise<Purchase>
  /** Waits for changes of the intent until `is` is true for it. */
  until(buyer: Buyer, id: string, is: (intent: Purchase) => boolean): Promise<Purchase>
  ended(buyer: Buyer, id: string): Promise<Purchase>
  /** Waits until nothing of this account is held, unknown or due. */
  settled(): Promise<void>
  eventTypes(buyer: Buyer, id: string): Promise<string[]>
  /** The processor's log of a purchase, such as `capture 1380 approved`, and no word of our own. */
  moneyOf(id: string): Promise<string[]>
  /** A worker beside the one that runs, or after it was stopped. Its means are those of the outside world, unless others are given. */
  startWorker(means?: Partial<WorkOptions>): { stop(): Promise<void> }
  /** A worker with these means works until nothing is due. Answers the number of its steps of each kind. */
  workWith(means: Partial<WorkOptions>): Promise<Record<string, number>>
  stopWorker(): Promise<void>
  sql: TestApp['sql']
  /** The complaints of worker and relay since the last call. `audit` expects none. */
  complaints(): Record<string, unknown>[]
  metrics: Metrics
  /** Where Stripe tells of disputes of live mode; null: this test has no live mode. */
  endpoint: Awaited<ReturnType<ReturnType<typeof stripeSimulator>['openEndpoint']>> | null
  /** Moves the clock that this process counts by. The database's clock is another one. */
  passInProcess(seconds: number): void
  /** The relay has looked again: a test's clock may have moved on further than it takes until its next look. */
  relayed(): Promise<void>
  audit(): Promise<void>
  stop(): Promise<void>
}

export type Item = { url: string; quantity?: number; amount?: number; variant?: object; inputs?: object }

const networks = { sharedTokenNetworks: { test: 'profile_test_sandbox' } }

const over = ['succeeded', 'failed', 'cancelled', 'declined']

function groupsOf({ grouped }: { grouped?: GroupOptions }): { grouped?: GroupOptions } {
  return grouped ? { grouped } : {}
}

type BuyingOptions = {
  testClock?: boolean
  /** The shops of the sandbox are in the registry of test mode, and find our profile. */
  strangers?: boolean
  /** Shops that have nothing but pages are bought from as well. */
  pages?: boolean
  /** Who is asked where the rules for pages are stuck. */
  readerModel?: ChatModel
  sharesTestDomains?: boolean
  wrapPools?: (pools: Pools) => Pools
  grouped?: GroupOptions
  /** Live mode charges cards at the simulator of Stripe. */
  live?: boolean
  /** Wallets pay in live mode, at the simulator of Link; `cards`: whether Stripe issues cards beside them. */
  link?: { readonly cards: boolean }
  liveCapDaily?: ReadonlyMap<string, bigint>
  /** Browsers reach the frames, and the page on which the simulator takes cards. */
  cardsInPages?: boolean
}

export async function startBuying(options: BuyingOptions = {}): Promise<Buying> {
  const sandbox = await startRehearsed(options)
  const world = options.strangers ? { port: await freePort(), sandboxNames: sandbox.names } : {}
  const shown = options.cardsInPages ? await cardPages(sandbox) : { elements: elementsOfTests }
  const stripe = await openStripe(sandbox, options)
  const app = await startTestApp({
    ...networks,
    ...world,
    ...shown,
    ...stripe.ofApi,
    ...options,
  })
  await stripe.endpoint?.pointTo(`${app.url}/inbound/stripe/${stripeAccount}`)
  const { parts } = app
  const wallets = options.link ? openWallets(parts, linkAccount(sandbox)) : null
  if (options.live && options.pages)
    await stripeSimulator(sandbox).decideAt(`${app.url}/inbound/stripe/authorizations`, authorizationsSecret)
  const opened = openTestRail(sandbox.processorUrl)
  const faults = createFaults({ enabled: true, crashAt: null, pauseAt: null, pauseFile: null })
  const pages = options.pages ? await openPages(app.databaseUrl, sandbox, faults) : null
  if (pages) app.tickets.use(pages.vault)
  const complaints: string[] = []
  let passedMs = 0
  const log = createLog({
    level: 'warn',
    role: 'test',
    destination: { write: (line: string) => void complaints.push(line) },
  })
  const metrics = createMetrics()
  const allMeans: WorkOptions = {
    railUrl: sandbox.processorUrl,
    sandboxUrl: sandbox.shopsUrl,
    ...stripe.ofWork,
    link: wallets?.parts ?? null,
    ...(options.live ? { publicUrl: app.url } : {}),
    allowLoopback: true,
    ownPorts: [],
    sandboxMerchantUrl: null,
    signer: createSigningKeys(parts).signer,
    dispatch: openDispatch(parts, { onBug: (error) => app.bugs.push(error) }),
    ...(options.strangers ? { publicUrl: app.url, sandboxNames: sandbox.names } : {}),
    ...(pages ? { vault: pages.vault, browser: pages.browser } : {}),
    readerModel: options.readerModel ?? null,
    log,
    metrics,
    monotonicMs: () => performance.now() + passedMs,
  }
  const work = openWork(allMeans)
  const deps = { ...parts, log, metrics, faults }
  const relay = createRelay({ ...deps, followers: work.followers })
  relay.start()
  const workers = new Set<{ stop(): Promise<void> }>()

  function startWorker(means?: Partial<WorkOptions>) {
    const own = means ? openWork({ ...allMeans, ...means }) : null
    const worker = createWorker({ ...deps, kinds: (own ?? work).kinds, ...groupsOf(options) })
    const running = {
      async stop() {
        workers.delete(running)
        await worker.stop()
        await own?.close()
      },
    }
    worker.start()
    workers.add(running)
    return running
  }
  const first = startWorker()

  async function workWith(means: Partial<WorkOptions>) {
    const own = openWork({ ...allMeans, ...means })
    const worker = createWorker({ ...deps, kinds: own.kinds })
    const ran: Record<string, number> = {}
    for (const { kind } of own.kinds) ran[kind] = await worker.runOnce(kind)
    await own.close()
    return ran
  }

  async function read(buyer: Buyer, id: string): Promise<Purchase> {
    const { status, body } = await app.get(`/v1/purchase_intents/${id}`, { key: buyer.key })
    expect(status).toBe(200)
    return body
  }

  async function until(buyer: Buyer, id: string, is: (intent: Purchase) => boolean): Promise<Purchase> {
    let intent = await read(buyer, id)
    const wait = patience(25_000)
    while (!is(intent)) {
      if (wait.isOver()) throw new Error(`the intent stays as it is: ${JSON.stringify(intent)}`)
      await delay(20)
      intent = await read(buyer, id)
    }
    return intent
  }

  return {
    app,
    sandbox,
    pages,
    faults,
    read,
    until,
    sql: app.sql,
    startWorker,
    workWith,
    stopWorker: () => first.stop(),
    newBuyer: (card, account, who) => newTestBuyer(app, card, account, who),
    async buy(buyer, items, more = {}) {
      const created = await app.post('/v1/purchase_intents', intentBody(buyer, items, more), {
        key: buyer.key,
      })
      expect(created.status, JSON.stringify(created.body)).toBe(201)
      if (created.body.status !== 'awaiting_approval') return created.body
      const approved = await app.post(
        `/v1/purchase_intents/${created.body.id}/approve`,
        { approve: true },
        { key: buyer.key },
      )
      expect(approved.status, JSON.stringify(approved.body)).toBe(200)
      return approved.body
    },
    ended: (buyer, id) => until(buyer, id, ({ status }) => over.includes(status)),
    async settled() {
      const open = `select id from carts where due_at is not null and mode = '${options.live ? 'live' : 'test'}'`
      await expect.poll(async () => (await app.sql(open)).length, { interval: 20 }).toBe(0)
    },
    async eventTypes(buyer, id) {
      const { body } = await app.get(`/v1/purchase_intents/${id}/events?limit=200`, { key: buyer.key })
      return body.data.map((event: { type: string }) => event.type)
    },
    async moneyOf(id) {
      const log = await sandbox.processorLog()
      return log
        .filter(({ reference }) => reference?.includes(id))
        .map(({ operation, amount, result }) => `${operation} ${amount} ${result}`)
    },
    complaints: () => complaints.splice(0).map((line) => JSON.parse(line)),
    metrics,
    endpoint: stripe.endpoint,
    passInProcess(seconds) {
      passedMs += seconds * 1000
    },
    async relayed() {
      await relay.runOnce()
    },
    async audit() {
      expect(complaints.splice(0)).toEqual([])
      await relay.runOnce()
      expect(
        await brokenInvariants(app, [
          ...invariants,
          ...railInvariants(opened, { olderThanMs: 0, sources: railHolds }),
          ...(stripe.audited === null
            ? []
            : [
                ...railInvariants(stripe.audited, { olderThanMs: 0, sources: railHolds }),
                dayInvariant(stripe.audited, { sources: railMoves, dayOf: today }),
              ]),
        ]),
      ).toEqual([])
    },
    async stop() {
      await Promise.all([...workers].map((worker) => worker.stop()))
      await relay.stop()
      await work.close()
      await opened.close()
      await Promise.all([stripe.close(), wallets?.close()])
      await pages?.stop()
      await app.stop()
      await sandbox.stop()
    },
  }
}

const authorizationsSecret = 'whsec_live_of_tests'

/** Where live mode buys elsewhere, it is at the shops of the sandbox. */
async function startRehearsed({ live, strangers }: BuyingOptions): Promise<Sandbox> {
  const sandbox = await startSandbox()
  return live && strangers ? { ...sandbox, names: { ...sandbox.names, modes: ['test', 'live'] } } : sandbox
}

/** The day by UTC that the simulator of Stripe writes in its books. */
async function today(): Promise<Date> {
  return new Date(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`)
}

/** What API and workers have of the simulator of Stripe. */
function linkAccount({ linkUrl }: Sandbox) {
  return { url: linkUrl, loginUrl: linkUrl, clientId: 'lwlpk_test' }
}

async function openStripe(sandbox: Sandbox, { live: isLive = false, pages, link }: BuyingOptions) {
  const { stripeUrl: url } = sandbox
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [new URL(url).origin] })
  const live = {
    url,
    secretKey: new Secret(stripeLiveKey),
    cardholder: pages && link?.cards !== false ? 'ich_sandbox' : null,
  }
  const publishableKey = 'pk_live_sandbox'
  const endpoint = isLive ? await stripeSimulator(sandbox).openEndpoint(stripeLiveKey) : null
  const ofWork: Pick<WorkOptions, 'stripe' | 'liveRail' | 'tokenIssuers'> = {
    stripe: {
      test: { url, secretKey: new Secret(stripeTestKey), cardholder: null },
      ...(isLive ? { live } : {}),
    },
    ...(isLive ? { liveRail: 'stripe' } : {}),
    tokenIssuers: {
      test: { url, secretKey: new Secret(stripeAgentKey) },
      ...(isLive ? { live: { url, secretKey: new Secret(stripeLiveKey) } } : {}),
    },
  }
  const keeping = link ? openWalletKeeper({ linkAccount: linkAccount(sandbox) }) : null
  const audited = isLive ? openLiveRail({ liveRail: 'stripe', stripe: { live } }) : null
  return {
    ofWork,
    ofApi: isLive
      ? {
          cardKeeper: createCardKeeper({ egress, accounts: { live: { ...live, publishableKey } } }),
          cardBank: createStripeBank({ ...live, egress }),
          authorizationSecrets: { live: new Secret(authorizationsSecret) },
          payoutAccounts: stripePayoutAccounts({ ...live, egress }),
          ...(keeping === null ? {} : { walletKeeper: keeping.keeper }),
          stripeWebhook: endpoint && { account: stripeAccount, secret: new Secret(endpoint.secret) },
        }
      : {},
    audited,
    endpoint,
    close: () => Promise.all([egress.close(), audited?.close(), keeping?.close()]),
  }
}

async function cardPages({
  stripeUrl,
}: Sandbox): Promise<Pick<TestAppOptions, 'port' | 'elements' | 'cards'>> {
  const port = await freePort()
  return {
    port,
    elements: { ...elementsOfTests, url: `http://elements.localhost:${port}` },
    cards: { url: `http://cards.localhost:${port}`, ...processorPage(stripeUrl) },
  }
}

function payment(card: string) {
  return {
    type: 'card',
    is_default: true,
    card: {
      kind: 'existing',
      vault_token_id: card,
      cardholder_name: 'Ada Lovelace',
      agentic_credentials_enrollment_requested: true,
      agentic_terms_acknowledged: true,
    },
  }
}

/** A profile with an address and this test card. */
export async function newTestBuyer(
  app: TestApp,
  card = 'visa_auto_approved',
  account: TestAccount = app.account,
  who: object = person,
): Promise<Buyer> {
  const key = account.keys.secret_test
  const profile = await app.post('/v1/profiles', who, { key })
  expect(profile.status).toBe(201)
  const method = await app.post(`/v1/profiles/${profile.body.id}/payment_methods`, payment(card), { key })
  expect(method.status).toBe(201)
  return { account, profileId: profile.body.id, key }
}

export function intentBody(buyer: Buyer, items: readonly Item[], more: Record<string, unknown>) {
  return {
    profile_id: buyer.profileId,
    items: items.map(({ url, quantity = 1, amount = 1000, variant, inputs }) => ({
      url,
      quantity,
      expected_amount: amount,
      expected_currency: 'USD',
      ...(variant ? { variant } : {}),
      ...(inputs ? { inputs } : {}),
    })),
    ...more,
  }
}
