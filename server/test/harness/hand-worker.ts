import type { ActingContext, Tenant } from '../../src/contract/context.ts'
import { lockIntentWithCarts } from '../../src/domain/buying/intents/lock-purchase.ts'
import {
  atStage,
  changeIntent,
  divideCap,
  failureOf,
  finishIfDone,
  type LoadedCart,
  proposePrice,
} from '../../src/domain/buying/intents/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { TestApp } from './app.ts'
import { type Buyer, createPurchase } from './buyers.ts'

type Held = NonNullable<Awaited<ReturnType<typeof lockIntentWithCarts>>>

/** Does the work of a worker in one transaction that locks the intent. */
export function holding<T>(
  app: TestApp,
  intentId: string,
  step: (ctx: ActingContext, loaded: Held) => Promise<T>,
  tenant: Tenant = { accountId: app.account.accountId, mode: 'test' },
): Promise<T> {
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) => {
    const loaded = await lockIntentWithCarts(ctx, intentId)
    if (!loaded) throw new Error('no such intent')
    return step(ctx, loaded)
  })
}

/** Begins an approved purchase: one running cart for each of its items. */
export async function beginByHand(app: TestApp, intentId: string, tenant?: Tenant): Promise<string[]> {
  const begin = async (ctx: ActingContext, loaded: Held) => {
    const { intent } = loaded
    const expected = intent.items.map((item) => BigInt(item.unit_amount * item.quantity))
    const shares = divideCap(
      {
        cap: intent.max_allowed_amount,
        expected: intent.expected_amount,
        feeAllowance: intent.fee_allowance,
        taxAllowance: intent.tax_allowance,
        toleranceBasisPoints: intent.tolerance_basis_points,
      },
      expected,
    )
    const carts = intent.items.map((item, position) =>
      begunCart(ctx, intent, { item, position, expected: expected[position] ?? 0n, share: shares[position] }),
    )
    changeIntent(ctx, loaded, {
      intent: { started_at: ctx.now, due_at: null },
      newCarts: carts,
      events: [
        { type: 'purchase_intent.started' },
        ...carts.map(({ id }) => ({ type: 'cart.created' as const, cartId: id })),
      ],
    })
    for (const { id } of carts) startByHand(ctx, loaded, id)
    return carts.map(({ id }) => id)
  }
  return holding(app, intentId, begin, tenant)
}

type Intent = Held['intent']

function begunCart(
  ctx: ActingContext,
  intent: Intent,
  part: {
    item: Intent['items'][number]
    position: number
    expected: bigint
    share: ReturnType<typeof divideCap>[number] | undefined
  },
): LoadedCart {
  const { item, position, expected, share } = part
  return {
    id: ctx.newId('cart'),
    intent_id: intent.id,
    position,
    merchant_name: item.domain,
    merchant_domain: item.domain,
    merchant_account_id: null,
    channel: 'simulated',
    route: null,
    items: [
      {
        id: item.id,
        url: item.url,
        quantity: item.quantity,
        expected_amount: item.unit_amount,
        unit_amount: null,
        title: null,
      },
    ],
    status: 'created',
    ...atStage({ kind: 'none' }),
    attempt_number: 1,
    attempt_id: ctx.newId('att'),
    max_attempts: 3,
    currency: intent.currency,
    expected_amount: expected,
    max_allowed_amount: share?.maxAllowed ?? 0n,
    actual_amount: 0n,
    refunded_amount: 0n,
    question: null,
    answers: null,
    fee_allowance: share?.feeAllowance ?? 0n,
    tax_allowance: share?.taxAllowance ?? 0n,
    tolerance_basis_points: intent.tolerance_basis_points,
    hold: null,
    offer: null,
    promo: null,
    order_row_id: null,
    order_url: null,
    order_id: null,
    transaction_id: null,
    failure: null,
    outcome_known: true,
    past_no_return: false,
    attempts_data: [],
    due_at: ctx.now,
    lease_until: null,
    lease_token: 0n,
    started_at: null,
    completed_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
}

export function startByHand(ctx: ActingContext, loaded: Held, id: LoadedCart['id']): void {
  changeIntent(ctx, loaded, {
    carts: [{ id, changes: { status: 'in_progress', started_at: ctx.now } }],
    events: [{ type: 'cart.started', cartId: id }],
  })
}

type CartEnd = { cart: number; status: 'succeeded' | 'failed'; amount?: bigint; unknown?: boolean }

/** Ends carts. */
export function endByHand(
  app: TestApp,
  intentId: string,
  ends: readonly CartEnd[],
  tenant?: Tenant,
): Promise<unknown> {
  const end = async (ctx: ActingContext, loaded: Held) => {
    for (const { cart: index, status, amount = 0n, unknown = false } of ends) {
      const cart = loaded.carts[index]
      if (!cart) throw new Error('no such cart')
      const failure = failureOf(unknown ? 'outcome_unknown' : 'payment_declined')
      changeIntent(ctx, loaded, {
        carts: [
          {
            id: cart.id,
            changes: {
              status,
              actual_amount: amount,
              failure: status === 'failed' ? failure : null,
              outcome_known: !unknown,
              due_at: null,
              completed_at: ctx.now,
              past_no_return: status === 'succeeded',
            },
          },
        ],
        events: [{ type: `cart.${status}`, cartId: cart.id }],
      })
    }
    return finishIfDone(ctx, loaded)
  }
  return holding(app, intentId, end, tenant)
}

/** Asks whether the one item of the first cart may cost this much. */
export function askPriceByHand(
  app: TestApp,
  intentId: string,
  unitAmount: bigint,
): ReturnType<typeof proposePrice> {
  return holding(app, intentId, async (ctx, loaded) => {
    const cart = loaded.carts[0]
    const item = cart?.items[0]
    if (!cart || !item) throw new Error('no such cart')
    return proposePrice(ctx, loaded, {
      cartId: cart.id,
      units: [{ itemId: item.id, unitAmount }],
      total: unitAmount,
    })
  })
}

/** An approved purchase with running carts, one for each of its items. */
export async function runningPurchase(
  app: TestApp,
  buyer: Buyer,
  over: Record<string, unknown> = {},
): Promise<{ id: string; carts: string[] }> {
  const { body } = await createPurchase(app, buyer, over)
  const approved = await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  if (approved.body.status !== 'approved') throw new Error(`the purchase is ${JSON.stringify(approved.body)}`)
  return { id: body.id, carts: await beginByHand(app, body.id) }
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export async function readPurchase(app: TestApp, id: string): Promise<any> {
  return (await app.get(`/v1/purchase_intents/${id}`)).body
}

export async function eventTypesOf(app: TestApp, id: string): Promise<string[]> {
  const { body } = await app.get(`/v1/purchase_intents/${id}/events?limit=200`)
  return body.data.map(({ type }: { type: string }) => type)
}

export const tea = {
  url: 'https://tea.example/green',
  quantity: 1,
  expected_amount: 1000,
  expected_currency: 'EUR',
}
export const cups = {
  url: 'https://cups.example/blue',
  quantity: 1,
  expected_amount: 2000,
  expected_currency: 'EUR',
}
