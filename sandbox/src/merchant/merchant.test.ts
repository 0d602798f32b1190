import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deliver, startFakeService } from '../../test/fake-origin.ts'
import {
  control,
  controlToken,
  type Json,
  readLog,
  runSandbox,
  temporaryFolder,
} from '../../test/run-sandbox.ts'
import type { RunningServer } from '../json-server.ts'
import { merchantDefaults, startMerchant } from './merchant-server.ts'

const secret = 'whsec_merchant'
const settings = { ...merchantDefaults, lateAfterMs: 1_500, slowAckMs: 300 }

/** A bound for answers that come by themselves; wide, because a busy machine may be slow. */
const WITHIN_MS = 15_000

let folder: ReturnType<typeof temporaryFolder>
let service: Awaited<ReturnType<typeof startFakeService>>
let merchant: RunningServer

beforeEach(async () => {
  folder = temporaryFolder()
  service = await startFakeService(secret)
  merchant = await startMerchant({ stateDir: folder.path, port: 0, controlToken, settings })
  await wire(merchant.url)
})

afterEach(async () => {
  await merchant.close()
  service.close()
  folder.remove()
})

function wire(
  url: string,
  { prefix = '', key = secret, origin = service.origin, token = controlToken } = {},
) {
  const body = { destination_id: 'dest_1', secret: key, api_origin: origin }
  return control(`${url}${prefix}/control/destinations`, body, token)
}

type Overrides = {
  eventId?: string
  responseUrl?: string
  ageSeconds?: number
  tamper?: boolean
  secret?: string
  url?: string
  orderId?: string
}

function order(item: string, overrides: Overrides = {}) {
  const { url = `${merchant.url}/webhooks`, orderId = `ord_${item}`, ...rest } = overrides
  const line_items = [{ url: `https://merchant.example/items/${item}`, quantity: 1, unit_amount: 1000 }]
  const data = { order: { id: orderId, object: 'order', line_items } }
  return deliver(url, service.origin, {
    type: 'order.requested',
    data,
    target: `orders/${orderId}`,
    secret,
    ...rest,
  })
}

function quote(fields: object, item = 'ok') {
  const items = [{ url: `https://merchant.example/${item}`, ...fields }]
  const data = {
    quote: {
      id: 'quo_1',
      object: 'quote',
      quantity: 3,
      items,
      price_proposal: { unit_amount: 1, currency: 'USD' },
    },
  }
  return deliver(`${merchant.url}/webhooks`, service.origin, {
    type: 'quote.requested',
    data,
    target: 'quotes/quo_1',
    secret,
  })
}

function summary(entry: Json): string {
  return `${entry.kind} ${entry.status}`
}

async function logged(...expected: string[]) {
  await vi.waitFor(
    async () => expect((await readLog(merchant.url)).map(summary)).toEqual(expected),
    WITHIN_MS,
  )
}

function answers(): Json[] {
  return service.received.map(({ body }) => JSON.parse(body))
}

describe('verification', () => {
  test('a signed order is acknowledged and confirmed with a signed answer that echoes the event', async () => {
    expect((await order('ok', { eventId: 'evt_1' })).status).toBe(200)
    await service.until(1)
    expect(service.received[0]).toMatchObject({
      url: '/v1/merchant/orders/ord_ok/responses',
      isSigned: true,
      headers: {
        'service-destination-id': 'dest_1',
        'service-webhook-id': 'evt_1',
        'service-webhook-event': 'order.requested',
        'content-type': 'application/json',
      },
    })
    expect(answers()).toEqual([
      { outcome: 'confirmed', confirmation_reference: 'CONF-ord_ok', reservation_reference: 'RES-ord_ok' },
    ])
    await logged('delivery 200', 'answer 200', 'order confirmed')
    expect((await readLog(merchant.url))[2]).toMatchObject({
      event_id: 'evt_1',
      order_id: 'ord_ok',
      verified: true,
    })
  })

  test.each([
    ['a tampered byte', { tamper: true }],
    ['an old timestamp', { ageSeconds: 62 }],
    ['a timestamp in the future', { ageSeconds: -90 }],
    ['another secret', { secret: 'whsec_other' }],
  ])('%s is refused, remembered as unverified and never answered', async (_name, overrides) => {
    expect((await order('ok', overrides)).status).toBe(401)
    expect(await readLog(merchant.url)).toMatchObject([{ kind: 'delivery', status: 401, verified: false }])
    expect(service.received).toEqual([])
  })

  test.each([
    ['another origin', 'http://127.0.0.1:9/v1/merchant/orders/ord_ok/responses'],
    ['another order', '/v1/merchant/orders/ord_other/responses'],
    ['a query', '/v1/merchant/orders/ord_ok/responses?x=1'],
  ])('a response URL with %s gets no credentials', async (_name, url) => {
    const responseUrl = url.startsWith('http') ? url : service.origin + url
    expect((await order('ok', { responseUrl })).status).toBe(200)
    expect(await readLog(merchant.url)).toMatchObject([{ kind: 'delivery', note: 'response_url_refused' }])
    expect(service.received).toEqual([])
  })

  test('no answer has the secret', async () => {
    expect(JSON.stringify(await wire(merchant.url))).not.toContain(secret)
    await order('ok')
    expect(JSON.stringify(await readLog(merchant.url))).not.toContain(secret)
  })
})

