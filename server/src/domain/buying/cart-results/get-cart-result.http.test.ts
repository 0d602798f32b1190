import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Buyer, newBuyer } from '../../../../test/harness/buyers.ts'
import { runningPurchase } from '../../../../test/harness/hand-worker.ts'
import { onHeldCart } from '../../../../test/harness/on-held-cart.ts'
import { advanceTestClock, installTestClock } from '../../../platform/clock/test-clock.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { defaultRetention } from '../../../platform/retention/retention.ts'
import { runSweep } from '../../../platform/retention/run-sweep.ts'
import { withEffect } from '../execution/cart-state.ts'
import { hear } from '../execution/hear.ts'
import { blankEffect } from '../execution/journal.ts'
import { effect } from '../execution/states.testing.ts'
import { sweepResults } from './cart-results.sql.ts'
import type { ReceivedResult } from './port.ts'

const day = 86_400

let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  await installTestClock(app.databaseUrl)
  buyer = await newBuyer(app)
})
afterAll(() => app.stop())

type Running = Awaited<ReturnType<typeof runningPurchase>>

/** A cart whose order is sent, and then answered with this. */
async function answered(result: Partial<ReceivedResult> | null, more: { fails?: boolean } = {}) {
  const purchase = await runningPurchase(app, buyer)
  const work = onHeldCart(
    app,
    purchase,
    (state) => {
      const whole = result && { bytes: Buffer.from('{}'), contentType: null, receipt: null, ...result }
      const value = { orderId: 'R-1', transactionId: null, result: whole }
      const sent = withEffect(state, blankEffect(state, effect('place', 'sent')))
      const answer = { kind: 'done', value } as const
      return hear(sent, { kind: 'place', attempt: 1, answer })
    },
    more,
  )
  await (more.fails ? expect(work).rejects.toThrow('this step fails') : work)
  return purchase
}

const pathOf = ({ id, carts: [cart] }: Running) => `/v1/purchase_intents/${id}/carts/${cart}/result`

const download = (purchase: Running) =>
  fetch(`${app.url}${pathOf(purchase)}`, {
    headers: { authorization: `Bearer ${app.account.keys.secret_test}` },
  })

const described = (purchase: Running, key?: string) =>
  app.get(pathOf(purchase), { headers: { accept: 'application/json' }, ...(key ? { key } : {}) })

const sweep = () => runSweep({ ...app.parts, log: silentLog(), retention: defaultRetention }, sweepResults)

test('what a merchant answered is downloaded byte for byte, as a file of no type that a browser would show', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const purchase = await answered({ bytes, contentType: 'text/html; charset=utf-8', receipt: 'cmVjZWlwdA' })
  const answer = await download(purchase)
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${purchase.carts[0]}.bin"`,
    'x-content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  })
  expect((await described(purchase)).body).toEqual({
    object: 'cart_result',
    purchase_intent_id: purchase.id,
    cart_id: purchase.carts[0],
    content_type: 'text/html; charset=utf-8',
    bytes: 256,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    content: bytes.toString('base64'),
    receipt: 'cmVjZWlwdA',
    created_at: expect.any(String),
    expires_at: expect.any(String),
  })
})

test('a tool gets up to 65,536 bytes in base64, and of more it gets what describes them', async () => {
  for (const [size, isShown] of [
    [0, true],
    [65_536, true],
    [65_537, false],
    [1_048_576, false],
  ] as const) {
    const bytes = Buffer.alloc(size, 7)
    const purchase = await answered({ bytes })
    const args = { purchase_intent_id: purchase.id, cart_id: purchase.carts[0] }
    const tool = await app.mcp('v1_get_cart_result', args)
    expect([tool.status, tool.body.bytes]).toEqual([200, size])
    expect(tool.body.content).toBe(isShown ? bytes.toString('base64') : null)
    expect((await (await download(purchase)).arrayBuffer()).byteLength).toBe(size)
  }
})

test('there is no result before there is one, none where the merchant gave none, and none of others', async () => {
  const without = await answered(null)
  const waiting = await runningPurchase(app, buyer)
  const done = await answered({})
  const elsewhere = { id: without.id, carts: done.carts }
  for (const purchase of [without, waiting, elsewhere]) expect((await described(purchase)).status).toBe(404)
  expect((await described(done, app.stranger.keys.secret_test)).status).toBe(404)
  expect((await described(done, app.account.keys.secret_live)).status).toBe(404)
  expect((await described(done)).status).toBe(200)
})

test('a result is written with the news that the order was placed, or not at all', async () => {
  const purchase = await answered({}, { fails: true })
  expect((await described(purchase)).status).toBe(404)
})

test('nobody reads a result in the database, and its name of a type reaches a header only in the form of one', async () => {
  const purchase = await answered({
    bytes: Buffer.from('the secret of the kettle'),
    contentType: 'text/plain\r\nset-cookie: a=b',
    receipt: 'a receipt',
  })
  const rows = await app.sql<{ row: string }>(
    `select encode(sealed, 'escape') || coalesce(content_type, '') as row from cart_results`,
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ row }) => /kettle|receipt|cookie|a2V0dGxl/.test(row))).toEqual([])
  const answer = await download(purchase)
  expect([answer.headers.get('x-content-type'), answer.headers.get('set-cookie')]).toEqual([null, null])
  expect(await answer.text()).toBe('the secret of the kettle')
})

test('after 30 days a result is gone for good, before it was deleted and after', async () => {
  const purchase = await answered({})
  await advanceTestClock(app.databaseUrl, 30 * day - 60)
  expect((await described(purchase)).status).toBe(200)
  expect((await sweep()).rows).toBe(0)
  await advanceTestClock(app.databaseUrl, 120)
  const later = await answered({})
  const gone = await described(purchase)
  expect([gone.status, gone.body.detail.code]).toEqual([410, 'cart_result_gone'])
  expect((await sweep()).rows).toBeGreaterThan(0)
  expect((await described(purchase)).status).toBe(410)
  expect((await described(later)).status).toBe(200)
  expect((await sweep()).rows).toBe(0)
})
