import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { hasChromium } from '../harness/browser.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { openTickets } from '../harness/credential-tickets.ts'
import { person } from '../harness/person.ts'
import { openStrangers } from '../harness/strangers.ts'

const ada = { username: 'ada@example.com', password: 'correct-horse-7' }
/** A password that nobody has: found anywhere, it was kept there. */
const canary = 'canary-of-the-wall-4711'
const grace = { username: 'grace@example.com', password: 'battery-staple-9' }

let buying: Buying
let strangers: ReturnType<typeof openStrangers>
let tickets: ReturnType<typeof openTickets>
let people = 0

async function newBuyer(): Promise<Buyer & { email: string }> {
  const email = `member${++people}@example.com`
  return { ...(await buying.newBuyer('visa_auto_approved', undefined, { ...person, email })), email }
}

/** A purchase that stands at the wall of the shop. */
async function atTheWall(buyer: Buyer, handle = 'members-only', amount = 12_000): Promise<Purchase> {
  const { id } = await buying.buy(buyer, [{ url: `https://closed.shop.test/product/${handle}`, amount }], {
    preferences: { fulfillment: { max_fee_amount: 900 } },
    max_amount: 60_000,
  })
  return buying.until(buyer, id, ({ status }) => status === 'awaiting_merchant_auth')
}

function retry(buyer: Buyer, id: string, ticket: string) {
  return buying.app.post(
    `/v1/purchase_intents/${id}/retry`,
    { credential_ticket_id: ticket },
    { key: buyer.key },
  )
}

/** What the shop has seen of this buyer's order and its money; sign-ins are counted since `from`. */
async function shopSaw(buyer: { email: string }, from: number): Promise<string[]> {
  const log = await strangers.log('closed')
  const mine = log.filter(({ kind, email }, at) => (kind === 'sign_in' ? at >= from : email === buyer.email))
  return mine
    .filter(({ kind }) => kind === 'sign_in' || kind === 'order' || kind === 'charge')
    .map(({ kind, result }) => `${kind} ${result}`)
}

const asksForCode = ({ next_action }: Purchase) =>
  (next_action as { type: string } | null)?.type === 'provide_input'
const asksToSignIn = ({ status, next_action }: Purchase) =>
  status === 'awaiting_merchant_auth' && (next_action as { type: string } | null)?.type === 'merchant_sign_in'
const bought = ['sign_in signed in', 'order opened', 'charge authorized', 'charge captured']
const logLength = async () => (await strangers.log('closed')).length