describe('deliveries and retries', () => {
  test('the same event twice, even at once, is answered once', async () => {
    await Promise.all([order('ok', { eventId: 'evt_1' }), order('ok', { eventId: 'evt_1' })])
    await logged('delivery 200', 'delivery 200', 'answer 200', 'order confirmed')
    expect((await order('ok', { eventId: 'evt_1' })).status).toBe(200)
    expect(service.received).toHaveLength(1)
  })

  test('an answer is repeated byte for byte until the service has decided', async () => {
    service.answerWith(0, 503, 200)
    await order('ok')
    await service.until(3)
    expect(new Set(service.received.map(({ body }) => body)).size).toBe(1)
    expect(service.received.every(({ isSigned }) => isSigned)).toBe(true)
    await logged('delivery 200', 'answer 0', 'answer 503', 'answer 200', 'order confirmed')
  })

  test('a redirect is not followed', async () => {
    service.answerWith(307)
    await order('ok')
    await logged('delivery 200', 'answer 307')
  })

  test('an order that the service no longer wants is not in the book as confirmed', async () => {
    service.answerWith(409)
    await order('ok')
    await logged('delivery 200', 'answer 409', 'order refused')
  })

  test('events that need no answer are acknowledged only', async () => {
    const data = { order: { id: 'ord_1', line_items: [] } }
    const delivery = { type: 'order.confirmed', data, target: 'orders/ord_1', secret }
    expect((await deliver(`${merchant.url}/webhooks`, service.origin, delivery)).status).toBe(200)
    const probe = { type: 'destination.test', data: {}, target: 'orders/none', secret }
    expect((await deliver(`${merchant.url}/webhooks`, service.origin, probe)).status).toBe(200)
    expect(service.received).toEqual([])
  })

  test('every merchant has its own destinations', async () => {
    const url = `${merchant.url}/m/second/webhooks`
    expect((await order('ok', { url })).status).toBe(401)
    await wire(merchant.url, { prefix: '/m/second', key: 'whsec_second' })
    expect((await order('ok', { url })).status).toBe(401)
    expect((await order('ok', { url, secret: 'whsec_second' })).status).toBe(200)
  })
})

describe('behaviours', () => {
  test.each(['price_up_3', 'price_up_20', 'other_merchant', 'anything_else'])('%s confirms', async (item) => {
    await order(item)
    await service.until(1)
    expect(answers()).toMatchObject([{ outcome: 'confirmed' }])
  })

  test.each([
    ['rejected', 'cannot take'],
    ['out_of_stock', 'out of stock'],
  ])('%s rejects with a note', async (item, note) => {
    await order(item)
    await logged('delivery 200', 'answer 200', 'order rejected')
    expect(answers()).toEqual([{ outcome: 'rejected', note: expect.stringContaining(note) }])
  })

  test.each([
    ['rejected_once', 1],
    ['rejected_twice', 2],
  ])(
    '%s rejects this many orders for the same URL, then confirms, and remembers over a restart',
    async (item, times) => {
      const book: string[] = []
      for (let turn = 0; turn <= times; turn++) {
        await order(`${item}?utm_campaign=a`, { orderId: `ord_a_${turn}` })
        book.push('delivery 200', 'answer 200', `order ${turn < times ? 'rejected' : 'confirmed'}`)
        await logged(...book)
        await merchant.close()
        merchant = await startMerchant({ stateDir: folder.path, port: 0, controlToken, settings })
      }
      await order(`${item}?utm_campaign=b`, { orderId: 'ord_b' })
      await logged(...book, 'delivery 200', 'answer 200', 'order rejected')
    },
  )

  test('silent acknowledges and never answers', async () => {
    expect((await order('silent')).status).toBe(200)
    await order('ok')
    await service.until(1)
    expect(service.received[0]?.url).toContain('ord_ok')
    expect((await readLog(merchant.url)).filter((entry) => entry.order_id === 'ord_silent')).toHaveLength(1)
  })

  test('late acknowledges at once and answers after its delay', async () => {
    const started = Date.now()
    await order('late')
    expect(service.received).toEqual([])
    await service.until(1)
    expect(Date.now() - started).toBeGreaterThanOrEqual(settings.lateAfterMs - 5)
  })

  test('slow acknowledges after its delay and then confirms', async () => {
    const started = Date.now()
    expect((await order('slow')).status).toBe(200)
    expect(Date.now() - started).toBeGreaterThanOrEqual(settings.slowAckMs - 5)
    await service.until(1)
    expect(answers()).toMatchObject([{ outcome: 'confirmed' }])
  })

  test('double answers twice the same, then something else', async () => {
    service.answerWith(200, 200, 409)
    await order('double')
    await logged('delivery 200', 'answer 200', 'order confirmed', 'answer 200', 'answer 409')
    const bodies = service.received.map(({ body }) => body)
    expect(bodies[1]).toBe(bodies[0])
    expect(bodies[2]).not.toBe(bodies[0])
  })

  test('wrong_signature answers with a signature of another secret', async () => {
    service.answerWith(401)
    await order('wrong_signature')
    await logged('delivery 200', 'answer 401')
    expect(service.received[0]?.isSigned).toBe(false)
  })

  test('wrong_event signs well but names another event', async () => {
    service.answerWith(401)
    await order('wrong_event', { eventId: 'evt_1' })
    await logged('delivery 200', 'answer 401')
    expect(service.received[0]).toMatchObject({ isSigned: true })
    expect(service.received[0]?.headers['service-webhook-id']).not.toBe('evt_1')
  })

  test('error_then_ok fails the first delivery of an event and takes the next', async () => {
    expect((await order('error_then_ok', { eventId: 'evt_1' })).status).toBe(500)
    expect((await order('error_then_ok', { eventId: 'evt_1' })).status).toBe(200)
    await logged('delivery 500', 'delivery 200', 'answer 200', 'order confirmed')
  })

  test('destination_down breaks every connection', async () => {
    await expect(order('destination_down')).rejects.toThrow()
    await expect(order('destination_down')).rejects.toThrow()
    await logged('delivery 0', 'delivery 0')
  })
})

