import { followers } from '../../src/composition.ts'
import type { Mode } from '../../src/contract/context.ts'
import { insertEntry } from '../../src/domain/discovery/registry/entries.sql.ts'
import { columnsOf, registryAccount } from '../../src/domain/discovery/registry/entry-row.ts'
import {
  type FoundProtocol,
  protocolStatuses,
  type RegistryChannel,
} from '../../src/domain/discovery/registry/found-protocol.ts'
import { paymentInstruments, paymentMethods } from '../../src/domain/discovery/registry/payment-words.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { createRelay } from '../../src/platform/events/relay.ts'
import { noFaults } from '../../src/platform/faults/faults.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { seededRandom } from '../suites/random.ts'
import type { TestAccount } from './app.ts'
import type { RegistryWorld } from './registry-sites.ts'

/** A merchant or a site, as the test knows it. */
type Known = {
  id: string
  mode: Mode
  name: string
  names: (string | null)[]
  owner: string | null
  isPublic: boolean
  isFirst: boolean
  protocols: string[]
  itemTypes: string[]
  categories: string[]
  methods: string[]
  instruments: string[]
}

const random = seededRandom(20260824)
export const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
export const some = <T>(from: readonly T[], share = 0.4): T[] => from.filter(() => random() < share)
const words = ['tea', 'Boot', 'café', 'wine_', 'glass%', 'data', 'Zeit']

export type RandomRegistry = { known: readonly Known[]; accounts: readonly TestAccount[] }

/** Merchants of ours and sites in any state, and what the test knows about each. */
export async function fillRegistry(world: RegistryWorld): Promise<RandomRegistry> {
  const known: Known[] = []
  const accounts: TestAccount[] = []
  for (let made = 0; made < 8; made++) {
    const account = await world.app.newAccount(`Shop ${made}`)
    accounts.push(account)
    for (const mode of ['test', 'live'] as const) known.push(await openShop(world, account, { mode, made }))
  }
  for (let made = 0; made < 60; made++) {
    const site = await addSite(world, made % 3 === 0 ? 'live' : 'test', made)
    if (site) known.push(site)
  }
  const means = { followers, metrics: createMetrics(), log: silentLog(), faults: noFaults }
  await createRelay({ ...world.app.parts, ...means }).runOnce()
  return { known, accounts }
}

/** In live mode strangers see a merchant with a proved domain, a confirmed backend and something to sell. */
async function openShop(
  world: RegistryWorld,
  account: TestAccount,
  { mode, made }: { mode: Mode; made: number },
): Promise<Known> {
  const { accountId, keys } = account
  const key = mode === 'test' ? keys.secret_test : keys.secret_live
  const slug = random() < 0.7 ? `shop-${mode}-${made}` : null
  const domain = `shop${made}-${mode}.example`
  const name = random() < 0.7 ? `${pick(words)} shop ${made}` : null
  const isVerified = random() < 0.7
  const isConfirmed = random() < 0.8
  const itemTypes = some(['product', 'digital', 'service'])
  const { post, sql } = world.app
  await post(
    '/v1/merchant',
    { domain, currency: 'EUR', ...(name ? { name } : {}), ...(slug ? { slug } : {}) },
    { key },
  )
  for (const item_type of itemTypes) {
    const item = await post(
      '/v1/merchant/catalog_items',
      { title: `A ${item_type}`, item_type, variants: [{ price: 100 }, { price: 70 }] },
      { key },
    )
    await post(`/v1/merchant/catalog_items/${item.body.id}/publish`, undefined, { key })
  }
  const categories = some(['data', 'media'])
  for (const category of categories)
    await post(
      '/v1/merchant/mpp_apis',
      {
        name: 'Sizes',
        description: 'Which size fits',
        method: 'GET',
        url: `https://api.${domain}/sizes`,
        offers: [{ intent: 'charge', method: 'tempo' }],
        categories: [category, 'made of it'],
      },
      { key },
    )
  if (isVerified)
    await sql('update merchants set domain_verified_at = now() where account_id = $1 and mode = $2', [
      accountId,
      mode,
    ])
  if (isConfirmed)
    await sql(
      `insert into webhook_destinations (account_id, mode, id, name, audience, responds_to_quotes, event_types, endpoint_url, status,
         confirmed_at, seq, created_at, updated_at)
       values ($1, $2, 'dest_' || $3, 'Shop', 'merchant', false, $4, 'https://shop.example', 'enabled', now(), 1, now(), now())`,
      [accountId, mode, `${mode}${made}`, ['order.requested', 'order.confirmed', 'order.rejected']],
    )
  const isPublic = slug !== null && (mode === 'test' || (isVerified && isConfirmed && itemTypes.length > 0))
  const paid = mode === 'test' ? ['card'] : []
  return {
    id: accountId,
    mode,
    name: name ?? slug ?? domain,
    names: [name, slug, domain],
    owner: accountId,
    isPublic,
    isFirst: isVerified && isPublic,
    protocols: slug === null ? ['native'] : ['native', 'ucp', 'mpp'],
    itemTypes,
    categories,
    methods: paid,
    instruments: paid,
  }
}

