import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { hasChromium } from '../harness/browser.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { person } from '../harness/person.ts'
import { openStrangers } from '../harness/strangers.ts'

/** Nobody else's number: found anywhere but in the shop's book, it was kept there. */
const canary = '+15035550147'

let buying: Buying
let strangers: ReturnType<typeof openStrangers>
let people = 0

async function newBuyer(): Promise<Buyer & { email: string }> {
  const email = `asked${++people}@example.com`
  return { ...(await buying.newBuyer('visa_auto_approved', undefined, { ...person, email })), email }
}

/** A purchase whose shop asks what its buyer's profile lacks. */
async function asked(
  buyer: Buyer,
  handle: string,
  is: (purchase: Purchase) => boolean = isAsked,
): Promise<Purchase> {
  const { id } = await buying.buy(
    buyer,
    [{ url: `https://picky.shop.test/product/${handle}`, amount: 1_200 }],
    {
      preferences: { fulfillment: { max_fee_amount: 900 } },
      max_amount: 6_000,
    },
  )
  return buying.until(buyer, id, is)
}

const isAsked = ({ next_action, status }: Purchase) =>
  (next_action as { type: string } | null)?.type === 'provide_input' || status === 'failed'

function answer(buyer: Buyer, { id, carts }: Purchase, values: object, key = buyer.key) {
  return buying.app.post(`/v1/purchase_intents/${id}/input`, { cart_id: carts[0]?.id, values }, { key })
}

/** What the shop's book has of this buyer. */
async function booked({ email }: { email: string }) {
  const orders = (await strangers.orders('picky')) as {
    email: string
    address: { phone: string; region: string }
  }[]
  return orders
    .filter((order) => order.email === email)
    .map(({ address: { phone, region } }) => [phone, region])
}

const refusalOf = (reply: { status: number; body: { detail?: { code?: string } } }) =>
  `${reply.status} ${reply.body.detail?.code ?? ''}`.trim()

const sessionOf = async ({ id }: Purchase) =>
  (
    await buying.sql<{ session: string | null }>(
      `select question ->> 'session' as session from carts where intent_id = $1`,
      [id],
    )
  )[0]?.session

