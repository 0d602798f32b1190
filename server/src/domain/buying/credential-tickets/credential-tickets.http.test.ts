import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Buyer, createPurchase, newBuyer, purchaseOf } from '../../../../test/harness/buyers.ts'
import {
  askForSession,
  elementsOfTests,
  newPageKey,
  signInSession,
} from '../../../../test/harness/element-sessions.ts'
import { eventTypesOf, readPurchase } from '../../../../test/harness/hand-worker.ts'
import { purchaseAtWall } from '../../../../test/harness/merchant-wall.ts'
import { sealFor } from '../../../../test/harness/seal-ticket.ts'
import { type StoppedClock, stopClock } from '../../../../test/harness/stopped-clock.ts'

const handoff = 'MerchantAuthHandoff'
const typed = { username: 'ada@example.com', password: 'canary-of-the-ticket-0815' }

let app: TestApp
let clock: StoppedClock
let key: string
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp({ testClock: true, elements: elementsOfTests })
  // What is sealed ends by the clock of the vault as well, which nobody stops.
  clock = await stopClock(app.parts.pools, new Date())
  key = await newPageKey(app)
  buyer = await newBuyer(app)
})
afterAll(() => app.stop())

type Wall = Awaited<ReturnType<typeof purchaseAtWall>> & { session: string }

async function atWall(more: Parameters<typeof purchaseAtWall>[1] = {}): Promise<Wall> {
  const purchase = await purchaseAtWall(app, { buyer, ...more })
  return { ...purchase, session: await signInSession(app, key, purchase.id) }
}

const tickets = '/elements/v1/purchase_intent/credential_tickets'

function call(session: string, path: string, body: object = {}, headers: Record<string, string> = {}) {
  return app.request('POST', path, { key: session, body, headers })
}

const begin = ({ session }: Wall, headers = {}) => call(session, tickets, {}, headers)
const seal = ({ session }: Wall, id: string, sealed: object) => call(session, `${tickets}/${id}/seal`, sealed)
const retry = ({ session }: Wall, id: string, more = {}) =>
  call(session, '/elements/v1/purchase_intent/retry', { credential_ticket_id: id, ...more })

/** A ticket that somebody has sealed. */
async function mint(wall: Wall): Promise<string> {
  const { body } = await begin(wall)
  expect(told(await seal(wall, body.id, await sealFor(body, typed)))).toBe(200)
  return body.id
}

const told = ({ status, body }: Answer) => (status < 300 ? status : [status, body?.detail?.code])

async function statusOf(id: string): Promise<unknown> {
  const [row] = await app.sql<{ status: string }>('select status from credential_tickets where id = $1', [id])
  return row?.status
}

/** What fifty callers are told at once, and how many of them. */
async function fifty(ask: () => Promise<Answer>): Promise<Record<string, number>> {
  const answers = await Promise.all(Array.from({ length: 50 }, ask))
  const counted = Object.groupBy(answers, (answer) => [told(answer)].flat().join(' '))
  return Object.fromEntries(Object.entries(counted).map(([name, some]) => [name, some?.length ?? 0]))
}

test('a component signs in for the purchase that waits for it, and has no right over cards', async () => {
  const { id } = await purchaseAtWall(app, { buyer })
  const opened = await askForSession(app, key, { component: handoff, purchase_intent_id: id })
  expect(opened).toMatchObject({
    status: 201,
    body: { component: handoff, profile_id: buyer.profileId, purchase_intent_id: id, may: [] },
  })
  const { session } = opened.body
  const shown = await app.request('GET', '/elements/v1/purchase_intent', { key: session })
  expect(shown.body).toMatchObject({ id, next_action: { merchant_domain: 'tea.example' } })
  const cards = await app.request('GET', '/elements/v1/payment_methods', { key: session })
  const card = await call(session, '/elements/v1/payment_methods', {
    type: 'card',
    card: { kind: 'existing', vault_token_id: 'visa_auto_approved' },
  })
  expect([told(cards), told(card)]).toEqual([
    [403, 'insufficient_scope'],
    [403, 'insufficient_scope'],
  ])
  for (const body of [{ profile_id: buyer.profileId }, {}])
    expect((await askForSession(app, key, { component: handoff, ...body })).status).toBe(422)
  const approving = (await createPurchase(app, buyer)).body.id
  const refused = await askForSession(app, key, { component: handoff, purchase_intent_id: approving })
  expect(told(refused)).toEqual([409, 'component_not_applicable'])
})

