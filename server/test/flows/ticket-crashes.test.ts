import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CrashPoint } from '../../src/platform/faults/faults.ts'
import { wholeSize } from '../gate/tenth-in-gate.ts'
import { hasChromium } from '../harness/browser.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { openTickets } from '../harness/credential-tickets.ts'
import type { Pages } from '../harness/pages.ts'
import { person } from '../harness/person.ts'
import { openStrangers } from '../harness/strangers.ts'

const ada = { username: 'ada@example.com', password: 'correct-horse-7' }
const host = 'closed.shop.test'

/** In the gate where the vault has done most and nobody knows, in a long run everywhere. */
const isWhole = process.env[wholeSize] === 'on'
const keeping: CrashPoint[] = [...(isWhole ? (['ticket.keep.before'] as const) : []), 'ticket.keep.after']
const opening: CrashPoint[] = [...(isWhole ? (['ticket.open.before'] as const) : []), 'ticket.open.after']

let buying: Buying
let pages: Pages
let strangers: ReturnType<typeof openStrangers>
let tickets: ReturnType<typeof openTickets>
let people = 0

async function atTheWall(): Promise<{ buyer: Buyer; email: string; wall: Purchase; cart: string }> {
  const email = `crash${++people}@example.com`
  const buyer = await buying.newBuyer('visa_auto_approved', undefined, { ...person, email })
  const { id } = await buying.buy(buyer, [{ url: `https://${host}/product/members-only`, amount: 12_000 }], {
    preferences: { fulfillment: { max_fee_amount: 900 } },
    max_amount: 60_000,
  })
  const wall = await buying.until(buyer, id, asksToSignIn)
  return { buyer, email, wall, cart: wall.carts[0]?.id ?? '' }
}

const asksToSignIn = ({ status, next_action }: Purchase) =>
  status === 'awaiting_merchant_auth' && (next_action as { type: string } | null)?.type === 'merchant_sign_in'

function retry(buyer: Buyer, { id }: Purchase, credential_ticket_id: string) {
  const path = `/v1/purchase_intents/${id}/retry`
  return buying.app.post(path, { credential_ticket_id }, { key: buyer.key })
}

async function signIns(): Promise<number> {
  return (await strangers.log('closed')).filter(({ kind }) => kind === 'sign_in').length
}

/** The person signs in once more, and the purchase goes on to its end with one order and one sign-in. */
async function signInAnew(buyer: Buyer, wall: Purchase, email: string): Promise<void> {
  const before = await signIns()
  expect((await retry(buyer, wall, await tickets.mint(buyer, wall, ada))).status).toBe(200)
  expect(await buying.ended(buyer, wall.id), await pages.log()).toMatchObject({ status: 'succeeded' })
  expect(await signIns()).toBe(before + 1)
  const mine = (await strangers.log('closed')).filter((one) => one.email === email)
  expect(mine.filter(({ kind }) => kind === 'order')).toHaveLength(1)
}

/** The ticket does nothing any more, for nobody. */
async function expectOver(buyer: Buyer, wall: Purchase, { id, cart }: { id: string; cart: string }) {
  expect((await retry(buyer, wall, id)).status).toBe(410)
  const asked = { ticket: id, cart, origin: `https://${host}` }
  expect(await pages.openTicket(asked)).toEqual({ kind: 'refused' })
}

