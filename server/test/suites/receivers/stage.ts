import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administer } from '../../../src/cli/administer.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { memberOf, type Sent } from '../client.ts'
import { shuffled } from '../random.ts'
import { eachOf } from '../suite.ts'
import { bodyOf, type Service } from '../whole-product.ts'
import { type Reception, readJournals } from './journal.ts'
import type { ToldDelivery, ToldDestination } from './judge.ts'
import { type Fate, fates, type Kind, troubled } from './kinds.ts'
import { insist, orderTypes } from './teller.ts'
import { hookPath, startWorld, type World } from './world.ts'

export type Merchant = { id: string; key: string }

/** An endpoint in the world, and the destination that the product knows it as. */
export type Endpoint = {
  name: string
  kind: Kind
  /** As its kind has it, until it comes back. */
  fate: Fate
  merchant: Merchant
  types: readonly string[]
  port: number
  destination: string
  /** Oldest first. */
  secrets: string[]
  /** Milliseconds of the wall clock from which on it is told. */
  since: number
  /** Since when its secret of before the rotation is the old one. */
  rotatedAt?: number
}

/** The merchants' side: processes of endpoints, and the destinations that lead to them. */
export type Stage = {
  merchants: readonly Merchant[]
  /** One whose endpoints are all in trouble. */
  flooder: Merchant
  endpoints: readonly Endpoint[]
  of(...kinds: Kind[]): Endpoint[]
  /** Opens endpoints of these kinds for these merchants in turn, all behaving well at first. */
  open(
    kinds: readonly Kind[],
    more?: { owners?: readonly Merchant[]; types?: readonly string[] },
  ): Promise<Endpoint[]>
  /** Lets endpoints behave as they are, or as told. */
  become(endpoints: readonly Endpoint[], kind?: Kind): Promise<void>
  close(endpoints: readonly Endpoint[]): Promise<void>
  reopen(endpoints: readonly Endpoint[]): Promise<void>
  /** kill -9 of the process with the endpoints that die. */
  killFrail(): Promise<void>
  reviveFrail(): Promise<void>
  rotate(endpoint: Endpoint): Promise<void>
  canaryHits(): Promise<number>
  journal(): Reception[]
  deliveries(endpoint: Endpoint): Promise<ToldDelivery[]>
  destinations(): Promise<Map<string, ToldDestination>>
  call(merchant: Merchant, method: string, path: string, body?: object): Promise<Sent>
  stop(): Promise<void>
}

type ToldBody = { status: ToldDestination['status']; disabled_reason: string | null }

const path = '/v1/merchant/destinations'
const someTypes = ['order.requested', 'payment.captured']

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
  const [flooder, ...merchants] = await openMerchants(service, merchantCount + 1)
  if (!flooder) throw new Error('no merchants')
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

  async function connect(endpoint: Endpoint): Promise<void> {
    const scheme = endpoint.kind === 'tls' ? 'https' : 'http'
    const created = bodyOf(
      await call(endpoint.merchant, 'POST', path, {
        name: `${endpoint.name} ${endpoint.kind}`,
        event_types: endpoint.types,
        webhook: { endpoint_url: `${scheme}://127.0.0.1:${endpoint.port}${hookPath}` },
      }),
      201,
    )
    endpoint.destination = String(created.id)
    endpoint.secrets = [String(memberOf(created.secret, 'secret'))]
    endpoint.since = Date.now()
  }

  async function openIn(
    which: 'sturdy' | 'frail',
    some: readonly Endpoint[],
    kindOf: (one: Endpoint) => Kind,
  ) {
    // The frail ones may be dead by now, which concerns only those that live there.
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
    flooder,
    endpoints,
    call,
    of: (...kinds) => endpoints.filter(({ kind }) => kinds.includes(kind)),
    async open(kinds, { owners = merchants, types: wanted } = {}) {
      const more = kinds.flatMap((kind, index) => {
        const merchant = owners[index % owners.length]
        if (!merchant) return []
        const types = wanted ?? (random() < 0.2 ? someTypes : orderTypes)
        const name = `${endpoints.length + index}`
        return [
          { name, kind, fate: fates[kind], merchant, types, port: 0, destination: '', secrets: [], since: 0 },
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
      await eachOf(more, 8, connect)
      await trust(more)
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
      const target = `${path}/${endpoint.destination}/rotate_secret`
      const rotated = bodyOf(await call(endpoint.merchant, 'POST', target), 200)
      endpoint.secrets.push(String(memberOf(rotated.secret, 'secret')))
      endpoint.rotatedAt = Date.now()
      await worldOf(endpoint.kind).tell({ do: 'trust', secrets: { [endpoint.name]: endpoint.secrets } })
    },
    async canaryHits() {
      const told = await Promise.all(Object.values(worlds).map((world) => world.tell({ do: 'canary' })))
      return told.reduce((sum, { hits = 0 }) => sum + hits, 0)
    },
    journal: () => readJournals(Object.values(journals)),
    async deliveries({ merchant, destination }) {
      const found: ToldDelivery[] = []
      for (let offset = 0; ; offset += 200) {
        const target = `${path}/${destination}/events?limit=200&offset=${offset}`
        const { data, has_more } = bodyOf(await call(merchant, 'GET', target), 200)
        found.push(...(data as ToldDelivery[])) // the contract's own shape
        if (has_more !== true) return found
      }
    },
    async destinations() {
      const found = new Map<string, ToldDestination>()
      await eachOf(endpoints, 8, async ({ merchant, destination, fate }) => {
        const told = bodyOf(await call(merchant, 'GET', `${path}/${destination}`), 200)
        const { status, disabled_reason: reason } = told as ToldBody // the contract's own shape
        found.set(destination, { status, reason, fate })
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
