import { expect } from 'vitest'
import type { Mode } from '../../src/contract/context.ts'
import type { TestAccount } from './app.ts'
import type { Buying } from './buying.ts'

/** A merchant of ours with one published item, at 10.00 USD unless it is told otherwise, without tax, and the key that answers its orders. */
export type NativeShop = { seller: TestAccount; domain: string; url: string; key: string }

let opened = 0

export async function openNativeShop(
  buying: Pick<Buying, 'app' | 'sql'>,
  mode: Mode = 'test',
  { currency = 'USD', price = 1000 }: { currency?: string; price?: number } = {},
): Promise<NativeShop> {
  const { app } = buying
  const domain = `one-of-many-${++opened}.example`
  const seller = await app.newAccount(`Seller ${opened}`)
  const key = seller.keys[`secret_${mode}`]
  const merchant = await app.post('/v1/merchant', { name: domain, domain, currency }, { key })
  expect(merchant.status, JSON.stringify(merchant.body)).toBeLessThan(300)
  await buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    seller.accountId,
  ])
  if (mode === 'live') await payTo(buying, seller, null)
  const url = `https://${domain}/thing`
  const thing = { title: 'Thing', url, variants: [{ sku: 'T-1', price, currency }] }
  const item = await app.post('/v1/merchant/catalog_items', thing, { key })
  expect(item.status, JSON.stringify(item.body)).toBe(201)
  await app.post(`/v1/merchant/catalog_items/${item.body.id}/publish`, undefined, { key })
  return { seller, domain, url, key }
}

/** Who is paid for what the merchant sells in live mode; null: the operator. */
export async function payTo(
  { sql }: Pick<Buying, 'sql'>,
  { accountId }: TestAccount,
  payout: string | null,
): Promise<void> {
  await sql(
    `insert into merchant_payouts values ($1, 'live', $2, 'test', now())
     on conflict (account_id, mode) do update set payout_account = excluded.payout_account`,
    [accountId, payout],
  )
}

/** What a shop says to an order of its. */
export async function answerOrder(
  buying: Buying,
  shop: NativeShop,
  order: string,
  outcome: 'confirmed' | 'rejected',
): Promise<void> {
  const body =
    outcome === 'confirmed'
      ? { outcome, confirmation_reference: `C-${order}` }
      : { outcome, note: 'Not today.' }
  const { status } = await buying.app.post(`/v1/merchant/orders/${order}/responses`, body, {
    key: shop.key,
  })
  expect(status).toBe(200)
}
