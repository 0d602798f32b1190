import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offered } from '../../../test/conformance/buying-channel.ts'
import { call, kioskNetwork, startPaidCarts } from '../../../test/harness/paid-carts.ts'

let carts: Awaited<ReturnType<typeof startPaidCarts>>
beforeAll(async () => {
  carts = await startPaidCarts()
})
afterAll(() => carts.stop())

type Habits = Parameters<typeof carts.api.path>[0]
type More = Parameters<typeof carts.cart>[1]

const cartOf = (habits: Habits = {}, more: More = {}) => carts.cart(carts.api.path(habits), more)

/** What was sold, what the rail holds, and how many requests were paid. */
async function outcome(cart: Awaited<ReturnType<typeof cartOf>>) {
  const paid = cart.requests().flatMap((request) => request.paid ?? [])
  return [cart.sold(), await cart.standing(), new Set(paid).size] as const
}

describe('a request', () => {
  test('is sent as it was given, unpaid and then paid, and what it is answered with is what was bought', async () => {
    const body = Buffer.from([0, 255, 13, 10])
    const request = { method: 'POST', contentType: 'application/json', body: '{"q":"tea – green"}' } as const
    const cart = await cartOf({ result: { body, type: 'image/png' } }, { request })
    const offer = offered(await cart.offer())
    expect(offer).toMatchObject({ total: 1250n, currency: 'USD', lines: [{ title: 'One answer — fresh' }] })
    const placed = await cart.place(offer)
    expect(placed).toMatchObject({
      kind: 'done',
      value: {
        orderId: expect.stringMatching(/^order-/),
        transactionId: expect.any(String),
        result: { contentType: 'image/png', receipt: expect.any(String) },
      },
    })
    if (placed.kind !== 'done') throw new Error('nothing was placed')
    expect(placed.value.result?.bytes).toEqual(body)
    const requests = cart.requests()
    expect(requests.map(({ method, body: sent }) => [method, sent])).toEqual([
      ['POST', request.body],
      ['POST', request.body],
    ])
    expect(requests.map(({ paid, key }) => [paid !== null, key?.length])).toEqual([
      [false, undefined],
      [true, 43],
    ])
    expect(await outcome(cart)).toEqual([1, 'captured 1250', 1])
  })

  test('that was changed since its price was asked for is not paid', async () => {
    const cart = await cartOf()
    const offer = offered(await cart.offer())
    const items = [{ ...cart.item, request: { method: 'DELETE', contentType: null, body: null } as const }]
    expect(await cart.place(offer, { items })).toMatchObject({
      kind: 'refused',
      refusal: { code: 'price_changed' },
    })
    expect(await outcome(cart)).toEqual([0, 'authorized 0', 0])
  })

  test.each<[string, More]>([
    ['two of it', { quantity: 2 }],
    ['none', { quantity: 0 }],
  ])('is bought once: %s are not', async (_what, more) => {
    const cart = await cartOf({}, more)
    expect(await cart.offer()).toMatchObject({ kind: 'refused', code: 'merchant_unsupported' })
  })

  test('is alone in its cart', async () => {
    const cart = await cartOf()
    const items = [cart.item, { ...cart.item, id: 'item_2' }]
    expect(await cart.offer({ items })).toMatchObject({ kind: 'refused', code: 'merchant_unsupported' })
    expect(cart.requests()).toEqual([])
  })

  test('reaches this machine in test mode alone, and nothing elsewhere without TLS or inside a network', async () => {
    const cart = await cartOf()
    expect(await cart.offer({}, { ...call, mode: 'live' })).toMatchObject({ kind: 'refused' })
    expect(cart.requests()).toEqual([])
    for (const site of ['http://169.254.169.254', 'http://kiosk.example', 'ftp://kiosk.example']) {
      const items = [{ ...cart.item, url: site.replace(/^\w+/, 'https') }]
      expect(await cart.offer({ items, site }), site).toMatchObject({ kind: 'refused' })
    }
  })
})