describe.runIf(hasChromium)('a vault that is killed loses tickets and no purchase', () => {
  beforeAll(async () => {
    buying = await startBuying({ strangers: true, pages: true })
    if (buying.pages === null) throw new Error('there are no pages')
    pages = buying.pages
    strangers = openStrangers(buying)
    tickets = openTickets(buying)
    await strangers.know(host, 'browser')
  })
  afterAll(() => buying?.stop())

  test.runIf(isWhole)('after a ticket was begun: its key is gone, and the person types again', async () => {
    const { buyer, email, wall } = await atTheWall()
    const { id, seal } = await tickets.begin(buyer, wall, ada)
    await pages.restartVault()
    expect(await seal()).toMatchObject({ status: 409, body: { detail: { code: 'ticket_not_sealed' } } })
    expect((await retry(buyer, wall, id)).status).toBe(404)
    await signInAnew(buyer, wall, email)
  })

  test.each(keeping)(
    'while it takes what was sealed, at %s: nothing is sealed, and the same bytes are refused afterwards',
    async (point) => {
      await pages.restartVault(point)
      const { buyer, email, wall, cart } = await atTheWall()
      const { id, seal } = await tickets.begin(buyer, wall, ada)
      expect(await seal()).toMatchObject({ status: 503, body: { detail: { code: 'unavailable' } } })
      expect(await pages.vaultEnded()).toBe('SIGKILL')
      expect(await tickets.stateOf(id)).toBe('unsealed')
      await pages.restartVault()
      expect(await seal()).toMatchObject({ status: 409, body: { detail: { code: 'ticket_not_sealed' } } })
      expect((await retry(buyer, wall, id)).status).toBe(404)
      expect(await pages.openTicket({ ticket: id, cart, origin: `https://${host}` })).toEqual({
        kind: 'refused',
      })
      await signInAnew(buyer, wall, email)
    },
  )

  test('with a ticket in memory: the purchase goes on with it, finds nothing, and asks again', async () => {
    const { buyer, email, wall, cart } = await atTheWall()
    const [id, before] = [await tickets.mint(buyer, wall, ada), await signIns()]
    await pages.restartVault()
    expect((await retry(buyer, wall, id)).body.status).toBe('approved')
    const again = await buying.until(buyer, wall.id, asksToSignIn)
    expect((await buying.eventTypes(buyer, wall.id)).at(-1)).toBe('purchase_intent.awaiting_merchant_auth')
    expect(await signIns()).toBe(before)
    await expectOver(buyer, again, { id, cart })
    await signInAnew(buyer, again, email)
  })

  test.each(opening)(
    'while it opens a ticket, at %s: nothing is typed, and the purchase asks again',
    async (point) => {
      await pages.restartVault(point)
      const { buyer, email, wall, cart } = await atTheWall()
      const [id, before] = [await tickets.mint(buyer, wall, ada), await signIns()]
      expect((await retry(buyer, wall, id)).body.status).toBe('approved')
      expect(await pages.vaultEnded()).toBe('SIGKILL')
      const again = await buying.until(buyer, wall.id, asksToSignIn)
      await pages.restartVault()
      const told = (await buying.eventTypes(buyer, wall.id)).filter((type) =>
        /purchase_intent\..*merchant_auth/.test(type),
      )
      expect(told).toEqual([
        'purchase_intent.awaiting_merchant_auth',
        'purchase_intent.merchant_auth_submitted',
        'purchase_intent.awaiting_merchant_auth',
      ])
      expect(await signIns()).toBe(before)
      await expectOver(buyer, again, { id, cart })
      await signInAnew(buyer, again, email)
    },
  )

  test('nothing of what was typed is in a row or a log, and everything adds up', async () => {
    await buying.settled()
    const [tables] = await buying.sql<{ found: string[] }>(
      `select array_agg(format('%I.%I', table_schema, table_name)) as found from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const bytes = Buffer.from(ada.password)
    const written = new RegExp(
      [ada.password, bytes.toString('hex'), bytes.toString('base64').slice(0, 16)].join('|'),
    )
    for (const table of tables?.found ?? [])
      expect(
        await buying.sql(`select 1 from ${table} t where t::text ~ $1 limit 1`, [written.source]),
        table,
      ).toEqual([])
    expect(tables?.found.length).toBeGreaterThan(40)
    expect(`${await pages.log()} ${JSON.stringify(buying.app.lines)}`).not.toMatch(written)
    await buying.audit()
  })
})
