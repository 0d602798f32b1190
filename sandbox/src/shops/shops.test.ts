import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  control,
  controlToken,
  get,
  post,
  type Reply,
  readLog,
  runSandbox,
  temporaryFolder,
} from '../../test/run-sandbox.ts'
import type { RunningServer } from '../json-server.ts'
import { startProcessor } from '../processor/processor-server.ts'
import { startShops } from './shops-server.ts'

const settings = { slowMs: 200, lateConfirmationMs: 2_000 }

/** A bound for what comes by itself; wide, because a busy machine may take its time. */
const WITHIN_MS = 15_000

let folder: ReturnType<typeof temporaryFolder>
let processor: RunningServer
let shops: RunningServer
let counter = 0

beforeEach(async () => {
  folder = temporaryFolder()
  processor = await startProcessor({ stateDir: folder.path, port: 0, controlToken })
  shops = await startShops({
    stateDir: folder.path,
    port: 0,
    controlToken,
    processorUrl: processor.url,
    settings,
  })
})

afterEach(async () => {
  await shops.close()
  await processor.close()
  folder.remove()
})

function offer(scenario: string, cartKey = 'cart_1'): Promise<Reply> {
  return post(`${shops.url}/v1/offers`, {
    cart_key: cartKey,
    currency: 'USD',
    items: [{ url: `https://shop.example/p?scenario=${scenario}`, quantity: 1, unit_amount: 1000 }],
    fulfillment: { method: 'ship', fee_allowance: 1000 },
  })
}

async function credential(limit = 10_000, processorUrl = processor.url): Promise<string> {
  counter += 1
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const body = {
    card: 'visa_auto_approved',
    limit,
    currency: 'USD',
    merchant: 'shop.example',
    expires_at,
    reference: 'cart_1',
  }
  const reply = await post(`${processorUrl}/v1/credentials`, body, { 'idempotency-key': `cred-${counter}` })
  return String(reply.body.id)
}

/** Offers, issues a credential and hands back how to check out, so that a test can repeat exactly that. */
async function readyToCheckOut(scenario: string, options: { limit?: number; amount?: number } = {}) {
  const offered = await offer(scenario)
  const body = {
    offer_id: offered.body.offer_id,
    credential: await credential(options.limit),
    amount: options.amount ?? offered.body.total,
  }
  return (changed: object = {}) =>
    post(`${shops.url}/v1/checkouts`, { ...body, ...changed }, { 'idempotency-key': 'k' })
}

async function charges(url = processor.url): Promise<string[]> {
  const entries = await readLog(url)
  return entries
    .filter((entry) => entry.operation === 'capture')
    .map((entry) => `${entry.key} ${entry.amount} ${entry.result}`)
}

async function shopResults(): Promise<unknown[]> {
  return (await readLog(shops.url)).map((entry) => entry.result)
}

async function status(): Promise<unknown> {
  return (await get(`${shops.url}/v1/checkouts?key=k`)).body.status
}

describe('offers', () => {
  test('name their total, and a refusal names its code', async () => {
    expect(await offer('none')).toMatchObject({
      status: 200,
      body: { total: 1580, subtotal: 1000, fulfillment: 500, tax: 80 },
    })
    expect(await offer('captcha')).toMatchObject({
      status: 409,
      body: { refusal: { code: 'captcha_blocked' } },
    })
  })

  test('error_then_ok fails once for every cart', async () => {
    expect((await offer('error_then_ok', 'a')).status).toBe(500)
    expect((await offer('error_then_ok', 'a')).status).toBe(200)
    expect((await offer('error_then_ok', 'b')).status).toBe(500)
  })

  test('slow takes its time', async () => {
    const started = Date.now()
    expect((await offer('slow')).status).toBe(200)
    expect(Date.now() - started).toBeGreaterThanOrEqual(settings.slowMs - 5)
  })
})