describe('without a price', () => {
  const problem = (status: number, body: object = {}) => ({
    unpaid: { status, body: JSON.stringify(body) },
  })

  test.each<[string, Habits, object]>([
    ['a page', { unpaid: { status: 200, body: '<html>' } }, { kind: 'elsewhere' }],
    [
      'a redirect',
      { unpaid: { status: 302, headers: { location: 'http://127.0.0.1/' } } },
      { kind: 'elsewhere' },
    ],
    ['a sign-in', problem(401), { kind: 'elsewhere' }],
    ['another method', problem(405), { kind: 'elsewhere' }],
    ['nothing there', problem(404), { kind: 'refused', code: 'product_not_found' }],
    ['nothing left', problem(409), { kind: 'refused', code: 'product_out_of_stock' }],
    [
      'a wrong request',
      problem(422, { detail: 'A city is missing.' }),
      { kind: 'refused', code: 'merchant_unsupported', message: 'A city is missing.' },
    ],
    [
      'a reason that a terminal would obey',
      problem(422, { detail: 'a\u001b[2Jb' }),
      { kind: 'refused', message: null },
    ],
    [
      'too many requests',
      { unpaid: { status: 429, headers: { 'retry-after': '7' } } },
      { kind: 'unavailable', retryAfterSeconds: 7 },
    ],
    ['a failure', problem(500), { kind: 'unavailable' }],
    ['a page without end', { unpaid: { status: 200, body: Buffer.alloc(200_000) } }, { kind: 'elsewhere' }],
    [
      'a challenge before a page without end',
      { unpaid: { status: 402, body: Buffer.alloc(200_000) } },
      { kind: 'unavailable' },
    ],
    ['no challenge', { unpaid: { status: 402 } }, { kind: 'elsewhere' }],
    ['another method of payment', { challenge: () => ({ method: 'tempo' }) }, { kind: 'elsewhere' }],
    ['a token that nobody grants here', { challenge: () => ({ method: 'stripe' }) }, { kind: 'elsewhere' }],
    ['the other mode', { challenge: () => ({ methodDetails: { testMode: false } }) }, { kind: 'elsewhere' }],
    ['another host', { challenge: () => ({ realm: 'kiosk.example' }) }, { kind: 'elsewhere' }],
    [
      'another host with ours in it',
      { challenge: () => ({ realm: '127.0.0.1.kiosk.example' }) },
      { kind: 'elsewhere' },
    ],
    ['no time', { challenge: () => ({ expires: null }) }, { kind: 'elsewhere' }],
    ['a time that is over', { challenge: () => ({ seconds: -5 }) }, { kind: 'elsewhere' }],
    ['another body', { challenge: () => ({ digest: 'sha-256=:AAAA:' }) }, { kind: 'elsewhere' }],
    ['a header of ours', { challenge: () => ({ header: 'Host' }) }, { kind: 'elsewhere' }],
    [
      'another currency',
      { challenge: () => ({ currency: 'eur' }) },
      { kind: 'refused', code: 'unsupported_currency' },
    ],
    ['nothing to pay', { challenge: () => ({ amount: 0n }) }, { kind: 'refused' }],
    ['more than anything costs', { challenge: () => ({ amount: 10n ** 29n }) }, { kind: 'refused' }],
    [
      'more words than can be kept',
      { challenge: () => ({ methodDetails: { testMode: true, note: 'x'.repeat(7_000) } }) },
      { kind: 'refused', code: 'merchant_unsupported' },
    ],
    [
      'garbage',
      { challenge: () => ({ raw: 'Payment id="x", method="vault", intent="charge", request="e30"' }) },
      { kind: 'elsewhere' },
    ],
  ])('%s is no offer, and nothing is paid', async (_what, habits, expected) => {
    const cart = await cartOf(habits)
    expect(await cart.offer()).toMatchObject(expected)
    expect(await outcome(cart)).toEqual([0, 'authorized 0', 0])
  })

  test('a digest of this very body, and the other header for payments, are fine', async () => {
    const cart = await cartOf({
      challenge: () => ({
        digest: 'sha-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
        header: 'Payment-Authorization',
      }),
    })
    expect(await cart.place(offered(await cart.offer()))).toMatchObject({ kind: 'done' })
  })
})

