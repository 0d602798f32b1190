import { randomUUID } from 'node:crypto'
import type { OperationFacts } from '../../src/contract/operation.ts'
import { testOtp } from '../../src/domain/buyers/payment-methods/test-cards.ts'
import { addEntry, registryAccount } from '../../src/domain/discovery/registry/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { isObject } from '../../src/schema/schema-node.ts'
import { newPageKey, page } from '../harness/element-sessions.ts'
import { offerOf } from '../harness/quotes.ts'
import { memberOf } from './client.ts'
import {
  factories,
  home,
  type Ids,
  makeId,
  newMarketCode,
  type Owner,
  ownUrl,
  purchaseItem,
  unknownIdLike,
  vaultToken,
  type World,
} from './fixtures.ts'
import { smallestOf } from './sample.ts'
import { quotingShop } from './scenes.ts'

/** Members that the smallest body of an operation needs to be taken, where the schema alone does not require them. */
const additions: Readonly<
  Record<string, (world: World, owner: Owner, path: Ids, body: Ids) => Promise<object> | object>
> = {
  v1_create_profile_address: () => home,
  v1_create_profile_payment_method: async (world, owner) => ({
    card: { kind: 'existing', vault_token_id: vaultToken(world, owner) },
  }),
  v1_create_element_client_secret: async (world, owner, _path, body) => ({
    components: ['AddOrSelectPaymentMethod'],
    ...('purchase_intent_id' in body ? {} : { profile_id: await makeId('profile_id', world, owner) }),
  }),
  v1_create_purchase_intent: () => ({ items: [purchaseItem] }),
  v1_preview_purchase_intent: () => ({ items: [purchaseItem] }),
  v1_check_shop: async ({ app }, { mode }) => ({ url: `${await knownShop(app, mode)}/mug` }),
  v1_simulate_policy: async (world, owner) => ({
    purchase_intent: {
      profile_id: await makeId('profile_id', world, owner),
      currency_code: 'EUR',
      expected_amount: 1000,
    },
  }),
  v1_create_merchant_mpp_api: async (world, owner) => ({ url: await ownUrl(world, owner) }),
  v1_create_payout_account_link: async ({ app }, { account, mode }) => {
    await newPageKey(app, account, mode)
    return { return_url: `${page}/paid`, refresh_url: `${page}/again` }
  },
  v1_create_market: () => ({ code: newMarketCode() }),
  v1_calculate_rate_card: () => ({ currency: 'EUR' }),
  v1_create_quote: async ({ app }, { mode }) => ({ merchant_slug: await publicSlug(app, mode) }),
  v1_search_catalog: () => ({ query: 'tea' }),
  v1_lookup_catalog: async ({ app }, { mode }) => ({
    ids: ['nothing'],
    merchant: { slug: await publicSlug(app, mode) },
  }),
  v1_get_catalog_product: async ({ app }, { mode }) => ({
    id: (await quotingShop(app)).itemId,
    merchant: { slug: await publicSlug(app, mode) },
  }),
  v1_accept_quote: (_world, _owner, { quote_id: id }) => ({ offer_id: offerOf(id ?? '') }),
  v1_create_quote_response: () => ({ outcome: 'declined' }),
  v1_create_purchase_intent_payment_token: async ({ app }, { mode }) => ({
    merchant: { slug: await publicSlug(app, mode) },
    currency: 'EUR',
    binding: { checkout_id: 'chk_1' },
  }),
  v1_approve_purchase_intent: () => ({ approve: true }),
  v1_answer_purchase_intent_input: () => ({
    values: { shipping_address: { line1: 'Markt 1', city: 'Jena', postal_code: '07743', country: 'DE' } },
  }),
  v1_reconcile_purchase_intent: async (world, owner, path) => ({
    cart_id: await cartOf(world, owner, path.purchase_intent_id ?? ''),
    outcome: 'not_placed',
  }),
  v1_verify_profile_payment_method: () => ({ method: 'otp', code: testOtp }),
  v1_create_merchant_order_fulfillment: () => ({ line_items: [oneUnit] }),
  v1_create_merchant_order_refund: () => ({ amount: 10 }),
  v1_create_order_return: () => ({ line_items: [oneUnit] }),
  v1_create_order_response: () => ({ outcome: 'rejected' }),
  v1_create_integration_check: async (world, owner) => ({
    kind: 'order',
    order_id: await makeId('order_id', world, owner),
  }),
  v1_freeze_controls: async (world, owner) => ({
    target: { type: 'profile', id: await makeId('profile_id', world, owner) },
  }),
  v1_unfreeze_controls: async (world, owner) => ({
    target: { type: 'profile', id: await makeId('profile_id', world, owner) },
  }),
}

/** In live mode no merchant is public without a proof of its domain. */
async function publicSlug(app: World['app'], mode: Owner['mode']): Promise<string> {
  return mode === 'test' ? (await quotingShop(app)).slug : 'nobody'
}

/** A shop that the registry has, and that nobody has looked at yet: nobody can buy there, and nobody is asked. */
async function knownShop(app: World['app'], mode: Owner['mode']): Promise<string> {
  const origin = `https://shop-${randomUUID()}.example`
  const by = {
    tenant: { accountId: registryAccount, mode },
    actor: { type: 'system', id: 'operator:test' },
  } as const
  await runAs(app.parts, by, (ctx) => addEntry(ctx, { origin, channel: 'ucp', name: null }))
  return origin
}

const oneUnit = { index: 0, quantity: 1 }

/** Body members whose objects are parts of other objects. */
export const parentsOf: Readonly<Record<string, readonly string[]>> = {
  profile_payment_method_id: ['profile_id'],
  address_id: ['profile_id'],
}

/** A body that the operation takes, with these ids in it; undefined when it has none. */
export async function bodyFor(
  world: World,
  operation: OperationFacts,
  owner: Owner,
  ids: { path: Ids; body: Ids },
): Promise<unknown> {
  if (operation.body === undefined) return undefined
  const taken = propertiesOf(operation.body)
  const parents = Object.keys(ids.body)
    .flatMap((name) => parentsOf[name] ?? [])
    .filter((name) => taken.includes(name))
  const needed = [...requiredIds(operation.body), ...parents].filter((name) => !(name in ids.body))
  const made: Record<string, string> = {}
  for (const name of needed) made[name] = ids.path[name] ?? (await makeId(name, world, owner))
  const smallest = smallestOf(operation.body, (name) => ids.body[name] ?? made[name])
  if (!isObject(smallest)) return smallest
  return {
    ...smallest,
    ...made,
    ...(await additions[operation.id]?.(world, owner, ids.path, ids.body)),
    ...ids.body,
  }
}

/** The first cart of a purchase; an unknown id for a purchase without carts. */
async function cartOf({ client }: World, { key }: Owner, id: string): Promise<string> {
  const { body } = await client.rest({ method: 'GET', path: `/v1/purchase_intents/${id}`, key })
  const carts = memberOf(body, 'carts')
  return String(memberOf(Array.isArray(carts) ? carts[0] : undefined, 'id') ?? unknownIdLike('cart_'))
}

function propertiesOf(body: unknown): string[] {
  const properties: unknown = isObject(body) ? body.properties : undefined
  return isObject(properties) ? Object.keys(properties) : []
}

function requiredIds(body: unknown): string[] {
  const required: unknown = isObject(body) ? body.required : undefined
  return (Array.isArray(required) ? required.map(String) : []).filter((name) => name in factories)
}
