import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../../../../test/harness/app.ts'
import { runInvariants } from '../../../platform/audit/invariants.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { readSellingTerms } from '../pricing/public.ts'
import { promotionInvariants } from './invariants.sql.ts'
import { type ReservedDiscount, reservePromotionUses } from './public.ts'
import { orderByUses } from './redemptions.sql.ts'

let app: TestApp
let seller: TestAccount
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
afterEach(async () => {
  const { invariants } = await runInvariants(
    app.parts,
    promotionInvariants.filter(({ id }) => id === 'M11'),
  )
  expect(invariants.map(({ violations }) => violations)).toEqual([[]])
})

async function publish(terms: object): Promise<string> {
  seller = await app.newAccount('Seller')
  return await publishMore(terms)
}

async function publishMore(terms: object): Promise<string> {
  const key = seller.keys.secret_test
  const arms = [{ kind: 'percent', value: 1000, ttl_minutes: 30 }]
  const made = await app.post('/v1/promotions', { name: 'Tenth', currency: 'EUR', arms, ...terms }, { key })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  expect((await app.post(`/v1/promotions/${made.body.id}/publish`, undefined, { key })).status).toBe(200)
  return made.body.id
}

type Wish = {
  cart: string
  attempt?: number
  profile?: string
  email?: string
  subtotal?: bigint
  isFirst?: boolean
}

/** One cart of 10.00 that asks for its discount, in a transaction of its own. */
function hold({
  cart,
  attempt = 1,
  profile = cart,
  email = `${profile}@example.com`,
  subtotal = 1000n,
  isFirst = true,
}: Wish) {
  const merchant = { accountId: seller.accountId, mode: 'test' } as const
  const as = {
    tenant: { accountId: app.account.accountId, mode: 'test' },
    actor: { type: 'system', id: 'carts' },
  } as const
  return runAs(app.parts, as, async (ctx): Promise<ReservedDiscount | null> => {
    const { running } = await readSellingTerms(ctx.reads, merchant, null)
    const [held] = await reservePromotionUses(ctx, running, {
      merchant,
      id: `${cart}:${attempt}`,
      cartId: cart,
      cart: {
        lines: [{ itemId: 'cat_1', categories: [], unitAmount: subtotal, quantity: 1 }],
        subtotal,
        fulfillment: 0n,
        currency: 'EUR',
        marketId: null,
      },
      buyer: { profile, email, isFirstPurchase: async () => isFirst },
    })
    return held ?? null
  })
}

async function usageOf(id: string): Promise<{ uses: number; discount_amount: number }> {
  return (await app.get(`/v1/promotions/${id}`, { key: seller.keys.secret_test })).body.usage
}

const carts = (count: number) => Array.from({ length: count }, (_, index) => `cart_${index}`)

test('when fifty carts at once compete for ten uses, exactly ten get one', async () => {
  const id = await publish({ caps: { total_uses: 10 } })
  const given = await Promise.all(carts(50).map((cart) => hold({ cart })))
  expect(given.filter((one) => one !== null)).toHaveLength(10)
  expect(await usageOf(id)).toEqual({ uses: 10, discount_amount: 1000 })
})

test('a budget is never exceeded, and its rest goes to a cart that it suffices for', async () => {
  const id = await publish({ caps: { budget_amount: 1050 } })
  const given = await Promise.all(
    carts(50).map((cart, index) => hold({ cart, subtotal: index % 2 ? 1000n : 2000n })),
  )
  const off = given.reduce((sum, one) => sum + (one?.merchandise ?? 0n), 0n)
  expect(off <= 1050n && off > 850n).toBe(true)
  expect(await usageOf(id)).toMatchObject({ discount_amount: Number(off) })
})