describe('what was approved', () => {
  /** A challenge that is over before it is paid. */
  const soon = (more: object = {}) => ({
    challenge: (at: number) => (at === 1 ? { seconds: 20 } : more),
  })

  test('is paid under a new challenge where the old one is over, if it asks for the same', async () => {
    const cart = await cartOf(soon())
    expect(await cart.place(offered(await cart.offer()))).toMatchObject({ kind: 'done' })
    expect(await outcome(cart)).toEqual([1, 'captured 1250', 1])
  })

  test.each<[string, object, string]>([
    ['a higher amount', { amount: 1251n }, 'price_changed'],
    ['a lower amount', { amount: 1249n }, 'price_changed'],
    ['another currency', { currency: 'eur' }, 'price_changed'],
    ['another recipient', { recipient: 'somebody else' }, 'merchant_changed'],
    ['another host', { realm: 'kiosk.example' }, 'merchant_changed'],
    ['another way of paying', { method: 'tempo' }, 'merchant_changed'],
  ])('is not paid where the new one asks for %s', async (_what, more, code) => {
    const cart = await cartOf(soon(more))
    const placed = await cart.place(offered(await cart.offer()))
    expect(placed).toMatchObject({ kind: 'refused', refusal: { code } })
    expect(await outcome(cart)).toEqual([0, 'authorized 0', 0])
  })

  test('is never charged above the limit of its credential', async () => {
    const cart = await cartOf({}, { limit: 1249n })
    const placed = await cart.place(offered(await cart.offer()))
    expect(placed).toMatchObject({
      kind: 'refused',
      refusal: { code: 'payment_declined', message: 'It says verification-failed.' },
    })
    expect(await outcome(cart)).toEqual([0, 'authorized 0', 1])
  })
})

describe('an answer that is lost', () => {
  const first =
    (what: 'lost_before' | 'lost_after' | 'lost_in_body' | 'fails_after') =>
    (at: number): typeof what | 'as_usual' =>
      at === 1 ? what : 'as_usual'

  test.each(['lost_before', 'lost_after', 'lost_in_body', 'fails_after'] as const)(
    '%s is found by sending the same payment once more, also by another process, and is charged once',
    async (what) => {
      for (const isOther of [false, true]) {
        const cart = await cartOf({ paying: first(what) })
        const offer = offered(await cart.offer())
        expect(await cart.place(offer)).toEqual({ kind: 'unknown' })
        if (isOther) cart.restart()
        const known = await cart.ask(offer)
        expect(known).toMatchObject({ kind: 'done', value: { result: { contentType: 'application/json' } } })
        expect(await cart.ask(offer)).toEqual(known)
        expect(await outcome(cart)).toEqual([1, 'captured 1250', 1])
        expect(new Set(cart.requests().map(({ paid }) => paid)).size).toBe(2)
      }
    },
  )

  test('of a merchant that remembers no answers stays unknown: the rail says that it was charged', async () => {
    const cart = await cartOf({ paying: first('lost_after'), replays: false })
    const offer = offered(await cart.offer())
    expect(await cart.place(offer)).toEqual({ kind: 'unknown' })
    expect(await cart.ask(offer)).toEqual({ kind: 'unknown' })
    expect(await outcome(cart)).toEqual([1, 'captured 1250', 1])
  })

  test('of a payment under a challenge of its own is known to the process that has made it, and to no other', async () => {
    const habits = {
      challenge: (at: number) => (at === 1 ? { seconds: 20 } : {}),
      paying: first('lost_after'),
    }
    const [same, other] = [await cartOf(habits), await cartOf(habits)]
    for (const cart of [same, other]) {
      const offer = offered(await cart.offer())
      expect(await cart.place(offer)).toEqual({ kind: 'unknown' })
      if (cart === other) cart.restart()
      expect((await cart.ask(offer)).kind).toBe(cart === other ? 'unknown' : 'done')
      expect(await outcome(cart)).toEqual([1, 'captured 1250', 1])
    }
  })

  test('is not asked for once its challenge is over', async () => {
    let nowMs = Date.now()
    const cart = await cartOf({ paying: first('lost_after') }, { now: () => new Date(nowMs) })
    const offer = offered(await cart.offer())
    expect(await cart.place(offer)).toEqual({ kind: 'unknown' })
    nowMs += 299_000
    expect((await cart.ask(offer)).kind).toBe('done')
    nowMs += 2_000
    const before = cart.requests().length
    expect(await cart.ask(offer)).toEqual({ kind: 'unknown' })
    expect(cart.requests()).toHaveLength(before)
  })

  test('buys nothing once the credential is revoked', async () => {
    const cart = await cartOf({ paying: first('lost_before') })
    const offer = offered(await cart.offer())
    expect(await cart.place(offer)).toEqual({ kind: 'unknown' })
    await cart.revoke()
    expect(await cart.close(offer)).toEqual({ kind: 'unknown' })
    expect(await outcome(cart)).toEqual([0, 'voided 0', 1])
  })
})

