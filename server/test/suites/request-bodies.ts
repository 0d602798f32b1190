import type { OperationFacts } from '../../src/contract/operation.ts'
import { isObject } from '../../src/contract/schema-node.ts'
import { offerOf } from '../harness/quotes.ts'
import {
  factories,
  type Ids,
  makeId,
  newMarketCode,
  type Owner,
  purchaseItem,
  vaultToken,
  type World,
} from './fixtures.ts'
import { smallestOf } from './sample.ts'

/** What the smallest body of an operation lacks to be taken, where the schema alone does not say. */
const additions: Readonly<
  Record<string, (world: World, owner: Owner, path: Ids) => Promise<object> | object>
> = {
  v1_create_profile_payment_method: async (world, owner) => ({
    card: { kind: 'existing', vault_token_id: await vaultToken(world, owner) },
  }),
  v1_create_purchase_intent: () => ({ items: [purchaseItem] }),
  v1_preview_purchase_intent: () => ({ items: [purchaseItem] }),
  v1_simulate_policy: async (world, owner) => ({
    purchase_intent: {
      profile_id: await makeId('profile_id', world, owner),
      currency_code: 'EUR',
      expected_amount: 1000,
    },
  }),
  v1_create_market: () => ({ code: newMarketCode() }),
  v1_calculate_rate_card: () => ({ currency: 'EUR' }),
  v1_create_quote: () => ({ merchant_slug: 'nobody' }),
  v1_accept_quote: (_world, _owner, { quote_id: id }) => ({ offer_id: offerOf(id ?? '') }),
  v1_create_quote_response: () => ({ outcome: 'declined' }),
  v1_approve_purchase_intent: () => ({ approve: true }),
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

/** A body that the operation takes, with these ids in it; undefined when it has none. */
export async function bodyFor(
  world: World,
  operation: OperationFacts,
  owner: Owner,
  ids: { path: Ids; body: Ids },
): Promise<unknown> {
  if (operation.body === undefined) return undefined
  const needed = requiredIds(operation.body).filter((name) => !(name in ids.body))
  const made: Record<string, string> = {}
  for (const name of needed) made[name] = ids.path[name] ?? (await makeId(name, world, owner))
  const smallest = smallestOf(operation.body, (name) => ids.body[name] ?? made[name])
  if (!isObject(smallest)) return smallest
  return { ...smallest, ...(await additions[operation.id]?.(world, owner, ids.path)), ...ids.body }
}

function requiredIds(body: unknown): string[] {
  const required: unknown = isObject(body) ? body.required : undefined
  return (Array.isArray(required) ? required.map(String) : []).filter((name) => name in factories)
}