describe.runIf(hasChromium)('a shop that must know more', () => {
  beforeAll(async () => {
    buying = await startBuying({ testClock: true, strangers: true, pages: true })
    await installTestClock(buying.app.databaseUrl)
    strangers = openStrangers(buying)
    await strangers.know('picky.shop.test', 'browser')
  })
  afterAll(() => buying?.stop())

  test('a phone that the buyer lacks is asked for, and what is answered is typed', async () => {
    const buyer = await newBuyer()
    const purchase = await asked(buyer, 'asks-phone')
    expect(purchase, await buying.pages?.log()).toMatchObject({
      status: 'approved',
      summary: expect.stringContaining('must know more before it sells'),
      next_action: {
        type: 'provide_input',
        cart_id: purchase.carts[0]?.id,
        fields: [{ name: 'phone', label: 'Phone', kind: 'text', max_length: 200, host: 'picky.shop.test' }],
      },
      carts: [{ status: 'in_progress' }],
    })
    const answered = await answer(buyer, purchase, { phone: canary })
    expect(answered).toMatchObject({ status: 200, body: { next_action: null } })
    expect(await buying.ended(buyer, purchase.id), await buying.pages?.log()).toMatchObject({
      status: 'succeeded',
    })
    expect(await booked(buyer)).toEqual([[canary, '']])
  })

  test('the page that asked goes on where it stood, and where it is gone the way begins anew with the answer', async () => {
    for (const isGone of [false, true]) {
      const buyer = await newBuyer()
      const purchase = await asked(buyer, 'asks-phone')
      expect(await sessionOf(purchase)).toMatch(/^bvp_/)
      if (isGone)
        await buying.sql(
          `update carts set question = jsonb_set(question, '{session}', '"bvp_gone"') where intent_id = $1`,
          [purchase.id],
        )
      const carts = (await strangers.log('picky')).filter(({ kind }) => kind === 'cart').length
      expect((await answer(buyer, purchase, { phone: canary })).status).toBe(200)
      expect(await buying.ended(buyer, purchase.id), await buying.pages?.log()).toMatchObject({
        status: 'succeeded',
      })
      const begun = (await strangers.log('picky')).filter(({ kind }) => kind === 'cart').length - carts
      expect(begun).toBe(isGone ? 1 : 0)
      expect(await booked(buyer)).toEqual([[canary, '']])
    }
  })

  test('each kind of value is checked, and all that was asked is typed', async () => {
    const buyer = await newBuyer()
    const purchase = await asked(buyer, 'asks-all')
    const right = {
      phone: canary,
      how_did_you_hear_of_us: 'A friend',
      delivery_date: '2031-03-04',
      floors_without_a_lift: 3,
      name_on_the_doorbell: 'Lovelace',
    }
    for (const [name, value] of [
      ['phone', ''],
      ['phone', '4242 4242 4242 4242'],
      ['how_did_you_hear_of_us', 'f'],
      ['delivery_date', '04.03.2031'],
      ['floors_without_a_lift', '3'],
      ['name_on_the_doorbell', 'L'.repeat(31)],
      ['name_on_the_doorbell', undefined],
      ['another', 'one'],
    ] as const) {
      const wrong = await answer(buyer, purchase, { ...right, [name]: value })
      expect([name, wrong.status], JSON.stringify(wrong.body)).toEqual([name, 422])
      expect(JSON.stringify(wrong.body)).toContain(`"${name}"`)
    }
    expect((await answer(buyer, purchase, right)).status).toBe(200)
    expect(await buying.ended(buyer, purchase.id), await buying.pages?.log()).toMatchObject({
      status: 'succeeded',
    })
    expect(await booked(buyer)).toEqual([[canary, 'f|2031-03-04|3|Lovelace']])
  })

  test('one of several answers at once counts, and none counts a second time or of another account', async () => {
    const buyer = await newBuyer()
    const purchase = await asked(buyer, 'asks-phone')
    const stranger = await buying.newBuyer('visa_auto_approved', buying.app.stranger)
    expect(refusalOf(await answer(buyer, purchase, { phone: canary }, stranger.key))).toBe('404 not_found')
    const numbers = [1, 2, 3, 4].map((digit) => `+1503555014${digit}`)
    const all = await Promise.all(numbers.map((phone) => answer(buyer, purchase, { phone })))
    expect(all.map(refusalOf).sort()).toEqual(['200', ...[1, 2, 3].map(() => '409 input_not_awaited')])
    expect(refusalOf(await answer(buyer, purchase, { phone: canary }))).toBe('409 input_not_awaited')
    expect(await buying.ended(buyer, purchase.id)).toMatchObject({ status: 'succeeded' })
    expect(await booked(buyer)).toEqual([[numbers[all.findIndex(({ status }) => status === 200)], '']])
  })

  test('an agent chooses what is about no person, and tells nothing else', async () => {
    const buyer = await newBuyer()
    const { token: agent } = await buying.app.newKey(buyer.account, 'test', 'buyer_agent')
    const phone = await asked(buyer, 'asks-phone')
    expect(refusalOf(await answer(buyer, phone, { phone: canary }, agent))).toBe('403 insufficient_scope')
    const choice = await asked(buyer, 'asks-choice')
    const values = { how_did_you_hear_of_us: 'A newspaper' }
    const args = { purchase_intent_id: choice.id, cart_id: choice.carts[0]?.id, values }
    expect((await buying.app.mcp('v1_answer_purchase_intent_input', args, { key: agent })).status).toBe(200)
    expect(await buying.ended(buyer, choice.id)).toMatchObject({ status: 'succeeded' })
    expect(await booked(buyer)).toEqual([['', 'n']])
    await buying.app.post(`/v1/purchase_intents/${phone.id}/cancel`, {}, { key: buyer.key })
  })

  test('a kept answer is named by the next purchase there and told again, until it is deleted or its profile is archived', async () => {
    const buyer = await newBuyer()
    const agent = await buying.app.newKey(buyer.account, 'test', 'buyer_agent')
    const path = `/v1/profiles/${buyer.profileId}/shop_answers`
    const first = await asked(buyer, 'asks-phone')
    const body = { cart_id: first.carts[0]?.id, values: { phone: canary }, keep: true }
    expect(
      (await buying.app.post(`/v1/purchase_intents/${first.id}/input`, body, { key: buyer.key })).status,
    ).toBe(200)
    expect(await buying.ended(buyer, first.id)).toMatchObject({ status: 'succeeded' })
    const kept = await buying.app.get(path, { key: buyer.key })
    expect(kept.body).toMatchObject({
      total: 1,
      data: [{ host: 'picky.shop.test', name: 'phone', label: 'Phone', value: canary }],
    })
    expect(refusalOf(await buying.app.get(path, { key: agent.token }))).toBe('403 insufficient_scope')
    const second = await asked(
      buyer,
      'asks-phone',
      ({ status }) => status === 'succeeded' || status === 'failed',
    )
    expect(second, await buying.pages?.log()).toMatchObject({
      status: 'succeeded',
      shop_answers: [{ host: 'picky.shop.test', name: 'phone', label: 'Phone' }],
    })
    expect(await booked(buyer)).toEqual([
      [canary, ''],
      [canary, ''],
    ])
    const stranger = await buying.newBuyer('visa_auto_approved', buying.app.stranger)
    for (const key of [stranger.key])
      expect([
        refusalOf(await buying.app.get(path, { key })),
        refusalOf(await buying.app.request('DELETE', path, { key })),
      ]).toEqual(['404 not_found', '404 not_found'])
    const deleted = async (query: string) =>
      (await buying.app.request('DELETE', `${path}${query}`, { key: buyer.key })).body
    expect(await deleted('?host=shop.test')).toEqual({ deleted: 0 })
    // What was named by then is gone, and is asked for.
    expect(await deleted('?host=picky.shop.test&name=phone')).toEqual({ deleted: 1 })
    const third = await asked(buyer, 'asks-phone')
    expect(third).toMatchObject({ next_action: { type: 'provide_input' } })
    expect(third).not.toHaveProperty('shop_answers')
    expect((await answer(buyer, third, { phone: canary })).status).toBe(200)
    expect(await buying.ended(buyer, third.id)).toMatchObject({ status: 'succeeded' })
    await buying.app.post(`/v1/profiles/${buyer.profileId}/archive`, {}, { key: buyer.key })
    await expect
      .poll(
        async () =>
          await buying.sql(`select 1 from carts where answers is not null and intent_id = $1`, [third.id]),
      )
      .toEqual([])
  })

  test('what is not answered in a day, not taken by the shop, or never asked ends the cart, with the reason', async () => {
    const buyer = await newBuyer()
    const secret = await asked(buyer, 'asks-pin')
    expect(secret).toMatchObject({
      status: 'failed',
      carts: [
        {
          failure_reason: {
            code: 'merchant_unsupported',
            retry_policy: 'after_change',
            merchant_message: expect.stringContaining('Your PIN'),
          },
        },
      ],
    })
    const deaf = await asked(buyer, 'takes-nothing')
    expect((await answer(buyer, deaf, { name_on_the_doorbell: 'Lovelace' })).status).toBe(200)
    expect(await buying.ended(buyer, deaf.id)).toMatchObject({
      status: 'failed',
      carts: [
        {
          failure_reason: {
            code: 'merchant_unsupported',
            merchant_message: expect.stringContaining('Name on the doorbell'),
          },
        },
      ],
    })
    const late = await asked(buyer, 'asks-phone')
    await advanceTestClock(buying.app.databaseUrl, 24 * 3600 + 1)
    expect(refusalOf(await answer(buyer, late, { phone: canary }))).toBe('409 input_not_awaited')
    expect(await buying.ended(buyer, late.id)).toMatchObject({
      carts: [{ failure_reason: { code: 'input_not_given' } }],
    })
    expect(await booked(buyer)).toEqual([])
  })

  test('what was answered is in no row, log, event or complaint, and everything adds up', async () => {
    await buying.settled()
    const tables = await buying.sql<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const pattern = [
      canary.slice(1),
      Buffer.from(canary).toString('hex'),
      Buffer.from(canary).toString('base64').slice(0, 14),
    ].join('|')
    for (const { name } of tables)
      expect(await buying.sql(`select 1 from ${name} t where t::text ~ $1 limit 1`, [pattern]), name).toEqual(
        [],
      )
    expect(`${await buying.pages?.log()} ${JSON.stringify(buying.app.lines)}`).not.toMatch(
      new RegExp(pattern),
    )
    await buying.audit()
  })
})