describe('checkouts', () => {
  test('charge the total of the offer, even if the buyer names another amount', async () => {
    const checkOut = await readyToCheckOut('none', { amount: 1 })
    expect(await checkOut()).toMatchObject({ status: 200, body: { status: 'placed', total: 1580 } })
    expect(await charges()).toEqual(['shop:k 1580 approved'])
  })

  test('with the same key, at once or later, place and charge once', async () => {
    const checkOut = await readyToCheckOut('none')
    const replies = await Promise.all(Array.from({ length: 10 }, () => checkOut()))
    replies.push(await checkOut())
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
    expect(await charges()).toHaveLength(1)
    expect(await shopResults()).toEqual(['placed'])
    expect(await checkOut({ amount: 2 })).toMatchObject({
      status: 409,
      body: { refusal: { code: 'idempotency_key_conflict' } },
    })
  })

  test('above the limit of the credential are refused by the processor', async () => {
    const checkOut = await readyToCheckOut('none', { limit: 1579 })
    expect(await checkOut()).toMatchObject({
      status: 402,
      body: { refusal: { code: 'payment_declined', decline_code: 'over_limit' } },
    })
    expect(await status()).toBe('refused')
  })

  test('can be refused by the shop without a charge', async () => {
    const checkOut = await readyToCheckOut('rejected')
    expect(await checkOut()).toMatchObject({
      status: 409,
      body: { refusal: { code: 'order_rejected_by_merchant' } },
    })
    expect(await charges()).toEqual([])
  })

  test('whose answer is lost after placing are found by asking', async () => {
    const checkOut = await readyToCheckOut('lost_answer_placed')
    await expect(checkOut()).rejects.toThrow()
    expect(await status()).toBe('placed')
    expect((await checkOut()).body).toMatchObject({ status: 'placed' })
    expect(await charges()).toHaveLength(1)
  })

  test('whose answer is lost without placing are not found, and after close never place', async () => {
    const checkOut = await readyToCheckOut('lost_answer_not_placed')
    await expect(checkOut()).rejects.toThrow()
    expect(await status()).toBe('not_found')
    expect((await post(`${shops.url}/v1/checkouts/close`, { key: 'k' })).body).toEqual({ status: 'closed' })
    expect(await checkOut()).toMatchObject({ status: 409, body: { status: 'closed' } })
    expect(await charges()).toEqual([])
    expect(await shopResults()).toEqual(['lost', 'closed'])
  })

  test('that confirm late are pending first and charge when they are placed', async () => {
    const checkOut = await readyToCheckOut('late_confirmation')
    expect(await checkOut()).toMatchObject({ status: 202, body: { status: 'pending' } })
    expect(await charges()).toEqual([])
    await vi.waitFor(async () => expect(await status()).toBe('placed'), WITHIN_MS)
    expect(await charges()).toHaveLength(1)
    expect(await shopResults()).toEqual(['pending', 'placed'])
  })

  test('that are closed while pending are never charged', async () => {
    const checkOut = await readyToCheckOut('late_confirmation')
    await checkOut()
    expect((await post(`${shops.url}/v1/checkouts/close`, { key: 'k' })).body).toEqual({ status: 'closed' })
    const other = await offer('none')
    const body = { offer_id: other.body.offer_id, credential: await credential(), amount: 1 }
    await post(`${shops.url}/v1/checkouts`, body, { 'idempotency-key': 'other' })
    expect(await charges()).toEqual(['shop:other 1580 approved'])
    expect(await status()).toBe('closed')
  })

  test('that are closed after placing say so', async () => {
    const checkOut = await readyToCheckOut('none')
    await checkOut()
    expect((await post(`${shops.url}/v1/checkouts/close`, { key: 'k' })).body).toMatchObject({
      status: 'placed',
    })
  })

  test('closed while the charge is under way either place or are never charged', async () => {
    await control(`${processor.url}/control/faults`, {
      match: { key_contains: 'shop:' },
      fault: 'delay=2000',
    })
    const checkOut = await readyToCheckOut('none')
    const pending = checkOut()
    await vi.waitFor(async () => expect(await status()).toBe('pending'), WITHIN_MS)
    expect((await post(`${shops.url}/v1/checkouts/close`, { key: 'k' })).body).toEqual({ status: 'closed' })
    expect((await pending).body).toMatchObject({ status: 'closed' })
    expect(await charges()).toEqual(['shop:k 1580 refused:closed'])
  })

  test('survive a processor that loses its answer: the same charge is asked again, not made again', async () => {
    await control(`${processor.url}/control/faults`, {
      match: { operation: 'capture' },
      fault: 'lose_answer',
      times: 2,
    })
    const checkOut = await readyToCheckOut('none')
    expect((await checkOut()).body).toMatchObject({ status: 'placed' })
    expect(await charges()).toHaveLength(1)
  })
})

/** Two process starts and some fifty round trips: a minute on a machine with ten times more to do than it has cores. */
const RESTART_WITHIN_MS = 120_000

test(
  'a checkout under way at kill -9 is finished after it, with one charge',
  async () => {
    const state = temporaryFolder()
    const args = ['--state', state.path, '--role', 'shops', '--processor-url', processor.url]
    const before = await runSandbox(args)
    await shops.close()
    shops = { url: before.shops, close: async () => {} }
    await control(`${processor.url}/control/faults`, { match: { operation: 'capture' }, fault: 'delay=4000' })
    const checkOut = await readyToCheckOut('none')
    const lost = checkOut().catch(() => 'lost')
    await vi.waitFor(async () => expect(await status()).toBe('pending'), WITHIN_MS)
    await before.kill()
    expect(await lost).toBe('lost')

    const after = await runSandbox(args)
    shops = { url: after.shops, close: async () => {} }
    await vi.waitFor(async () => expect(await status()).toBe('placed'), WITHIN_MS)
    expect((await charges()).filter((charge) => charge.endsWith('approved'))).toEqual([
      'shop:k 1580 approved',
    ])
    await after.stop()
    state.remove()
  },
  RESTART_WITHIN_MS,
)