describe('quotes', () => {
  test('are priced by the price that came with them, never by the proposal', async () => {
    await quote({ unit_amount: 1250, currency: 'EUR' })
    await service.until(1)
    expect(service.received[0]?.url).toBe('/v1/merchant/quotes/quo_1/responses')
    expect(answers()).toMatchObject([
      {
        decision: 'accepted',
        quote_id: 'quo_1',
        quoted_amount_cents: 3750,
        currency: 'EUR',
        available_quantity: 100,
      },
    ])
    expect(new Date(String(answers()[0]?.expires_at)).getTime()).toBeGreaterThan(Date.now())
  })

  test('without a price get the list price, and a booking gets its snapshot', async () => {
    await quote({ item_type: 'booking' })
    await service.until(1)
    expect(answers()).toMatchObject([
      { quoted_amount_cents: 7500, booking_snapshot: { reference: 'BOOK-quo_1' } },
    ])
  })

  test('that are declined carry no price', async () => {
    await quote({ unit_amount: 1 }, 'rejected')
    await service.until(1)
    const [answer] = answers()
    expect(Object.keys(answer ?? {}).sort()).toEqual([
      'decision',
      'event_id',
      'event_type',
      'message',
      'quote_id',
    ])
  })
})

/** Two process starts and some fifty round trips: a minute on a machine with ten times more to do than it has cores. */
const RESTART_WITHIN_MS = 120_000

test(
  'an answer that is owed at kill -9 is sent after it, and an event from before is not answered again',
  async () => {
    const state = temporaryFolder()
    const args = ['--state', state.path, '--role', 'merchant']
    const before = await runSandbox(args)
    // Nothing listens there, so the answer stays owed however long the kill takes.
    const nowhere = 'http://127.0.0.1:1'
    await wire(before.merchant, { origin: nowhere, token: before.controlToken })
    const responseUrl = `${nowhere}/v1/merchant/orders/ord_ok/responses`
    await order('ok', { url: `${before.merchant}/webhooks`, eventId: 'evt_1', responseUrl })
    await before.kill()
    expect(service.received).toEqual([])

    const after = await runSandbox(args)
    await wire(after.merchant, { token: after.controlToken })
    await service.until(1)
    expect(answers()).toMatchObject([{ confirmation_reference: 'CONF-ord_ok' }])
    expect((await order('ok', { url: `${after.merchant}/webhooks`, eventId: 'evt_1' })).status).toBe(200)
    await vi.waitFor(async () => {
      const entries = (await readLog(after.merchant)).map(summary).filter((entry) => entry !== 'answer 0')
      expect(entries.sort()).toEqual(['answer 200', 'delivery 200', 'delivery 200', 'order confirmed'])
    }, WITHIN_MS)
    expect((await readLog(after.merchant)).filter((entry) => entry.note === 'duplicate')).toHaveLength(1)
    expect(service.received).toHaveLength(1)
    await after.stop()
    state.remove()
  },
  RESTART_WITHIN_MS,
)