describe('a result', () => {
  test('of a mebibyte is kept, and of more it is known that it was bought', async () => {
    for (const [size, isKept] of [
      [1_048_576, true],
      [1_048_577, false],
      [8_000_000, false],
    ] as const) {
      const cart = await cartOf({ result: { body: Buffer.alloc(size, 1) } })
      const placed = await cart.place(offered(await cart.offer()))
      expect(placed.kind).toBe('done')
      if (placed.kind !== 'done') continue
      expect(placed.value.result?.bytes.length ?? null).toBe(isKept ? size : null)
      expect(await outcome(cart)).toEqual([1, 'captured 1250', 1])
    }
  })

  test.each([
    ['no receipt', null],
    ['a receipt that is none', 'hello'],
  ])('with %s is bought all the same', async (_what, receipt) => {
    const cart = await cartOf({ result: { body: Buffer.from('x'), receipt } })
    expect(await cart.place(offered(await cart.offer()))).toMatchObject({
      kind: 'done',
      value: { orderId: null, transactionId: null, result: { receipt: null } },
    })
  })
})

describe('a shared payment token', () => {
  const byToken = (more: object = {}) => ({
    method: 'stripe',
    methodDetails: { networkId: kioskNetwork },
    ...more,
  })

  test('pays where one is issued, to the seller that the offer names, and the same one is sent again', async () => {
    const habits: Habits = {
      challenge: () => byToken(),
      paying: (at) => (at === 1 ? 'lost_after' : 'as_usual'),
    }
    const cart = await cartOf(habits, { withStripe: true })
    const offer = offered(await cart.offer())
    expect(offer.seller).toBe(kioskNetwork)
    expect(await cart.place(offer)).toEqual({ kind: 'unknown' })
    cart.restart()
    expect(await cart.ask(offer)).toMatchObject({ kind: 'done' })
    const paid = cart.requests().flatMap(({ paid: one }) => one ?? [])
    expect([paid.length, await outcome(cart)]).toEqual([2, [1, 'captured 1250', 1]])
    const { payload } = JSON.parse(Buffer.from(paid[0]?.slice(8) ?? '', 'base64url').toString())
    expect(payload).toEqual({ spt: cart.reference })
  })

  test('is not sent to another seller than it was issued to', async () => {
    const habits: Habits = {
      challenge: (at) =>
        at === 1 ? byToken({ seconds: 20 }) : byToken({ methodDetails: { networkId: 'profile_other' } }),
    }
    const cart = await cartOf(habits, { withStripe: true })
    const placed = await cart.place(offered(await cart.offer()))
    expect(placed).toMatchObject({ kind: 'refused', refusal: { code: 'merchant_changed' } })
    expect(await outcome(cart)).toEqual([0, 'authorized 0', 0])
  })

  test.each<[string, Habits, More, RegExp]>([
    ['above its limit', { challenge: () => byToken() }, { limit: 1249n }, /^authorized 0$/],
    [
      'once it is revoked',
      { challenge: () => byToken(), paying: (at) => (at === 1 ? 'lost_before' : 'as_usual') },
      {},
      /^voided 0$/,
    ],
  ])('pays nothing %s', async (_what, habits, more, standing) => {
    const cart = await cartOf(habits, { withStripe: true, ...more })
    const offer = offered(await cart.offer())
    const placed = await cart.place(offer)
    if (placed.kind === 'unknown') {
      await cart.revoke()
      expect(await cart.close(offer)).toEqual({ kind: 'unknown' })
    } else expect(placed).toMatchObject({ refusal: { code: 'payment_declined' } })
    expect([cart.sold(), await cart.standing()]).toEqual([0, expect.stringMatching(standing)])
  })
})
