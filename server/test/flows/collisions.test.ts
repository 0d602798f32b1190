import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { derivedId } from '../../src/platform/ids/derived-id.ts'
import { testKeys } from '../harness/app.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import {
  buyAsBefore,
  orderedEverywhere,
  rejectedByThird,
  retryPurchase,
  stickThird,
} from '../harness/first-scheme.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { prokura, serviceEnvironment } from '../harness/up.ts'

/** What the first scheme of derived ids has left behind: attempts that can never place their order. */
let buying: Buying
let buyer: Buyer
let shops: NativeShop[]
let worker: { stop(): Promise<void> }

beforeAll(async () => {
  buying = await startBuying()
  await buying.stopWorker()
  shops = await Promise.all([1, 2, 3].map(() => openNativeShop(buying)))
})
beforeEach(async () => {
  buyer = await buying.newBuyer()
  worker = buying.startWorker()
})
afterEach(async () => {
  await worker.stop()
  await buying.audit()
})
afterAll(() => buying?.stop())

const [first, second] = [
  ['authorize 1000 approved', 'void 1000 voided'],
  ['authorize 1000 approved', 'void 1000 voided'],
]

function moneyOfCart({ id }: Purchase, cart: string): Promise<string[]> {
  return buying.moneyOf(`${id}/${cart}`)
}

function repair(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return prokura(['repair', 'collisions', ...args], {
    ...serviceEnvironment(),
    DATABASE_URL: buying.app.databaseUrl,
    PROKURA_RAIL_URL: buying.sandbox.processorUrl,
    PROKURA_KEYS: testKeys,
    ...env,
  })
}

/** A retry of the third shop that is stuck; nobody works. */
async function stuck(): Promise<{ purchase: Purchase; cart: string }> {
  const purchase = await rejectedByThird(buying, buyer, shops)
  const cart = await stickThird(buying, { buyer, purchase, stop: () => worker.stop() })
  expect(await moneyOfCart(purchase, cart)).toEqual([...first, 'authorize 1000 approved'])
  expect(
    await buying.sql('select status from authorizations where cart_id = $1 and attempt = 2', [cart]),
  ).toEqual([])
  return { purchase, cart }
}

async function buyAgain({ id }: Purchase): Promise<Purchase> {
  worker = buying.startWorker()
  await retryPurchase(buying, buyer, id)
  const { carts } = await orderedEverywhere(buying, buyer, id)
  if (!shops[2]) throw new Error('no third shop')
  await answerOrder(buying, shops[2], String(carts[2]?.order), 'confirmed')
  const done = await buying.ended(buyer, id)
  await buying.settled()
  return done
}

describe('prokura repair collisions', () => {
  test('shows the stuck carts and their holds at the rail, and changes nothing', async () => {
    const { purchase, cart } = await stuck()
    const shown = await repair([])
    expect(shown).toMatchObject({ code: 0, err: '' })
    expect(shown.out).toContain(`${cart} of ${purchase.id}, attempt 2: its order would have the id`)
    expect(shown.out).toMatch(/The rail holds \$10\.00 for it \(auth_\w+\)\.\nNothing was changed/)
    expect(await moneyOfCart(purchase, cart)).toHaveLength(3)
    expect((await buying.read(buyer, purchase.id)).status).toBe('approved')
    expect((await repair(['--apply'])).code).toBe(0)
  })

  test('lets go of a hold that no row knows, once, ends the attempt, and the next one buys', async () => {
    const { purchase, cart } = await stuck()
    const repaired = await repair(['--apply', '--json'])
    expect(repaired).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(repaired.out)).toEqual({
      applied: true,
      carts: [
        {
          account_id: buyer.account.accountId,
          mode: 'test',
          purchase_intent_id: purchase.id,
          cart_id: cart,
          attempt_number: 2,
          order_id: purchase.carts[1]?.order,
          taken_by: purchase.carts[1]?.id,
          held_at_rail: {
            kind: 'held',
            reference: expect.stringMatching(/^auth_/),
            amount: 1000,
            currency: 'USD',
          },
          result: 'ended',
          can_retry: true,
        },
      ],
      refunds: [],
    })
    expect(await moneyOfCart(purchase, cart)).toEqual([...first, ...second])
    expect(await buying.read(buyer, purchase.id)).toMatchObject({
      status: 'failed',
      actual_amount: 2000,
      carts: [{}, {}, { status: 'failed', can_retry: true, failure_reason: { code: 'internal_error' } }],
    })
    expect(
      await buying.sql(
        `select actor_type, actor_id from events where aggregate_id = $1 and type = 'cart.failed' order by sequence desc limit 1`,
        [purchase.id],
      ),
    ).toEqual([{ actor_type: 'system', actor_id: expect.stringMatching(/^repair:./) }])
    await buying.audit()
    expect((await repair(['--apply'])).out).toBe('There are no collisions.\n')
    expect(await buyAgain(purchase)).toMatchObject({ status: 'succeeded', actual_amount: 3000 })
    expect(await moneyOfCart(purchase, cart)).toEqual([
      ...first,
      ...second,
      'authorize 1000 approved',
      'capture 1000 approved',
    ])
  })

  test('a call that the rail has never seen is closed there first', async () => {
    const purchase = await rejectedByThird(buying, buyer, shops)
    await buying.sandbox.fault({
      match: { operation: 'authorize', reference_contains: purchase.id },
      fault: 'drop_request',
    })
    const cart = await stickThird(buying, { buyer, purchase, stop: () => worker.stop() })
    await buying.sql(`update effects set not_before = now() where cart_id = $1`, [cart])
    const repaired = await repair(['--apply'])
    expect(repaired).toMatchObject({ code: 0, err: '' })
    expect(repaired.out).toContain(
      'the rail held nothing; the attempt ended as failed and the cart can be retried.',
    )
    expect(await moneyOfCart(purchase, cart)).toEqual(first)
    const log = await buying.sandbox.processorLog()
    expect(log.filter(({ key }) => key === `${cart}:2:authorize`).map(({ result }) => result)).toEqual([
      'closed',
    ])
    expect(await buyAgain(purchase)).toMatchObject({ status: 'succeeded', actual_amount: 3000 })
  })

  test('decides nothing without a rail to ask', async () => {
    const { purchase, cart } = await stuck()
    const refused = await repair(['--apply'], { PROKURA_RAIL_URL: '' })
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('1 carts are stuck. Set PROKURA_RAIL_URL')
    expect(await moneyOfCart(purchase, cart)).toHaveLength(3)
    expect((await repair(['--apply'])).code).toBe(0)
  })

  test('says so when the rail does not answer, and changes nothing', async () => {
    const { purchase, cart } = await stuck()
    const unasked = await repair(['--json'], { PROKURA_RAIL_URL: 'http://127.0.0.1:1' })
    expect(JSON.parse(unasked.out).carts).toMatchObject([
      { cart_id: cart, held_at_rail: { kind: 'unknown' } },
    ])
    expect(await moneyOfCart(purchase, cart)).toHaveLength(3)
    expect((await repair(['--apply'])).code).toBe(0)
  })
})

