import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administer } from '../../../src/cli/operator/administer.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { memberOf, type Sent } from '../client.ts'
import { shuffled } from '../random.ts'
import { eachOf } from '../suite.ts'
import { bodyOf, type Service } from '../whole-product.ts'
import { type Reception, readJournals } from './journal.ts'
import type { ToldDelivery, ToldDestination } from './judge.ts'
import { type Audience, type Fate, fates, type Kind, troubled } from './kinds.ts'
import { insist, orderTypes } from './teller.ts'
import { hookPath, startWorld, type World } from './world.ts'

export type Merchant = { id: string; key: string }

/** The time in which an endpoint subscribes to these events, in milliseconds of the wall clock. */
type Span = { types: readonly string[]; from: number; until: number }

/** An endpoint in the world, and its destination in the product. */
export type Endpoint = {
  name: string
  kind: Kind
  /** Its behavior by its kind, until it comes back. */
  fate: Fate
  audience: Audience
  /** Whose it is: a merchant's, or a buyer's. */
  merchant: Merchant
  types: readonly string[]
  port: number
  destination: string
  /** Oldest first. */
  secrets: string[]
  /** Nothing is owed between them. */
  spans: Span[]
  /** The time of the rotation, after which its first secret is the old one. */
  rotatedAt?: number
}

/** The receiving side: processes of endpoints, and the destinations that lead to them. */
export type Stage = {
  merchants: readonly Merchant[]
  /** The buyer at each of the merchants. */
  buyers: readonly Merchant[]
  /** The merchant that others request quotes from. */
  seller: Merchant
  /** A merchant whose endpoints are all in trouble. */
  flooder: Merchant
  endpoints: readonly Endpoint[]
  of(...kinds: Kind[]): Endpoint[]
  /** Opens endpoints of these kinds for these merchants in turn, all behaving well at first. */
  open(kinds: readonly Kind[], more?: Audition): Promise<Endpoint[]>
  /** Sets endpoints to the behavior of their kind, or to the given one. */
  become(endpoints: readonly Endpoint[], kind?: Kind): Promise<void>
  close(endpoints: readonly Endpoint[]): Promise<void>
  reopen(endpoints: readonly Endpoint[]): Promise<void>
  /** kill -9 of the process with the endpoints that die. */
  killFrail(): Promise<void>
  reviveFrail(): Promise<void>
  rotate(endpoint: Endpoint): Promise<void>
  /** Changes a destination as its owner does: `null` disables it, types enable it for these. */
  subscribe(endpoint: Endpoint, types: readonly string[] | null): Promise<void>
  canaryHits(): Promise<number>
  journal(): Reception[]
  deliveries(endpoint: Endpoint): Promise<ToldDelivery[]>
  destinations(): Promise<Map<string, ToldDestination>>
  call(merchant: Merchant, method: string, path: string, body?: object): Promise<Sent>
  stop(): Promise<void>
}

/** The owner of the endpoints, and their subscriptions. `responds`: it is the only one that gets requests for a price. */
type Audition = {
  owners?: readonly Merchant[]
  types?: readonly string[]
  audience?: Audience
  responds?: boolean
}

type ToldBody = { status: ToldDestination['status']; disabled_reason: string | null }

const paths = { merchant: '/v1/merchant/destinations', buyer: '/v1/event_destinations' } as const
/** The subscriptions of most of an audience, and those of some. */
const usual: Readonly<Record<Audience, readonly [readonly string[], readonly string[]]>> = {
  merchant: [orderTypes, ['order.requested', 'payment.captured']],
  buyer: [['order.*'], ['order.confirmed', 'quote.*']],
}

/** The path of a destination. */
export function pathOf({ audience, destination }: Pick<Endpoint, 'audience' | 'destination'>): string {
  return `${paths[audience]}/${destination}`
}

/** Whether a subscription, to types or to families of them, takes this type. */
export function isOf(types: readonly string[], type: string): boolean {
  return types.some((one) => one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))))
}