test('what a person has typed is left with the vault, and the cart goes on', async () => {
  const wall = await atWall()
  const begun = await begin(wall)
  expect(begun).toMatchObject({
    status: 201,
    body: {
      object: 'credential_ticket',
      host: 'tea.example',
      cart_id: wall.cart,
      kind: 'password',
      status: 'unsealed',
    },
  })
  const { id, info, expires_at } = begun.body
  const { accountId } = app.account
  expect(Buffer.from(info, 'base64url').toString()).toBe(
    ['prokura ticket v1', id, wall.id, accountId, 'test', 'tea.example', expires_at].join('\n'),
  )
  const sealed = await sealFor(begun.body, typed)
  const answers = [await seal(wall, id, sealed), await seal(wall, id, sealed)]
  expect(answers.map(told)).toEqual([200, 200])
  expect(answers[1]?.body).toEqual(answers[0]?.body)
  expect(answers[0]?.body).toMatchObject({ id, status: 'open', expires_at })
  const gone = await retry(wall, id)
  expect(gone).toMatchObject({ status: 200, body: { id: wall.id, status: 'approved', next_action: null } })
  expect(await statusOf(id)).toBe('used')
  expect((await eventTypesOf(app, wall.id)).at(-1)).toBe('purchase_intent.merchant_auth_submitted')
  const acted = await app.sql(
    `select actor_type, actor_id from events where aggregate_id = $1 and type like '%submitted'`,
    [wall.id],
  )
  expect(acted).toEqual([{ actor_type: 'cardholder', actor_id: buyer.profileId }])
  await nowhere(sealed.ciphertext)
})