describe('beside a version that derives ids by XOR', () => {
  test.each([false, true])(
    'a worker releases the holds of stuck carts by itself (frozen: %s)',
    async (isFrozen) => {
      const { purchase, cart } = await stuck()
      const target = { target: { type: 'profile', id: buyer.profileId } }
      if (isFrozen) await buying.app.post('/v1/controls/freeze', target)
      worker = buying.startWorker()
      await buying.sql('update carts set due_at = now() where id = $1', [cart])
      expect(await buying.ended(buyer, purchase.id)).toMatchObject({
        status: 'failed',
        carts: [{}, {}, { status: 'failed', can_retry: true }],
      })
      expect(await moneyOfCart(purchase, cart)).toEqual([...first, ...second])
      if (isFrozen) await buying.app.post('/v1/controls/unfreeze', target)
    },
  )

  test('an attempt that it has begun keeps its ids, and the next one has ids of its own', async () => {
    const purchase = await rejectedByThird(buying, buyer, shops)
    const intent = purchase.id as `pi_${string}` // as the API tells it
    for (const [position, cart] of purchase.carts.entries()) {
      expect(cart.id).toBe(derivedId(1, 'cart', intent, position))
      expect(cart.order).toBe(derivedId(1, 'ord', derivedId(1, 'cart', intent, position), 1))
    }
    const done = await buyAgain(purchase)
    expect(done).toMatchObject({ status: 'succeeded', actual_amount: 3000 })
    expect(done.carts[2]?.order).toBe(derivedId(2, 'ord', derivedId(1, 'cart', intent, 2), 2))
  })

  test('an attempt that is taken over in the middle has one order, placed by either worker', async () => {
    const purchase = await rejectedByThird(buying, buyer, shops)
    const [, , third] = purchase.carts
    const paused = buying.faults.pause('authorize.after')
    await retryPurchase(buying, buyer, purchase.id)
    await paused.reached
    await buying.sql('update carts set lease_until = now(), due_at = now() where id = $1', [third?.id])
    const { carts } = await orderedEverywhere(buying, buyer, purchase.id)
    paused.resume()
    expect(await buying.sql('select id from orders where cart_id = $1 and attempt = 2', [third?.id])).toEqual(
      [{ id: carts[2]?.order }],
    )
    // A worker that derives another id for the same attempt meets this.
    await expect(
      buying.sql('update orders set cart_id = $1, attempt = 2 where id = $2', [
        third?.id,
        purchase.carts[1]?.order,
      ]),
    ).rejects.toThrow('orders_attempt')
    if (!shops[2]) throw new Error('no third shop')
    await answerOrder(buying, shops[2], String(carts[2]?.order), 'confirmed')
    expect(await buying.ended(buyer, purchase.id)).toMatchObject({ status: 'succeeded' })
    await buying.settled()
  })

  test('its orders are refunded in turns: under the ids it would have given, and under others where those are taken', async () => {
    const id = await buyAsBefore(buying, buyer, shops)
    const { carts } = await orderedEverywhere(buying, buyer, id)
    for (const [position, shop] of shops.entries())
      await answerOrder(buying, shop, String(carts[position]?.order), 'confirmed')
    await buying.ended(buyer, id)
    const ids: string[] = []
    for (let round = 1; round <= 4; round++) {
      for (const [position, { order }] of carts.entries()) {
        const key = shops[position]?.seller.keys.secret_test ?? ''
        const path = `/v1/merchant/orders/${order}/refunds`
        const { status, body } = await buying.app.post(path, { amount: 10 * round }, { key })
        expect([status, body.refunds?.at(-1)?.status], JSON.stringify(body)).toEqual([201, 'succeeded'])
        ids.push(body.refunds.at(-1).id)
        if (round === 1) expect(ids.at(-1)).toBe(derivedId(1, 'rfd', order as `ord_${string}`, 0))
      }
      if (round === 1)
        expect((await repair([])).out).toContain('its next refund would have had the id of a refund')
    }
    expect(new Set(ids).size).toBe(12)
    const refunds = (await buying.sandbox.processorLog()).filter(({ operation }) => operation === 'refund')
    expect(refunds.filter(({ key }) => ids.includes(key)).map(({ result }) => result)).toEqual(
      ids.map(() => 'approved'),
    )
  })
})