test('one person uses it as often as one person may, by profile or by address', async () => {
  const id = await publish({ caps: { uses_per_identity: 2 }, identity: { rule: 'profile' } })
  const given = await Promise.all(
    carts(20).map((cart, index) => hold({ cart, profile: `prof_${index % 2}` })),
  )
  expect(given.filter((one) => one !== null)).toHaveLength(4)
  expect(await usageOf(id)).toMatchObject({ uses: 4 })
  const byEmail = await publish({ caps: { uses_per_identity: 1 }, identity: { rule: 'email' } })
  const addresses = ['Ada@example.com', 'ada@example.com', 'ada@EXAMPLE.com', 'bob@example.com']
  const mailed = await Promise.all(addresses.map((email, index) => hold({ cart: `cart_m${index}`, email })))
  expect(mailed.filter((one) => one !== null)).toHaveLength(2)
  expect(await usageOf(byEmail)).toMatchObject({ uses: 2 })
})

test('a first purchase is given once to an address that has not bought before', async () => {
  await publish({ identity: { rule: 'first_purchase' } })
  expect(await hold({ cart: 'cart_f0', email: 'old@example.com', isFirst: false })).toBeNull()
  const twice = await Promise.all(
    ['cart_f1', 'cart_f2'].map((cart) => hold({ cart, email: 'new@example.com' })),
  )
  expect(twice.filter((one) => one !== null)).toHaveLength(1)
})

test('a cart that asks again, or tries again, holds one use, and its own use is not in its way', async () => {
  const id = await publish({ caps: { total_uses: 1, uses_per_identity: 1 } })
  for (const attempt of [1, 1, 2, 3])
    expect(await hold({ cart: 'cart_again', attempt })).toMatchObject({ merchandise: 100n })
  expect(await usageOf(id)).toEqual({ uses: 1, discount_amount: 100 })
  expect(await hold({ cart: 'cart_other' })).toBeNull()
})

test('many carts between two promotions, back and forth, end with every use counted once', async () => {
  const one = await publish({ caps: { total_uses: 7 } })
  const two = await publishMore({
    caps: { total_uses: 5 },
    arms: [{ kind: 'amount', value: 300, ttl_minutes: 5 }],
  })
  const rounds = await Promise.all(
    carts(30).flatMap((cart) =>
      [1, 2].map((attempt) => hold({ cart, attempt, subtotal: attempt === 1 ? 1000n : 9000n })),
    ),
  )
  expect(rounds.length).toBe(60)
  expect((await usageOf(one)).uses).toBeLessThanOrEqual(7)
  expect((await usageOf(two)).uses).toBeLessThanOrEqual(5)
})

test('the promotion that takes most off is the one, and discounts do not add up', async () => {
  await publish({})
  const best = await publishMore({ arms: [{ kind: 'amount', value: 300, ttl_minutes: 5 }] })
  expect(await hold({ cart: 'cart_best' })).toMatchObject({ promotionId: best, merchandise: 300n })
  expect(await hold({ cart: 'cart_large', subtotal: 9000n })).toMatchObject({ merchandise: 900n })
})

test('an order cannot use a released discount, and a discount that was ordered with stays', async () => {
  const id = await publish({ caps: { total_uses: 1 } })
  await hold({ cart: 'cart_slow' })
  const as = {
    tenant: { accountId: app.account.accountId, mode: 'test' },
    actor: { type: 'system', id: 'carts' },
  } as const
  const order = (cart: string) =>
    runAs(app.parts, as, (ctx) =>
      ctx.tx.maybe(
        orderByUses({
          account_id: seller.accountId,
          mode: 'test',
          ids: [`${cart}:1`],
          order_id: `ord_${cart}`,
          now: ctx.now,
        }),
      ),
    )
  expect(await order('cart_slow')).toMatchObject({ discount_amount: 100n })
  expect(await order('cart_slow')).toBeNull()
  expect(await hold({ cart: 'cart_late' })).toBeNull()
  expect(await order('cart_late')).toBeNull()
  expect(await usageOf(id)).toEqual({ uses: 1, discount_amount: 100 })
})