/** Neither what was typed nor what was sealed is in a row. */
async function nowhere(ciphertext: string): Promise<void> {
  const [found] = await app.sql<{ tables: string[] }>(
    `select array_agg(format('%I.%I', table_schema, table_name)) as tables from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const bytes = Buffer.from(ciphertext, 'base64url').toString('hex')
  const pattern = [typed.password, ciphertext.slice(0, 24), bytes.slice(0, 48)].join('|')
  for (const table of found?.tables ?? [])
    expect([table, await app.sql(`select 1 from ${table} t where t::text ~ $1`, [pattern])]).toEqual([
      table,
      [],
    ])
  expect(JSON.stringify(app.lines)).not.toMatch(new RegExp(pattern))
}

test('a code is asked for where the merchant has sent one', async () => {
  const wall = await atWall({ code: { session: 'bvp_1' } })
  expect((await begin(wall)).body).toMatchObject({ kind: 'code', status: 'unsealed' })
})

test('a ticket is sealed once, by a component of its purchase, in time', async () => {
  const [wall, other] = [await atWall(), await atWall()]
  const { body: begun } = await begin(wall)
  const sealed = await sealFor(begun, typed)
  expect(told(await seal(other, begun.id, sealed))).toEqual([404, 'not_found'])
  expect(told(await seal(wall, 'ticket_unknown', sealed))).toEqual([404, 'not_found'])
  expect(told(await seal(wall, begun.id, { ...sealed, key: 'vsk_unknown' }))).toEqual([
    409,
    'ticket_not_sealed',
  ])
  expect((await seal(wall, begun.id, { ...sealed, password: 'open' })).status).toBe(422)
  expect(told(await seal(wall, begun.id, sealed))).toBe(200)
  const others = await sealFor(begun, { ...typed, password: 'another' })
  expect(told(await seal(wall, begun.id, others))).toEqual([409, 'ticket_not_sealed'])
  const { body: late } = await begin(wall)
  await clock.advance(10 * 60_000)
  expect(told(await seal(wall, late.id, await sealFor(late, typed)))).toEqual([410, 'ticket_used'])
})

test('of fifty that seal at once, the ticket has what one of them has sealed', async () => {
  const wall = await atWall()
  const { body } = await begin(wall)
  const same = await sealFor(body, typed)
  expect(await fifty(() => seal(wall, body.id, same))).toEqual({ 200: 50 })
  const { body: next } = await begin(wall)
  const counted = await fifty(async () => seal(wall, next.id, await sealFor(next, typed)))
  expect(counted).toEqual({ 200: 1, '409 ticket_not_sealed': 49 })
})

test('without a vault nothing begins, and one that has ended takes nothing that was sealed for it', async () => {
  const wall = await atWall()
  const { body } = await begin(wall)
  const sealed = await sealFor(body, typed)
  app.tickets.away = true
  expect(told(await begin(wall))).toEqual([503, 'unavailable'])
  expect(told(await seal(wall, body.id, sealed))).toEqual([503, 'unavailable'])
  app.tickets.away = false
  expect(await statusOf(body.id)).toBe('unsealed')
  app.tickets.restart()
  expect(told(await seal(wall, body.id, sealed))).toEqual([409, 'ticket_not_sealed'])
  expect(told(await retry(wall, await mint(wall)))).toBe(200)
})

test('a purchase has so many tickets that nobody has used, and none once it waits no longer', async () => {
  const wall = await atWall()
  for (let count = 0; count < 20; count++) expect(told(await begin(wall))).toBe(201)
  expect(told(await begin(wall))).toEqual([409, 'object_limit_reached'])
  await clock.advance(10 * 60_000)
  expect(told(await retry(wall, await mint(wall)))).toBe(200)
  expect(told(await begin(wall))).toEqual([409, 'component_not_applicable'])
})

test('a repeat with the same idempotency key begins no second ticket', async () => {
  const wall = await atWall()
  const headers = { 'idempotency-key': 'begin-once' }
  const [first, second] = [await begin(wall, headers), await begin(wall, headers)]
  expect([first.status, second.body]).toEqual([201, first.body])
})

test('a component sends a ticket, and nothing is bought by it otherwise', async () => {
  const wall = await atWall()
  const ticket = await mint(wall)
  const bodies = [
    {},
    { cart_ids: [wall.cart] },
    { profile_payment_method_id: buyer.paymentMethodId },
    { credential_ticket_id: ticket, cart_ids: [wall.cart] },
    { credential_ticket_id: ticket, profile_payment_method_id: buyer.paymentMethodId },
  ]
  for (const body of bodies) {
    const answer = await call(wall.session, '/elements/v1/purchase_intent/retry', body)
    expect(answer.status, JSON.stringify(body)).toBe(422)
  }
  expect(await statusOf(ticket)).toBe('open')
  await app.post(`/v1/purchase_intents/${wall.id}/cancel`, {})
  // Not even of a purchase that could be retried as it is.
  const again = await call(wall.session, '/elements/v1/purchase_intent/retry', {})
  expect([again.status, again.body.detail[0]?.msg]).toEqual([422, expect.stringContaining('nothing else')])
})

test('a component for cards signs in nowhere', async () => {
  const waiting = await newBuyer(app, { card: 'visa_ineligible', enrolled: false })
  const { id } = (await createPurchase(app, waiting)).body
  const subject = { component: 'AddOrSelectPaymentMethod', purchase_intent_id: id }
  const { session } = (await askForSession(app, key, subject)).body
  for (const path of [tickets, `${tickets}/ticket_x/seal`, '/elements/v1/purchase_intent/retry']) {
    const body = path.endsWith('seal')
      ? { key: 'k', enc: 'e', ciphertext: 'c' }
      : path.endsWith('retry')
        ? { credential_ticket_id: 'ticket_x' }
        : {}
    expect([path, told(await call(session, path, body))]).toEqual([path, [403, 'insufficient_scope']])
  }
})

test('a ticket that nobody of the account has made was never there, for fifty at once', async () => {
  const wall = await atWall()
  const ticket = await mint(wall)
  const secret = app.stranger.keys.secret_test
  const theirs = await newBuyer(app, { key: secret })
  const intent = (await app.post('/v1/purchase_intents', purchaseOf(theirs), { key: secret })).body.id
  const ask = (id: string) => () =>
    app.post(`/v1/purchase_intents/${intent}/retry`, { credential_ticket_id: id }, { key: secret })
  expect(await fifty(ask(ticket))).toEqual({ '404 not_found': 50 })
  expect(await fifty(() => retry(wall, 'ticket_unknown'))).toEqual({ '404 not_found': 50 })
  // Of another person of the account it never was, for a component.
  const [elsewhere, unsealed] = [await atWall({ buyer: await newBuyer(app) }), (await begin(wall)).body.id]
  expect(await fifty(() => retry(elsewhere, ticket))).toEqual({ '404 not_found': 50 })
  expect(await fifty(() => retry(wall, unsealed))).toEqual({ '404 not_found': 50 })
  expect([await statusOf(ticket), await statusOf(unsealed)]).toEqual(['open', 'unsealed'])
  expect(told(await retry(wall, ticket))).toBe(200)
})

test('a ticket of another purchase is destroyed by the first of fifty, and was used for the others', async () => {
  const [wall, other] = [await atWall(), await atWall()]
  const ticket = await mint(wall)
  expect(await fifty(() => retry(other, ticket))).toEqual({
    '409 ticket_wrong_intent': 1,
    '410 ticket_used': 49,
  })
  expect(await statusOf(ticket)).toBe('destroyed')
  expect(await fifty(() => retry(wall, ticket))).toEqual({ '410 ticket_used': 50 })
  for (const { id } of [wall, other])
    expect(await readPurchase(app, id)).toMatchObject({ status: 'awaiting_merchant_auth' })
})

test('a ticket whose time is over is refused to fifty, at its last moment not', async () => {
  const wall = await atWall()
  const [late, inTime] = [await mint(wall), await mint(wall)]
  await clock.advance(10 * 60_000)
  expect(await fifty(() => retry(wall, late))).toEqual({ '410 ticket_used': 50 })
  await clock.set(new Date(clock.now().getTime() - 1))
  expect(told(await retry(wall, inTime))).toBe(200)
})

test('a purchase that stands at no wall leaves the ticket as it is, for fifty', async () => {
  const wall = await atWall()
  const [used, kept] = [await mint(wall), await mint(wall)]
  expect(told(await retry(wall, used))).toBe(200)
  expect(await fifty(() => retry(wall, kept))).toEqual({ '409 not_retryable': 50 })
  expect(await statusOf(kept)).toBe('open')
})

test('of fifty that send a ticket at once, one makes the cart go on', async () => {
  const wall = await atWall()
  const ticket = await mint(wall)
  expect(await fifty(() => retry(wall, ticket))).toEqual({ 200: 1, '410 ticket_used': 49 })
  const types = await eventTypesOf(app, wall.id)
  expect(types.filter((type) => type.endsWith('submitted'))).toHaveLength(1)
})
