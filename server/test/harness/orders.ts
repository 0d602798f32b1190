import type { Mode, Tenant } from '../../src/contract/context.ts'
import type { Id } from '../../src/core/id.ts'
import type { NewOrder } from '../../src/domain/trade/orders/create-order.ts'
import type { OrderRow } from '../../src/domain/trade/orders/order.ts'
import { createOrderInTx, markOrderPaid } from '../../src/domain/trade/orders/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { TestAccount, TestApp } from './app.ts'

/** A merchant with one published item in stock. */
export type TestShop = {
  seller: TestAccount
  itemId: Id<'cat'>
  variantId: Id<'var'>
  key: string
}

/** Gives the seller a merchant record and a published item of which ten are in stock. */
export async function openShop(app: TestApp, seller: TestAccount, mode: Mode = 'test'): Promise<TestShop> {
  const key = mode === 'test' ? seller.keys.secret_test : seller.keys.secret_live
  await app.post('/v1/merchant', { name: 'Shop', currency: 'EUR' }, { key })
  const variants = [{ sku: 'ONE', price: 1000, quantity: 10 }]
  const { body } = await app.post('/v1/merchant/catalog_items', { title: 'One thing', variants }, { key })
  await app.post(`/v1/merchant/catalog_items/${body.id}/publish`, undefined, { key })
  return { seller, itemId: body.id, variantId: body.variants[0].id, key }
}

/**
 * An order of the buyer at the shop, with the purchase it belongs to, as execution leaves it: authorized and awaiting
 * confirmation.
 */
export async function placeOrder(
  app: TestApp,
  buyer: TestAccount,
  shop: TestShop,
  changes: Partial<NewOrder> & { mode?: Mode; profileId?: string } = {},
): Promise<OrderRow> {
  const { mode = 'test', profileId, ...given } = changes
  const tenant: Tenant = { accountId: buyer.accountId, mode }
  const { cartId, intentId } = await insertPurchase(app, tenant, profileId)
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'carts' } }, async (ctx) =>
    createOrderInTx(ctx, {
      id: ctx.newId('ord'),
      merchant: { accountId: shop.seller.accountId, name: 'Shop', slug: null, domain: 'shop.example' },
      purchase: { intentId, cartId, attempt: 1 },
      buyer: null,
      quoteId: null,
      currency: 'EUR',
      lineItems: [
        {
          catalog_item_id: shop.itemId,
          catalog_variant_id: shop.variantId,
          sku: 'ONE',
          title: 'One thing',
          url: 'https://shop.example/one',
          quantity: 2,
          unit_amount: 1000,
          amount: 2000,
        },
      ],
      amounts: { subtotal: 2000n, fulfillment: 300n, tax: 380n, discount: 0n },
      taxBasisPoints: 1900,
      customer: { name: 'Ada Lovelace', email: 'ada@example.com', phone: null },
      shippingAddress: null,
      ...given,
    }),
  )
}

/** Marks the payment of a confirmed order as captured, as execution does. */
export async function payOrder(
  app: TestApp,
  { account_id: accountId, mode, id }: Pick<OrderRow, 'account_id' | 'mode' | 'id'>,
): Promise<void> {
  await runAs(app.parts, { tenant: { accountId, mode }, actor: { type: 'system', id: 'carts' } }, (ctx) =>
    markOrderPaid(ctx, id, 'captured'),
  )
}

/** Orders refer to rows of a purchase. Nothing here reads these again. */
async function insertPurchase(app: TestApp, { accountId, mode }: Tenant, given: string | undefined) {
  const at = Date.now()
  const profileId = given ?? app.parts.newId('prof', at)
  const intentId = app.parts.newId('pi', at)
  const cartId = app.parts.newId('cart', at)
  const key = [accountId, mode]
  if (given === undefined) await insertProfile(app, [...key, profileId])
  await run(
    app,
    `insert into purchase_intents (account_id, mode, id, profile_id, status, currency, expected_amount, max_allowed_amount,
       fee_allowance, tax_allowance, tolerance_basis_points, on_price_exceed, items, fulfillment, policy_decision,
       policy_result, approval_required, metadata, actor_type, merchants, search, seq, created_at, updated_at, buyer)
     values ($1, $2, $3, $4, 'approved', 'EUR', 2000, 3000, 600, 400, 500, 'fail', '[]', '{}', '{}', 'allow', false, '{}',
       'api_key', '{}', '', 1, now(), now(), '{}')`,
    [...key, intentId, profileId],
  )
  await run(
    app,
    `insert into carts (account_id, mode, id, intent_id, position, merchant_name, merchant_domain, channel, items, status,
       attempt_id, currency, expected_amount, max_allowed_amount, fee_allowance, tax_allowance, tolerance_basis_points,
       created_at, updated_at)
     values ($1, $2, $3, $4, 0, 'Shop', 'shop.example', 'native', '[]', 'in_progress', 'att_1', 'EUR', 2000, 3000, 600, 400,
       500, now(), now())`,
    [...key, cartId, intentId],
  )
  return { intentId, cartId }
}

async function insertProfile(app: TestApp, values: unknown[]): Promise<void> {
  await run(
    app,
    `insert into profiles (account_id, mode, id, profile_type, first_name, last_name, email, country, status, issuing_state,
       seq, created_at, updated_at)
     values ($1, $2, $3, 'consumer', 'Ada', 'Lovelace', 'ada@example.com', 'GB', 'active', 'not_requested', 1, now(), now())`,
    values,
  )
}

async function run(app: TestApp, text: string, values: unknown[]): Promise<void> {
  await app.parts.pools.single({ name: '', text, values })
}