describe.runIf(hasChromium)('a shop that sells to customers who have signed in', () => {
  beforeAll(async () => {
    buying = await startBuying({ testClock: true, strangers: true, pages: true })
    await installTestClock(buying.app.databaseUrl)
    strangers = openStrangers(buying)
    tickets = openTickets(buying)
    await strangers.know('closed.shop.test', 'browser')
  })
  afterAll(() => buying?.stop())

  test.each([
    ['the page of the product', 'members-only', 12_000],
    ['the checkout', 'checkout-wall', 3_000],
    ['the page of the product, with the password on the next page', 'two-pages', 2_000],
  ])(
    'with a wall before %s: a ticket takes the cart through, with one sign-in, order and charge',
    async (_, handle, amount) => {
      const buyer = await newBuyer()
      const wall = await atTheWall(buyer, handle, amount)
      expect(wall.next_action).toMatchObject({
        type: 'merchant_sign_in',
        element: 'MerchantAuthHandoff',
        merchant_domain: 'closed.shop.test',
        cart_id: wall.carts[0]?.id,
      })
      const from = await logLength()
      const answer = await retry(buyer, wall.id, await tickets.mint(buyer, wall, ada))
      expect(answer).toMatchObject({ status: 200, body: { status: 'approved', next_action: null } })
      const end = await buying.ended(buyer, wall.id)
      expect(end, await buying.pages?.log()).toMatchObject({ status: 'succeeded' })
      expect(await shopSaw(buyer, from)).toEqual(bought)
      expect(await buying.eventTypes(buyer, wall.id)).toContain('purchase_intent.merchant_auth_submitted')
    },
  )

  test('a form that writes the password into an address gets nothing', async () => {
    const buyer = await newBuyer()
    const wall = await atTheWall(buyer, 'get-form', 2_000)
    const from = await logLength()
    expect((await retry(buyer, wall.id, await tickets.mint(buyer, wall, ada))).status).toBe(200)
    const end = await buying.ended(buyer, wall.id)
    expect(end, await buying.pages?.log()).toMatchObject({
      status: 'failed',
      carts: [{ failure_reason: { code: 'merchant_unsupported' } }],
    })
    expect(await shopSaw(buyer, from)).toEqual([])
  })

  test('a wrong password is told, and the right one buys', async () => {
    const buyer = await newBuyer()
    const wall = await atTheWall(buyer)
    const from = await logLength()
    const wrong = await tickets.mint(buyer, wall, { ...ada, password: canary })
    expect((await retry(buyer, wall.id, wrong)).status).toBe(200)
    const refused = await buying.until(buyer, wall.id, ({ status }) => status === 'merchant_auth_failed')
    expect(refused).toMatchObject({
      next_action: { type: 'merchant_sign_in' },
      carts: [{ status: 'awaiting_merchant_auth' }],
    })
    expect((await retry(buyer, wall.id, wrong)).status).toBe(410)
    expect((await retry(buyer, wall.id, await tickets.mint(buyer, refused, ada))).status).toBe(200)
    expect(await buying.ended(buyer, wall.id), await buying.pages?.log()).toMatchObject({
      status: 'succeeded',
    })
    expect(await shopSaw(buyer, from)).toEqual(['sign_in wrong password', ...bought])
    const types = await buying.eventTypes(buyer, wall.id)
    expect(types.filter((type) => /purchase_intent\..*merchant_auth/.test(type))).toEqual([
      'purchase_intent.awaiting_merchant_auth',
      'purchase_intent.merchant_auth_submitted',
      'purchase_intent.awaiting_merchant_auth',
      'purchase_intent.merchant_auth_failed',
      'purchase_intent.merchant_auth_submitted',
    ])
  })

  test('a code by mail goes on in the page that asked for it, also after a wrong one', async () => {
    const buyer = await newBuyer()
    const wall = await atTheWall(buyer, 'checkout-wall', 3_000)
    const from = await logLength()
    await retry(buyer, wall.id, await tickets.mint(buyer, wall, grace))
    const asked = await buying.until(buyer, wall.id, asksForCode)
    expect(asked).toMatchObject({
      status: 'awaiting_merchant_auth',
      summary: expect.stringContaining('has sent a code'),
      next_action: { element: 'MerchantAuthHandoff', merchant_domain: 'closed.shop.test' },
    })
    const code = await strangers.mailedCode('closed', grace.username)
    const wrong = code === '000000' ? '000001' : '000000'
    await retry(buyer, wall.id, await tickets.mint(buyer, asked, { code: wrong }))
    const again = await buying.until(buyer, wall.id, ({ status }) => status === 'merchant_auth_failed')
    expect(again.next_action).toMatchObject({
      type: 'provide_input',
      fields: [{ name: 'one_time_code', kind: 'code' }],
    })
    await retry(buyer, wall.id, await tickets.mint(buyer, again, { code }))
    expect(await buying.ended(buyer, wall.id), await buying.pages?.log()).toMatchObject({
      status: 'succeeded',
    })
    expect(await shopSaw(buyer, from)).toEqual(['sign_in wrong code', ...bought])
  })

  test('where the page is gone that waited for the code, the person signs in anew', async () => {
    const buyer = await newBuyer()
    const wall = await atTheWall(buyer)
    await retry(buyer, wall.id, await tickets.mint(buyer, wall, grace))
    await buying.until(buyer, wall.id, asksForCode)
    // Its time is over, as far as the product counts it.
    await advanceTestClock(buying.app.databaseUrl, 601)
    const over = await buying.until(buyer, wall.id, asksToSignIn)
    expect(over.status).toBe('awaiting_merchant_auth')
    await retry(buyer, wall.id, await tickets.mint(buyer, over, grace))
    const asked = await buying.until(buyer, wall.id, asksForCode)
    // The browser has ended: no page is known by this name.
    await buying.sql(
      `update carts set page_session = 'bvp_gone' where intent_id = $1 and page_session like 'bvp\\_%'`,
      [wall.id],
    )
    const from = await logLength()
    const code = await strangers.mailedCode('closed', grace.username)
    await retry(buyer, wall.id, await tickets.mint(buyer, asked, { code }))
    const anew = await buying.until(buyer, wall.id, asksToSignIn)
    expect(await logLength()).toBe(from)
    await retry(buyer, wall.id, await tickets.mint(buyer, anew, ada))
    expect(await buying.ended(buyer, wall.id)).toMatchObject({ status: 'succeeded' })
  })

  test('a ticket of which the vault knows nothing leads to the wall again', async () => {
    const buyer = await newBuyer()
    const wall = await atTheWall(buyer)
    const from = await logLength()
    const ticket = await tickets.mint(buyer, wall, ada)
    await buying.sql(`update credential_tickets set id = 'ticket_lost' where id = $1`, [ticket])
    expect((await retry(buyer, wall.id, 'ticket_lost')).body.status).toBe('approved')
    await buying.until(buyer, wall.id, asksToSignIn)
    expect(await shopSaw(buyer, from)).toEqual([])
    expect((await buying.eventTypes(buyer, wall.id)).at(-1)).toBe('purchase_intent.awaiting_merchant_auth')
    await buying.app.post(`/v1/purchase_intents/${wall.id}/cancel`, {}, { key: buyer.key })
  })

  test.each(['REST', 'MCP'])('each other ticket is refused as promised over %s', async (surface) => {
    const buyer = await newBuyer()
    const [wall, other] = [await atTheWall(buyer), await atTheWall(buyer)]
    const stranger = await buying.newBuyer('visa_auto_approved', buying.app.stranger)
    const refusalOf = async (id: string, ticket: string, key = buyer.key) => {
      const args = { credential_ticket_id: ticket }
      const answer =
        surface === 'REST'
          ? await buying.app.post(`/v1/purchase_intents/${id}/retry`, args, { key })
          : await buying.app.mcp('v1_retry_purchase_intent', { purchase_intent_id: id, ...args }, { key })
      return `${answer.status} ${answer.body.detail?.code ?? answer.body.status}`
    }
    const theirs = await atTheWall(stranger)
    const foreign = await tickets.mint(stranger, theirs, ada)
    const late = await tickets.mint(buyer, wall, ada, { livesMs: 1_000 })
    const elsewhere = await tickets.mint(buyer, wall, ada, { host: 'shop.test' })
    const good = await tickets.mint(buyer, wall, ada)
    const moved = await tickets.mint(buyer, wall, ada)
    const kept = await tickets.mint(buyer, wall, ada)
    await advanceTestClock(buying.app.databaseUrl, 2)
    expect(await refusalOf(wall.id, 'ticket_of_nobody')).toBe('404 not_found')
    expect([await refusalOf(wall.id, foreign), await tickets.stateOf(foreign)]).toEqual([
      '404 not_found',
      'open',
    ])
    expect(await refusalOf(wall.id, late)).toBe('410 ticket_used')
    expect([await refusalOf(wall.id, elsewhere), await tickets.stateOf(elsewhere)]).toEqual([
      '409 not_retryable',
      'open',
    ])
    expect([await refusalOf(other.id, moved), await tickets.stateOf(moved)]).toEqual([
      '409 ticket_wrong_intent',
      'destroyed',
    ])
    expect(await refusalOf(wall.id, moved)).toBe('410 ticket_used')
    const rush = await Promise.all(Array.from({ length: 12 }, () => refusalOf(wall.id, good)))
    expect(rush.sort()).toEqual(['200 approved', ...Array.from({ length: 11 }, () => '410 ticket_used')])
    await buying.ended(buyer, wall.id)
    expect([await refusalOf(wall.id, kept), await tickets.stateOf(kept)]).toEqual([
      '409 not_retryable',
      'open',
    ])
    await buying.app.post(`/v1/purchase_intents/${other.id}/cancel`, {}, { key: buyer.key })
    await buying.app.post(`/v1/purchase_intents/${theirs.id}/cancel`, {}, { key: stranger.key })
  })

  test('what was typed is in no row, log, event or complaint, and everything adds up', async () => {
    await buying.settled()
    const [tables] = await buying.sql<{ found: string[] }>(
      `select array_agg(format('%I.%I', table_schema, table_name)) as found from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const secrets = [canary, ada.password, grace.password].flatMap((text) => [
      text,
      Buffer.from(text).toString('hex'),
      Buffer.from(text).toString('base64').slice(0, 16),
    ])
    const pattern = secrets.join('|')
    for (const table of tables?.found ?? []) {
      const rows = await buying.sql(`select 1 from ${table} t where t::text ~ $1 limit 1`, [pattern])
      expect(rows, table).toEqual([])
    }
    expect(tables?.found.length).toBeGreaterThan(40)
    const log = `${await buying.pages?.log()} ${JSON.stringify(buying.app.lines)}`
    expect(log).toContain('a ticket was opened')
    expect(log).not.toMatch(new RegExp(pattern))
    await buying.audit()
  })
})