export async function openStage(
  service: Service,
  { merchantCount, seed, random }: { merchantCount: number; seed: number; random: () => number },
): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'prokura-receivers-'))
  const journals = { sturdy: join(folder, 'sturdy.jsonl'), frail: join(folder, 'frail.jsonl') }
  const worlds: Record<'sturdy' | 'frail', World> = {
    sturdy: startWorld(journals.sturdy, seed),
    frail: startWorld(journals.frail, seed + 1),
  }
  const worldOf = (kind: Kind) => worlds[kind === 'dies' ? 'frail' : 'sturdy']
  const [flooder, seller, ...others] = await openMerchants(service, 2 * merchantCount + 2)
  if (!flooder || !seller) throw new Error('no merchants')
  const [merchants, buyers] = [others.slice(0, merchantCount), others.slice(merchantCount)]
  const endpoints: Endpoint[] = []

  const call: Stage['call'] = (merchant, method, target, body) =>
    insist(async () => {
      const sent = await service.client().rest({
        method,
        path: target,
        key: merchant.key,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      // An API that was killed, or one without its database.
      if (sent.status >= 500 || sent.status === 429)
        throw new Error(`${target} answered ${sent.status} ${sent.text}`)
      return sent
    })

  async function connect(endpoint: Endpoint, responds: boolean): Promise<void> {
    const scheme = endpoint.kind === 'tls' ? 'https' : 'http'
    const created = bodyOf(
      await call(endpoint.merchant, 'POST', paths[endpoint.audience], {
        name: `${endpoint.name} ${endpoint.kind}`,
        event_types: endpoint.types,
        ...(responds ? { responds_to_quotes: true } : {}),
        webhook: { endpoint_url: `${scheme}://127.0.0.1:${endpoint.port}${hookPath}` },
      }),
      201,
    )
    endpoint.destination = String(created.id)
    endpoint.secrets = [String(memberOf(created.secret, 'secret'))]
    endpoint.spans.push({ types: endpoint.types, from: Date.now(), until: Number.POSITIVE_INFINITY })
  }

  async function openIn(
    which: 'sturdy' | 'frail',
    some: readonly Endpoint[],
    kindOf: (one: Endpoint) => Kind,
  ) {
    // The process of the frail endpoints may be dead by now, which concerns only them.
    if (some.length === 0) return
    const told = await worlds[which].tell({
      do: 'open',
      endpoints: some.map((one) => ({
        name: one.name,
        kind: kindOf(one),
        secrets: one.secrets,
        ...(one.port === 0 ? {} : { port: one.port }),
      })),
    })
    for (const one of some) one.port = told.ports?.[one.name] ?? one.port
  }

  const trust = (some: readonly Endpoint[]) =>
    Promise.all(
      Object.entries(Object.groupBy(some, ({ kind }) => (kind === 'dies' ? 'frail' : 'sturdy'))).map(
        ([which, ones]) =>
          worlds[which === 'frail' ? 'frail' : 'sturdy'].tell({
            do: 'trust',
            secrets: Object.fromEntries(ones.map(({ name, secrets }) => [name, secrets])),
          }),
      ),
    )

  const isFrail = ({ kind }: Endpoint) => kind === 'dies'
  return {
    merchants,
    buyers,
    seller,
    flooder,
    endpoints,
    call,
    of: (...kinds) => endpoints.filter(({ kind }) => kinds.includes(kind)),
    async open(kinds, { owners = merchants, types: wanted, audience = 'merchant', responds = false } = {}) {
      const more = kinds.flatMap((kind, index): Endpoint[] => {
        const merchant = owners[index % owners.length]
        if (!merchant) return []
        const [most, some] = usual[audience]
        const types = wanted ?? (random() < 0.2 ? some : most)
        const place = { port: 0, destination: '', secrets: [], spans: [] }
        return [
          {
            name: `${endpoints.length + index}`,
            kind,
            fate: fates[kind],
            audience,
            merchant,
            types,
            ...place,
          },
        ]
      })
      endpoints.push(...more)
      const calm = ({ kind }: Endpoint): Kind => (kind === 'tls' ? 'tls' : 'healthy')
      await openIn(
        'sturdy',
        more.filter((one) => !isFrail(one)),
        calm,
      )
      await openIn('frail', more.filter(isFrail), calm)
      await eachOf(more, 8, (one) => connect(one, responds))
      await trust(more)
      // All behave well at first and confirm, so that their later behavior is that of confirmed endpoints.
      await eachOf(
        more,
        8,
        async (one) => void bodyOf(await call(one.merchant, 'POST', `${pathOf(one)}/test`), 200),
      )
      return more
    },
    async become(some, kind) {
      const kinds = (ones: readonly Endpoint[]) =>
        Object.fromEntries(ones.map((one) => [one.name, kind ?? one.kind]))
      await worlds.sturdy.tell({ do: 'become', kinds: kinds(some.filter((one) => !isFrail(one))) })
    },
    async close(some) {
      await worlds.sturdy.tell({ do: 'close', names: some.map(({ name }) => name) })
    },
    reopen: (some) => openIn('sturdy', some, () => 'healthy'),
    killFrail: () => worlds.frail.kill(),
    async reviveFrail() {
      worlds.frail = startWorld(journals.frail, seed + 2)
      await openIn('frail', endpoints.filter(isFrail), () => 'healthy')
    },
    async rotate(endpoint) {
      const rotated = bodyOf(await call(endpoint.merchant, 'POST', `${pathOf(endpoint)}/rotate_secret`), 200)
      endpoint.secrets.push(String(memberOf(rotated.secret, 'secret')))
      endpoint.rotatedAt = Date.now()
      await worldOf(endpoint.kind).tell({ do: 'trust', secrets: { [endpoint.name]: endpoint.secrets } })
    },
    async subscribe(endpoint, types) {
      const [last] = endpoint.spans.slice(-1)
      const path = pathOf(endpoint)
      if (last) last.until = Math.min(last.until, Date.now())
      if (types === null) return void bodyOf(await call(endpoint.merchant, 'POST', `${path}/disable`), 200)
      bodyOf(await call(endpoint.merchant, 'POST', `${path}/enable`), 200)
      bodyOf(await call(endpoint.merchant, 'POST', path, { event_types: types }), 200)
      endpoint.spans.push({ types, from: Date.now(), until: Number.POSITIVE_INFINITY })
    },
    async canaryHits() {
      const told = await Promise.all(Object.values(worlds).map((world) => world.tell({ do: 'canary' })))
      return told.reduce((sum, { hits = 0 }) => sum + hits, 0)
    },
    journal: () => readJournals(Object.values(journals)),
    async deliveries(endpoint) {
      const found: ToldDelivery[] = []
      for (let offset = 0; ; offset += 200) {
        const target = `${pathOf(endpoint)}/events?limit=200&offset=${offset}`
        const { data, has_more } = bodyOf(await call(endpoint.merchant, 'GET', target), 200)
        found.push(...(data as ToldDelivery[])) // the contract's own shape
        if (has_more !== true) return found
      }
    },
    async destinations() {
      const found = new Map<string, ToldDestination>()
      await eachOf(endpoints, 8, async (endpoint) => {
        const told = bodyOf(await call(endpoint.merchant, 'GET', pathOf(endpoint)), 200)
        const { status, disabled_reason: reason } = told as ToldBody // the contract's own shape
        found.set(endpoint.destination, { status, reason, fate: endpoint.fate })
      })
      return found
    },
    async stop() {
      await Promise.all(Object.values(worlds).map((world) => world.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Three in ten are in trouble, each kind about as often, in a seeded order. */
export function castOf(count: number, random: () => number): Kind[] {
  const bad = troubled.filter((kind) => kind !== 'tls')
  const inTrouble = Math.ceil(count * 0.3)
  const cast = Array.from(
    { length: count },
    (_, index): Kind => (index < inTrouble ? (bad[index % bad.length] ?? 'broken') : 'healthy'),
  )
  return shuffled(cast, random)
}

function openMerchants(service: Service, count: number): Promise<Merchant[]> {
  return administer(readConfig(service.environment), async (admin) => {
    const merchants: Merchant[] = []
    for (let opened = 0; opened < count; opened++) {
      const { account_id, keys } = await admin.openAccount(`Merchant ${opened + 1}`)
      merchants.push({ id: account_id, key: keys.secret_test })
    }
    return merchants
  })
}
