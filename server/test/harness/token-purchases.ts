import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { openTestRail } from '../../src/cli/open-rail.ts'
import {
  claimPaymentToken,
  readPaymentToken,
  reportPaymentToken,
  type UsableToken,
} from '../../src/domain/buying/payment-tokens/public.ts'
import type { ClaimedToken } from '../../src/domain/buying/payment-tokens/use-payment-token.ts'
import type { Call, RailObject } from '../../src/domain/buying/rails/port.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { Answer } from './app.ts'
import type { Buyer, Buying, Purchase } from './buying.ts'
import { type NativeShop, openNativeShop } from './native-shops.ts'

const call: Call = { mode: 'test', timeoutMs: 5_000 }
let opened = 0

/** A merchant of ours that takes tokens, as the side that sells: it has the rail, and an order for each token. */
export type TokenShop = NativeShop & {
  slug: string
  find(token: string): Promise<UsableToken | null>
  claim(token: UsableToken, orderId?: string): Promise<ClaimedToken>
  /** Finds, claims and authorizes. */
  authorize(token: string, amount?: bigint): Promise<RailObject>
  capture(held: RailObject, amount?: bigint): Promise<RailObject>
  release(held: RailObject): Promise<RailObject>
  report(token: string): Promise<void>
  close(): Promise<void>
}

export async function openTokenShop(buying: Buying): Promise<TokenShop> {
  const shop = await openNativeShop(buying)
  const slug = `token-shop-${++opened}`
  const named = await buying.app.post('/v1/merchant', { slug }, { key: shop.seller.keys.secret_test })
  expect(named.status, JSON.stringify(named.body)).toBe(200)
  const { rail, close } = openTestRail(buying.sandbox.processorUrl)
  const as = {
    tenant: { accountId: shop.seller.accountId, mode: 'test' },
    actor: { type: 'system', id: 'test' },
  } as const
  const { parts } = buying.app
  const find = (token: string) => runAs(parts, as, (ctx) => readPaymentToken(ctx, { mode: 'test', token }))
  const claim = (token: UsableToken, orderId = `ord_of_${token.id}`) =>
    runAs(parts, as, (ctx) => claimPaymentToken(ctx, token, { orderId }))
  return {
    ...shop,
    slug,
    find,
    claim,
    async authorize(token, amount) {
      const found = await find(token)
      if (!found) throw new Error('there is no such token')
      expect((await claim(found)).kind).toBe('claimed')
      return done(
        await rail.chargeCredential(
          {
            key: randomUUID(),
            credential: found.credentialReference ?? '',
            amount: amount ?? found.amount,
            currency: found.currency,
            merchant: found.acceptor,
            reference: `${found.purchaseIntentId}/${found.cartId}`,
          },
          call,
        ),
      )
    },
    capture: async ({ reference, amount, currency }, less = amount) =>
      done(await rail.capture({ key: randomUUID(), reference, amount: less, currency }, call)),
    release: async ({ reference }) => done(await rail.void({ key: randomUUID(), reference }, call)),
    async report(token) {
      const found = await find(token)
      if (found) await runAs(parts, as, async (ctx) => reportPaymentToken(ctx, found))
    },
    close,
  }
}

function done(answer: { kind: string; value?: RailObject }): RailObject {
  expect(answer).toMatchObject({ kind: 'done' })
  if (!answer.value) throw new Error('done without a value')
  return answer.value
}

/** A purchase that waits for its token. */
export async function waiting(
  buying: Buying,
  buyer: Buyer,
  shop: TokenShop,
  more: Record<string, unknown> = {},
): Promise<Purchase> {
  return await buying.buy(buyer, [{ url: shop.url }], { execution_method: 'payment_token', ...more })
}

export function tokenBody(shop: Pick<TokenShop, 'slug'>, more: Record<string, unknown> = {}) {
  return {
    merchant: { slug: shop.slug },
    amount: 1080,
    currency: 'USD',
    binding: { checkout_id: 'chk_1' },
    ...more,
  }
}

export function askForToken(
  buying: Buying,
  id: string,
  body: object,
  { key, headers }: { key: string; headers?: Record<string, string> },
): Promise<Answer> {
  return buying.app.post(`/v1/purchase_intents/${id}/payment_tokens`, body, {
    key,
    ...(headers ? { headers } : {}),
  })
}

/** A purchase and its token, which is active. */
export async function withToken(
  buying: Buying,
  buyer: Buyer,
  shop: TokenShop,
): Promise<{ id: string; token: string; tokenId: string }> {
  const { id } = await waiting(buying, buyer, shop)
  const { status, body } = await askForToken(buying, id, tokenBody(shop), buyer)
  expect(status, JSON.stringify(body)).toBe(201)
  expect(body.status).toBe('active')
  return { id, token: body.token, tokenId: body.id }
}
