import type { Mode } from '../../src/contract/context.ts'
import type { NewOrder } from '../../src/domain/trade/orders/create-order.ts'
import type { TestAccount, TestApp } from '../harness/app.ts'
import { inviteTo } from '../harness/console.ts'
import { keptEvidence } from '../harness/kept-evidence.ts'
import { keptResult } from '../harness/kept-result.ts'
import { openShop, payOrder, placeOrder, type TestShop } from '../harness/orders.ts'
import { placeQuote } from '../harness/quotes.ts'
import { type Client, memberOf } from './client.ts'

/** An owner of objects: an account in one mode, and a secret key of it that may do everything. */
export type Owner = {
  account: TestAccount
  mode: Mode
  key: string
  /** The one customer that all objects belong to. Without it, each object belongs to a new customer, or to none. */
  profileId?: string
}

export type Ids = Readonly<Record<string, string>>

export type World = { app: TestApp; client: Client }

/** Makes one object of the owner; `made` holds the ids of the objects it lives in. */
export type Factory = (world: World, owner: Owner, made: Ids) => Promise<string>

/** Text that no other tenant may ever read, and no agent of another customer. */
export function canaryOf({ account, mode, profileId }: Owner): string {
  return `canary ${account.accountId.slice(-8)} ${mode}${profileId === undefined ? '' : ` ${profileId.slice(-8)}`}`
}

/** The owner's customer, as the requests that make objects name it. */
export function profileOf({ profileId }: Owner): { profileId?: string } {
  return profileId === undefined ? {} : { profileId }
}

let codesMade = 0

/** Codes of markets are unique. */
export function newMarketCode(): string {
  codesMade += 1
  return `m${codesMade}`
}

