import type { TestApp } from '../harness/app.ts'
import { newBuyer, purchaseOf } from '../harness/buyers.ts'
import { beginByHand, endByHand } from '../harness/hand-worker.ts'
import type { TestShop } from '../harness/orders.ts'
import { openQuotingShop, placeQuote, type QuotingShop } from '../harness/quotes.ts'
import { unanswer } from '../harness/stand-ins.ts'
import {
  canaryOf,
  type Factory,
  type Ids,
  makeId,
  makeIds,
  type Owner,
  paidOrder,
  profileOf,
  send,
  vaultToken,
  type World,
} from './fixtures.ts'

/** Objects in the state in which an operation can succeed, where a fresh one is in another. */
type Scene = {
  /** Made instead of the object of this path parameter's factory. */
  ids?: Readonly<Record<string, Factory>>
  /** Other objects that must exist. */
  prepare?: (world: World, owner: Owner) => Promise<void>
}

const scenes: Readonly<Record<string, Scene>> = {
  v1_verify_profile_payment_method: { ids: { payment_method_id: pendingCard } },
  v1_approve_purchase_intent: { ids: { purchase_intent_id: payablePurchase } },
  v1_answer_purchase_intent_input: { ids: { purchase_intent_id: addresslessPurchase } },
  v1_create_purchase_intent_payment_token: { ids: { purchase_intent_id: purchaseByToken } },
  v1_retry_purchase_intent: { ids: { purchase_intent_id: failedPurchase } },
  v1_reconcile_purchase_intent: { ids: { purchase_intent_id: doubtfulPurchase } },
  v1_verify_merchant_domain: { prepare: giveDomain },
  v1_pause_promotion: { ids: { promotion_id: runningPromotion } },
  v1_resume_promotion: { ids: { promotion_id: pausedPromotion } },
  v1_end_promotion: { ids: { promotion_id: runningPromotion } },
  v1_create_order_return: { ids: { order_id: paidOrder } },
  v1_create_merchant_order_fulfillment: { ids: { order_id: paidOrder } },
  v1_create_merchant_order_refund: { ids: { order_id: paidOrder } },
  v1_accept_quote: { ids: { quote_id: sellableQuote } },
  v1_refresh_quote: { ids: { quote_id: sellableQuote } },
  v1_create_quote_response: { ids: { quote_id: unansweredQuote } },
}

/** The ids of an operation's path, with objects in a state in which it can succeed, and other objects that it needs. */
export async function setScene(
  operation: { id: string; path: string },
  world: World,
  owner: Owner,
): Promise<Ids> {
  const { ids, prepare } = scenes[operation.id] ?? {}
  await prepare?.(world, owner)
  return makeIds(pathParams(operation), world, owner, ids)
}

export function pathParams({ path }: { path: string }): string[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name ?? '')
}

/** A shop that every account can ask for prices in test mode; one for each API under test. */
export function quotingShop(app: TestApp): Promise<QuotingShop> {
  const known = shops.get(app)
  if (known) return known
  // Only a stand-in answers there.
  const backend = { url: 'https://hooks.example/quotes' }
  const shop = openQuotingShop(app, backend, { merchant: { domain: 'quoting-shop.example' } })
  shops.set(app, shop)
  return shop
}

const shops = new WeakMap<TestApp, Promise<QuotingShop>>()

async function pendingCard(world: World, owner: Owner, { profile_id: id }: Ids) {
  // Only test cards are verified by a public password.
  const token = owner.mode === 'test' ? 'visa_otp_required' : vaultToken(world, owner)
  return send(world, owner, `/v1/profiles/${id}/payment_methods`, {
    type: 'card',
    label: canaryOf(owner),
    card: { kind: 'existing', vault_token_id: token, ...enrolled },
  })
}

const enrolled = { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }

async function payablePurchase(world: World, owner: Owner): Promise<string> {
  if (owner.mode === 'live') return makeId('purchase_intent_id', world, owner)
  const { profileId } = owner.profileId ? profileOf(owner) : await newBuyer(world.app, { key: owner.key })
  const wish = purchaseOf({ profileId }, { reference_id: canaryOf(owner) })
  return send(world, owner, '/v1/purchase_intents', wish)
}

/** It waits for an address to ship to. */
async function addresslessPurchase(world: World, owner: Owner): Promise<string> {
  const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'DE' }
  const profileId = owner.profileId
    ? profileOf(owner).profileId
    : await send(world, owner, '/v1/profiles', person)
  return send(
    world,
    owner,
    '/v1/purchase_intents',
    purchaseOf({ profileId }, { reference_id: canaryOf(owner) }),
  )
}

/** Approved, of a merchant that takes tokens, and not begun. */
async function purchaseByToken(world: World, owner: Owner): Promise<string> {
  if (owner.mode === 'live') return makeId('purchase_intent_id', world, owner)
  const { seller } = await quotingShop(world.app)
  await world.app.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    seller.accountId,
  ])
  const { profileId } = owner.profileId ? profileOf(owner) : await newBuyer(world.app, { key: owner.key })
  const url = 'https://quoting-shop.example/thing'
  const items = [{ url, quantity: 1, expected_amount: 1000, expected_currency: 'EUR' }]
  const more = { items, reference_id: canaryOf(owner), execution_method: 'payment_token' }
  const id = await send(world, owner, '/v1/purchase_intents', purchaseOf({ profileId }, more))
  await send(world, owner, `/v1/purchase_intents/${id}/approve`, { approve: true })
  return id
}

/** A purchase as a worker leaves it after a refusal. */
function failedPurchase(world: World, owner: Owner): Promise<string> {
  return endedPurchase(world, owner, false)
}

/** A purchase as a worker leaves it after no answer. */
function doubtfulPurchase(world: World, owner: Owner): Promise<string> {
  return endedPurchase(world, owner, true)
}

async function endedPurchase(world: World, owner: Owner, unknown: boolean): Promise<string> {
  const id = await payablePurchase(world, owner)
  if (owner.mode === 'live') return id
  const tenant = { accountId: owner.account.accountId, mode: owner.mode }
  await send(world, owner, `/v1/purchase_intents/${id}/approve`, { approve: true })
  await beginByHand(world.app, id, tenant)
  await endByHand(world.app, id, [{ cart: 0, status: 'failed', unknown }], tenant)
  return id
}

async function giveDomain(world: World, owner: Owner): Promise<void> {
  const domain = `${owner.account.accountId.slice(5).replaceAll('_', '-')}.example`
  await send(world, owner, '/v1/merchant', { name: canaryOf(owner), currency: 'EUR', domain })
}

async function runningPromotion(world: World, owner: Owner): Promise<string> {
  const id = await makeId('promotion_id', world, owner)
  return send(world, owner, `/v1/promotions/${id}/publish`)
}

async function pausedPromotion(world: World, owner: Owner): Promise<string> {
  return send(world, owner, `/v1/promotions/${await runningPromotion(world, owner)}/pause`)
}

/** A quote by which its merchant can still sell. */
async function sellableQuote(world: World, owner: Owner): Promise<string> {
  if (owner.mode === 'live') return makeId('quote_id', world, owner)
  const shop = (await quotingShop(world.app)) as QuotingShop & TestShop // the ids are those of its item
  return placeQuote(world.app, owner.account, { ...profileOf(owner), shop, note: canaryOf(owner) })
}

async function unansweredQuote(world: World, owner: Owner): Promise<string> {
  const id = await makeId('quote_id', world, owner)
  await unanswer(world.app, id)
  return id
}