/** Null: nobody can find it. */
async function addSite(world: RegistryWorld, mode: Mode, made: number): Promise<Known | null> {
  const found = some(['ucp', 'mpp'] as const, 0.7).map(randomProtocol)
  const channel: RegistryChannel | null = random() < 0.1 ? 'browser' : null
  const host = `${pick(words)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')}${made}.example`
  const name = random() < 0.4 ? `${pick(words)} ${made}` : null
  const at = world.clock.now()
  const tenant = { accountId: registryAccount, mode }
  const id = await runAs(world.app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) => {
    const row = {
      account_id: registryAccount,
      mode,
      ...columnsOf(found),
      id: ctx.newId('reg'),
      origin: `https://${host}`,
      host,
      name,
      channel,
      evidence: [],
      failures: 0,
      looked_at: at,
      seq: 1,
      created_at: at,
      updated_at: at,
      more_hosts: [],
      due_at: null,
    }
    ctx.tx.write(insertEntry(row))
    return row.id
  })
  const usable = found.filter(({ status }) => status === 'live' || status === 'degraded')
  if (usable.length === 0 || channel === 'browser') return null
  const all = (of: (one: FoundProtocol) => readonly string[]) => usable.flatMap(of)
  const called = name ?? usable.find(({ site_name }) => site_name)?.site_name ?? null
  return {
    id,
    mode,
    name: called ?? host,
    names: [called, host],
    owner: null,
    isPublic: true,
    isFirst: usable.some(({ status }) => status === 'live'),
    protocols: usable.map(({ protocol }) => protocol),
    itemTypes: all((one) => one.item_types),
    categories: all((one) => one.categories),
    methods: all((one) => one.payment_methods),
    instruments: all((one) => one.payment_instruments),
  }
}

function randomProtocol(protocol: 'ucp' | 'mpp'): FoundProtocol {
  const methods = some(paymentMethods, 0.2)
  const observed_at = '2026-03-01T00:00:00.000Z'
  return {
    protocol,
    status: pick(protocolStatuses),
    version: null,
    endpoints: [],
    capabilities: [],
    services: [],
    site_name: random() < 0.3 ? `${pick(words)} site` : null,
    payment_methods: methods,
    payment_instruments: some(paymentInstruments, 0.3),
    payment_provenance: methods.map((method) => ({ method, source: 'challenge_402', observed_at })),
    item_types: some(['product', 'api'] as const),
    categories: some(['data', 'media', 'travel']),
    last_checked_at: observed_at,
    failures: 0,
  }
}

export type Asked = {
  q?: string
  protocol?: string
  commerce_category?: string
  mpp_category?: string
  payment_method?: string[]
  payment_instrument?: string[]
}

/** What is found, by a look at everything. */
export function expectedOf(
  known: readonly Known[],
  { mode, viewer, asked }: { mode: Mode; viewer: string | null; asked: Asked },
): string[] {
  const found = known.filter(
    (one) =>
      one.mode === mode &&
      (one.isPublic || one.owner === viewer) &&
      (asked.q === undefined ||
        one.names.some((name) => name?.toLowerCase().includes((asked.q ?? '').toLowerCase()))) &&
      (asked.protocol === undefined || asked.protocol === 'all' || one.protocols.includes(asked.protocol)) &&
      (asked.commerce_category === undefined || one.itemTypes.includes(asked.commerce_category)) &&
      (asked.mpp_category === undefined || one.categories.includes(asked.mpp_category.toLowerCase())) &&
      (asked.payment_method === undefined ||
        asked.payment_method.some((method) => one.methods.includes(method))) &&
      (asked.payment_instrument === undefined ||
        asked.payment_instrument.some((used) => one.instruments.includes(used))),
  )
  const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  return found
    .sort(
      (a, b) =>
        Number(b.isFirst) - Number(a.isFirst) ||
        bytes(a.name.toLowerCase(), b.name.toLowerCase()) ||
        bytes(a.id, b.id),
    )
    .map(({ id }) => id)
}
