import { administer } from '../../../src/cli/operator/administer.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { patience } from '../../gate/pace.ts'
import { person } from '../../harness/person.ts'
import { memberOf } from '../client.ts'
import { queryStored } from '../load/query-stored.ts'
import { eachOf } from '../suite.ts'
import { bodyOf, type Service } from '../whole-product.ts'
import type { NeighbourProcess } from './neighbour.ts'
import type { Neighbour } from './wire.ts'

/** The neighbor's account, as full as its limits allow, and the rows that are removed before the audit. */
export type Stage = { neighbour: Neighbour; removeCopies(): Promise<void> }

type Post = (path: string, body: object, status?: number) => Promise<Record<string, unknown>>

const copiedIntents = 999
const copiedProfiles = 20_000
/** As many zones with a prefix as a merchant's active cards may have together, and as many tiers. */
const cards = 20
const prefixesEach = 999
const tiersEach = 100

export async function openStage(service: Service, world: NeighbourProcess): Promise<Stage> {
  const opened = await administer(readConfig(service.environment), async (admin) => {
    const neighbour = await admin.openAccount('Neighbour')
    const silent = await admin.openAccount('Silent merchant')
    return { neighbour, silent }
  })
  const keys = opened.neighbour.keys
  const post = postAs(service, keys.secret_test)
  const { id } = await post('/v1/profiles', person)
  const profile = String(id)
  const enrolled = { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }
  await post(`/v1/profiles/${profile}/payment_methods`, {
    type: 'card',
    card: { kind: 'existing', vault_token_id: 'visa_auto_approved', ...enrolled },
  })
  const silentItem = await openSilentMerchant(
    postAs(service, opened.silent.keys.secret_test),
    world.ports.answers,
  )
  const destination = await confirmed(service, post, {
    path: '/v1/event_destinations',
    key: keys.secret_test,
    body: {
      name: 'Answers',
      event_types: ['purchase_intent.*'],
      webhook: { endpoint_url: `http://127.0.0.1:${world.ports.answers}/` },
    },
  })
  const intent = await post('/v1/purchase_intents', wideIntent(profile))
  await confirmed(service, post, {
    path: '/v1/event_destinations',
    key: keys.secret_test,
    body: {
      name: 'Hangs',
      event_types: ['purchase_intent.*', 'cart.*'],
      webhook: { endpoint_url: `http://127.0.0.1:${world.ports.hangs}/` },
    },
  })
  await world.tell({ do: 'hang' })
  await post('/v1/policies', {
    name: 'Unattended',
    currency: 'USD',
    scope: { profile_ids: [profile] },
    limits: { per_transaction_max: 10_000, intervals: [{ interval: 'day', max_amount: 1_000_000_000 }] },
    approval: { mode: 'never' },
  })
  await eachOf(
    Array.from({ length: cards }, (_, nth) => nth),
    4,
    async (nth) => {
      await post('/v1/rate_cards', cardOf(nth))
    },
  )
  const url = service.ready.database_url
  await copyRows(url, 'purchase_intents', { id: String(intent.id), count: copiedIntents })
  await copyRows(url, 'profiles', { id: profile, count: copiedProfiles })
  return {
    neighbour: {
      baseUrl: service.ready.base_url,
      keys: { secret: keys.secret_test, agent: keys.agent_test },
      profile,
      intent: String(intent.id),
      silentItem,
      destination,
    },
    // They have no events, since no call has made them.
    async removeCopies() {
      for (const table of ['purchase_intents', 'profiles'] as const)
        await queryStored(
          url,
          // Purchases and profiles are not removed; these copies are none.
          `set session_replication_role = replica; delete from ${table} where id like '%\\_0zzzz%'`,
        )
    },
  }
}

function postAs(service: Service, key: string): Post {
  return async (path, body, status = 201) =>
    bodyOf(await service.client().rest({ method: 'POST', path, key, body: JSON.stringify(body) }), status)
}

/** A merchant whose backend takes every request for a price, and never answers. */
async function openSilentMerchant(post: Post, port: number): Promise<string> {
  await post(
    '/v1/merchant',
    { slug: 'silent', name: 'Silent', country: 'US', mcc: '5999', currency: 'USD' },
    200,
  )
  const variants = [{ sku: 'silent', price: 1000, currency: 'USD', availability: 'in_stock' }]
  const item = { handle: 'silent', title: 'Silent', item_type: 'product', variants }
  const { id } = await post('/v1/merchant/catalog_items', item)
  await post(`/v1/merchant/catalog_items/${id}/publish`, {}, 200)
  const made = await post('/v1/merchant/destinations', {
    name: 'Backend',
    responds_to_quotes: true,
    event_types: ['quote.requested'],
    webhook: { endpoint_url: `http://127.0.0.1:${port}/` },
  })
  await post(`/v1/merchant/destinations/${made.id}/test`, {}, 200)
  return String(id)
}

/** A destination whose endpoint has answered its test. */
async function confirmed(
  service: Service,
  post: Post,
  { path, key, body }: { path: string; key: string; body: object },
): Promise<string> {
  const { id } = await post(path, body)
  await post(`${path}/${id}/test`, {}, 200)
  const wait = patience(15_000)
  for (;;) {
    const read = await service.client().rest({ method: 'GET', path: `${path}/${id}`, key })
    if (typeof memberOf(read.body, 'confirmed_at') === 'string') return String(id)
    if (wait.isOver()) throw new Error(`a destination of the neighbour was not confirmed: ${read.text}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function wideIntent(profile: string): object {
  const items = Array.from({ length: 100 }, (_, at) => ({
    url: `https://www.shop${at}.example/thing`,
    quantity: 1,
    expected_amount: 100,
    expected_currency: 'USD',
  }))
  return { profile_id: profile, items }
}

function cardOf(nth: number): object {
  const letter = String.fromCharCode(65 + nth)
  const postal_prefixes = Array.from({ length: prefixesEach }, (_, at) => `${nth % 2 ? 'P' : letter}${at}`)
  const tiers = Array.from({ length: tiersEach }, (_, at) => ({ up_to: (at + 1) * 1000, amount: 100 + at }))
  return {
    name: `Parcel ${nth}`,
    fulfillment_type: 'shipping',
    currency: 'USD',
    status: 'active',
    rate: { kind: 'tiered', basis: 'weight', tiers: [...tiers.slice(0, -1), { up_to: null, amount: 900 }] },
    zones: [{ country: 'US', postal_prefixes }],
  }
}

/** Years of an account in a moment. */
async function copyRows(
  url: string,
  table: 'purchase_intents' | 'profiles',
  { id, count }: { id: string; count: number },
): Promise<void> {
  const [row] = await queryStored<{ columns: string }>(
    url,
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and column_name not in ('id', 'idempotency_key')
       and is_generated = 'NEVER'`,
    [table],
  )
  const columns = row?.columns ?? ''
  await queryStored(
    url,
    `insert into ${table} (id, ${columns})
     select split_part(id, '_', 1) || '_0zzzz' || lpad(number::text, 21, '0'), ${columns}
     from ${table}, generate_series(1, $2::int) as number where id = $1`,
    [id, count],
  )
  await queryStored(url, `analyze ${table}`)
}