/** How to make the object that a path parameter names. An operation with another parameter fails the suites until it stands here. */
export const factories: Readonly<Record<string, Factory>> = {
  profile_id: async (world, owner) =>
    owner.profileId ??
    send(world, owner, '/v1/profiles', { ...person, addresses: [home], last_name: canaryOf(owner) }),
  address_id: async ({ client }, owner, made) => {
    const path = `/v1/profiles/${made.profile_id}/addresses`
    const body = JSON.stringify({ ...home, line2: canaryOf(owner) })
    const sent = await client.rest({ method: 'POST', path, key: owner.key, body })
    const addresses = memberOf(sent.body, 'addresses')
    const id = Array.isArray(addresses) ? memberOf(addresses.at(-1), 'id') : null
    if (typeof id !== 'string') throw new Error(`fixture ${path}: ${sent.status} ${sent.text}`)
    return id
  },
  person_id: async ({ app }, { account }) => {
    const email = `${crypto.randomUUID()}@example.com`
    return (await inviteTo(app, account, { email, role: 'viewer' })).person.id
  },
  payment_method_id: async (world, owner, made) =>
    send(world, owner, `/v1/profiles/${made.profile_id}/payment_methods`, {
      type: 'card',
      label: canaryOf(owner),
      card: { kind: 'existing', vault_token_id: vaultToken(world, owner) },
    }),
  wallet_sign_in_id: (world, owner, made) =>
    send(world, owner, `/v1/profiles/${made.profile_id}/wallet_sign_ins`, {}),
  policy_id: (world, owner) =>
    send(world, owner, '/v1/policies', {
      name: canaryOf(owner),
      ...(owner.profileId === undefined ? {} : { scope: { profile_ids: [owner.profileId] } }),
    }),
  purchase_intent_id: async (world, owner) =>
    send(world, owner, '/v1/purchase_intents', {
      profile_id: await makeId('profile_id', world, owner),
      items: [purchaseItem],
      reference_id: canaryOf(owner),
    }),
  cart_id: async (world, owner, made) => {
    const intentId = made.purchase_intent_id ?? (await makeId('purchase_intent_id', world, owner))
    const tenant = { accountId: owner.account.accountId, mode: owner.mode }
    return keptResult(world.app, tenant, intentId, canaryOf(owner))
  },
  evidence_id: async (world, owner, made) => {
    const tenant = { accountId: owner.account.accountId, mode: owner.mode }
    const intentId = made.purchase_intent_id ?? (await makeId('purchase_intent_id', world, owner))
    return keptEvidence(world.app, tenant, intentId, canaryOf(owner))
  },
  promotion_id: (world, owner) =>
    send(world, owner, '/v1/promotions', {
      name: canaryOf(owner),
      currency: 'EUR',
      arms: [{ kind: 'percent', value: 1000, ttl_minutes: 30 }],
    }),
  chat_id: async (world, owner, made) => {
    const profile_id = made.profile_id ?? (await makeId('profile_id', world, owner))
    return send(world, owner, '/v1/chats', { profile_id, title: canaryOf(owner) })
  },
  run_id: async (world, owner, made) => {
    const chat = made.chat_id ?? (await makeId('chat_id', world, owner))
    return send(world, owner, `/v1/chats/${chat}/messages`, {
      parts: [{ type: 'text', text: canaryOf(owner) }],
    })
  },
  link_id: (world, owner) =>
    send(world, owner, '/v1/onboarding_links', {
      use_case: { type: 'account_onboarding' },
      metadata: { canary: canaryOf(owner) },
    }),
  item_id: async (world, owner) => {
    await send(world, owner, '/v1/merchant', { name: canaryOf(owner), currency: 'EUR' })
    return send(world, owner, '/v1/merchant/catalog_items', {
      title: canaryOf(owner),
      variants: [{ price: 100 }],
    })
  },
  import_id: async ({ client }, owner) => {
    const path = '/v1/merchant/catalog_items/import'
    const body = JSON.stringify({ handle: 'imported', title: canaryOf(owner) })
    const headers = { 'content-type': 'application/x-ndjson' }
    const sent = await client.rest({ method: 'POST', path, key: owner.key, headers, body })
    const id = memberOf(sent.body, 'id')
    if (typeof id !== 'string') throw new Error(`fixture ${path}: ${sent.status} ${sent.text}`)
    return id
  },
  destination_id: (world, owner) =>
    send(world, owner, '/v1/merchant/destinations', {
      name: canaryOf(owner),
      webhook: { endpoint_url: 'https://hooks.example/prokura' },
    }),
  event_destination_id: (world, owner) =>
    send(world, owner, '/v1/event_destinations', {
      name: canaryOf(owner),
      webhook: { endpoint_url: 'https://hooks.example/prokura' },
    }),
  event_id: async (world, owner, made) => {
    const path = made.event_destination_id
      ? `/v1/event_destinations/${made.event_destination_id}`
      : `/v1/merchant/destinations/${made.destination_id}`
    const tested = await world.client.rest({ method: 'POST', path: `${path}/test`, key: owner.key })
    const id = memberOf(tested.body, 'event_id')
    if (typeof id !== 'string') throw new Error(`fixture ${path}: ${tested.status} ${tested.text}`)
    return id
  },
  location_id: (world, owner) =>
    send(world, owner, '/v1/business_locations', {
      name: canaryOf(owner),
      address: { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' },
      timezone: 'Europe/Berlin',
    }),
  mpp_api_id: async (world, owner) =>
    send(world, owner, '/v1/merchant/mpp_apis', {
      name: canaryOf(owner),
      description: 'Sizes',
      method: 'GET',
      url: await ownUrl(world, owner),
      offers: [{ intent: 'charge', method: 'tempo' }],
    }),
  market_id: (world, owner) =>
    send(world, owner, '/v1/markets', {
      code: newMarketCode(),
      name: canaryOf(owner),
      currency: 'EUR',
      default_locale: 'de',
    }),
  rate_card_id: (world, owner) =>
    send(world, owner, '/v1/rate_cards', {
      name: canaryOf(owner),
      fulfillment_type: 'shipping',
      currency: 'EUR',
      rate: { kind: 'flat', amount: 500 },
    }),
  order_id: async ({ app }, owner) => {
    const shop = await openShop(app, owner.account, owner.mode)
    const order = await placeOrder(app, owner.account, shop, {
      mode: owner.mode,
      lineItems: [manyThings(shop)],
      customer: { name: canaryOf(owner), email: 'ada@example.com', phone: null },
      ...profileOf(owner),
    })
    return order.id
  },
  return_id: async (world, owner, made) => {
    const id = await paidOrder(world, owner, made)
    const body = JSON.stringify({ note: canaryOf(owner) })
    const sent = await world.client.rest({
      method: 'POST',
      path: `/v1/orders/${id}/returns`,
      key: owner.key,
      body,
    })
    const returns = memberOf(sent.body, 'returns')
    const returned = memberOf(Array.isArray(returns) ? returns[0] : undefined, 'id')
    if (typeof returned !== 'string') throw new Error(`fixture return: ${sent.status} ${sent.text}`)
    return returned
  },
  quote_id: async ({ app }, owner) => {
    const shop = await openShop(app, owner.account, owner.mode)
    return placeQuote(app, owner.account, {
      ...profileOf(owner),
      shop,
      mode: owner.mode,
      note: canaryOf(owner),
    })
  },
  // Of everybody, and there in both modes: callers without a key are always in live mode.
  entry_id: async ({ app }) => {
    const id = app.parts.newId('reg', Date.now())
    await app.parts.pools.single({
      name: '',
      text: `insert into registry_entries (account_id, mode, id, origin, host, found, evidence, speaks, rank, payment_methods,
          payment_instruments, item_types, mpp_categories, failures, seq, created_at, updated_at)
        select 'acct_00000000000000000000000000', mode, $1, 'https://' || $1, $1, '[]', '[]', '{ucp}', 0, '{}', '{}', '{}', '{}', 0, 1, now(), now()
        from unnest(enum_range(null::mode)) as mode`,
      values: [id],
    })
    return id
  },
  check_id: async (world, owner) => {
    const destinationId = await makeId('destination_id', world, owner)
    const orderId = await makeId('order_id', world, owner)
    if (owner.mode === 'test') {
      const body = { kind: 'order', destination_id: destinationId, order_id: orderId }
      return send(world, owner, '/v1/merchant/integration_checks', body)
    }
    // In live mode none can be started, and one that is there must still belong to its owner alone.
    const { app } = world
    const id = app.parts.newId('chk', Date.now())
    await app.parts.pools.single({
      name: '',
      text: `insert into integration_checks (account_id, mode, id, kind, destination_id, order_id, status, steps, deadline_at, due_at,
          seq, created_at, updated_at)
        values ($1, 'live', $2, 'order', $3, $4, 'queued', '[]', now(), now(), 1, now(), now())`,
      values: [owner.account.accountId, id, destinationId, orderId],
    })
    return id
  },
}

/** An order that its merchant has confirmed and that was paid, made of `made.order_id` where that is given. */
export async function paidOrder(world: World, owner: Owner, made: Ids = {}): Promise<string> {
  const id = made.order_id ?? (await makeId('order_id', world, owner))
  const answer = { outcome: 'confirmed', confirmation_reference: `C-${id}` }
  await send(world, owner, `/v1/merchant/orders/${id}/responses`, answer)
  const order = id as `ord_${string}` // made by the factory above
  await payOrder(world.app, { account_id: owner.account.accountId, mode: owner.mode, id: order })
  return id
}

/** Ten units at the total of placed orders: enough to send, return and refund some of them many times. */
function manyThings({ itemId, variantId }: TestShop): NewOrder['lineItems'][number] {
  return {
    catalog_item_id: itemId,
    catalog_variant_id: variantId,
    sku: 'ONE',
    title: 'One thing',
    url: 'https://shop.example/one',
    quantity: 10,
    unit_amount: 200,
    amount: 2000,
  }
}

/** An address on the owner's domain, if it has one. */
export async function ownUrl({ app }: World, { account, mode }: Owner): Promise<string> {
  const [merchant] = await app.sql<{ domain: string | null }>(
    'select domain from merchants where account_id = $1 and mode = $2',
    [account.accountId, mode],
  )
  return `https://api.${merchant?.domain ?? 'shop.example'}/sizes`
}

/** Body members that name an object under another name than its path parameter. */
export const aliases: Readonly<Record<string, string>> = { profile_payment_method_id: 'payment_method_id' }

/** The ids of a path, each made inside the one before; `instead` of a factory. */
export async function makeIds(
  names: readonly string[],
  world: World,
  owner: Owner,
  instead: Readonly<Record<string, Factory>> = {},
): Promise<Ids> {
  let made: Ids = {}
  for (const name of names) {
    const factory = instead[name]
    const id = factory ? await factory(world, owner, made) : await makeId(name, world, owner, made)
    made = { ...made, [name]: id }
  }
  return made
}

export async function makeId(name: string, world: World, owner: Owner, made: Ids = {}): Promise<string> {
  const factory = factories[name]
  if (!factory)
    throw new Error(`there is no fixture for the parameter ${name}: add one to test/suites/fixtures.ts`)
  return factory(world, owner, made)
}

/** An id of the right form that never existed. */
export function unknownIdLike(id: string): string {
  return `${id.split('_')[0]}_01jb2w9m4ye6xs3kq8t7v5c0zd`
}

/** Where its purchases are shipped. */
export const home = {
  address_type: 'both',
  line1: '1 Main St',
  city: 'London',
  postal_code: 'E1 6AN',
  country: 'GB',
}
export const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }
export const purchaseItem = {
  url: 'https://shop.example/thing',
  quantity: 1,
  expected_amount: 1000,
  expected_currency: 'EUR',
}

export function vaultToken({ app }: World, { account: { accountId }, mode }: Owner): string {
  return mode === 'test' ? 'visa_auto_approved' : app.vault.keep({ accountId, mode })
}

/** Sends a request that must succeed. Answers the id of its object. */
export async function send(
  { client }: World,
  owner: Owner,
  path: string,
  body: object = {},
): Promise<string> {
  const sent = await client.rest({ method: 'POST', path, key: owner.key, body: JSON.stringify(body) })
  const id = memberOf(sent.body, 'id')
  if (sent.status >= 300) throw new Error(`fixture ${path}: ${sent.status} ${sent.text}`)
  return typeof id === 'string' ? id : ''
}
