import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { egressTo, openReaderModel } from '../../src/cli/open-model.ts'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import type { CrashPoint } from '../../src/platform/faults/faults.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { thirdInGate } from '../gate/tenth-in-gate.ts'
import { hasChromium } from '../harness/browser.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { type Model, startModel } from '../harness/model.ts'
import { person } from '../harness/person.ts'
import { understands } from '../harness/riddle-reader.ts'
import { openStrangers } from '../harness/strangers.ts'

/** Shops that have nothing but pages, bought from through the whole product: worker, vault, browser process, Chromium. */
const shops = [
  'classic',
  'app',
  'hosted',
  'drift',
  'invoice',
  'slow',
  'hostile',
  'closed',
  'choices',
  'authorizes',
  'messy',
]

let buying: Buying
let strangers: ReturnType<typeof openStrangers>
let model: Model
let egress: ReturnType<typeof egressTo>
const modelKey = 'sk-canary-of-the-model'
let people = 0

/** A buyer of its own for each purchase, whom the shop knows by the e-mail address. */
async function newBuyer(): Promise<Buyer & { email: string }> {
  const email = `buyer${++people}@example.com`
  const buyer = await buying.newBuyer('visa_auto_approved', undefined, { ...person, email })
  return { ...buyer, email }
}

async function buy(buyer: Buyer, [shop = '', ...path]: string[], more: Wanted): Promise<Purchase> {
  const { amount = 2_000, quantity = 1, variant } = more
  const url = `https://${shop}.shop.test/${path.join('/')}`
  return buying.buy(buyer, [{ url, amount, quantity, ...(variant ? { variant } : {}) }], {
    preferences: { fulfillment: { max_fee_amount: 900 } },
    max_amount: 60_000,
  })
}

/** Its end. Where nobody works on it and it waits for a time, that time comes. */
async function ended(buyer: Buyer, id: string): Promise<Purchase> {
  const over = ['succeeded', 'failed', 'cancelled', 'awaiting_approval', 'awaiting_merchant_auth']
  return buying.until(buyer, id, ({ status, carts }) => {
    if (over.includes(status) && carts.length > 0) return true
    void passTime(id)
    return false
  })
}

async function passTime(id: string): Promise<void> {
  const [waits] = await buying.sql(
    `select 1 from carts where intent_id = $1 and due_at > prokura_now() and coalesce(lease_until, '-infinity') < prokura_now()
     and exists (select 1 from effects e where e.cart_id = carts.id and e.step = 'place' and e.state <> 'sent')`,
    [id],
  )
  if (waits) await advanceTestClock(buying.app.databaseUrl, 5)
}

type Wanted = { amount?: number; quantity?: number; variant?: object }

type Expected = {
  status: string
  code?: string
  cart?: object
  /** What the shop testifies of the money of this buyer. */
  charges: readonly string[]
}

const paid = (amount: number) => [`authorized ${amount}`, `captured ${amount}`]

const ends: readonly [string, string, Wanted, Expected][] = [
  [
    'sells by pages one after the other',
    'classic/product/kettle',
    { amount: 4_900 },
    {
      status: 'succeeded',
      charges: paid(5_832),
      cart: { channel: 'browser', order_id: expect.any(String) },
    },
  ],
  [
    'takes the card in a frame of a payment company',
    'app/products/socks',
    { amount: 2_400 },
    { status: 'succeeded', charges: paid(2_544) },
  ],
  [
    'shows a bank that wants to ask its customer',
    'hosted/product/challenge',
    { amount: 14_900 },
    { status: 'failed', code: 'payment_authentication_failed', charges: [] },
  ],
  [
    'raises the total while the card is typed',
    'drift/product/price-while-typing',
    {},
    { status: 'failed', code: 'price_changed', charges: [] },
  ],
  [
    'confirms an order and charges nothing',
    'invoice/product/confirms-unpaid',
    { amount: 12_900 },
    { status: 'failed', code: 'outcome_unknown', charges: [] },
  ],
  [
    'takes the money and dies',
    'slow/product/dies-after-charge',
    { amount: 2_500 },
    { status: 'succeeded', charges: paid(3_240), cart: { actual_amount: 3_240 } },
  ],
  [
    'shows an error after the order',
    'slow/product/error-after-order',
    { amount: 2_500 },
    { status: 'succeeded', charges: paid(3_240), cart: { order_id: null, actual_amount: 3_240 } },
  ],
  [
    'orders a second time by its script',
    'hostile/product/charges-twice',
    {},
    { status: 'succeeded', charges: paid(2_700), cart: { actual_amount: 2_700 } },
  ],
  [
    'asks the card for more than its page says',
    'hostile/product/charges-more',
    {},
    { status: 'failed', code: 'payment_declined', charges: [] },
  ],
  [
    'sells to customers alone',
    'closed/product/members-only',
    {},
    { status: 'awaiting_merchant_auth', charges: [] },
  ],
  [
    'has more than one variant',
    'choices/product/jacket',
    { amount: 9_000 },
    { status: 'failed', code: 'variant_required', charges: [] },
  ],
]

describe.runIf(hasChromium)('a shop that has nothing but pages', () => {
  beforeAll(async () => {
    model = await startModel(understands)
    const named = { provider: 'openai-compatible', model: 'small-1', url: model.url, keyFile: null } as const
    egress = egressTo(named)
    const readerModel = await openReaderModel({ ...named, key: new Secret(modelKey) }, egress)
    buying = await startBuying({ testClock: true, strangers: true, pages: true, readerModel })
    await installTestClock(buying.app.databaseUrl)
    strangers = openStrangers(buying)
    for (const shop of shops) await strangers.know(`${shop}.shop.test`, 'browser')
  })
  afterAll(async () => {
    await buying?.stop()
    model?.stop()
    await egress?.close()
  })

  test.each(thirdInGate(ends))('%s: %s', async (_, page, wanted, { status, code, cart, charges }) => {
    const buyer = await newBuyer()
    const intent = await buy(buyer, page.split('/'), wanted)
    const end = await ended(buyer, intent.id)
    const [bought] = end.carts
    expect({ status: end.status, code: (bought?.failure_reason as { code: string } | null)?.code }).toEqual({
      status,
      code,
    })
    if (cart) expect(bought).toMatchObject(cart)
    const log = await strangers.log(page.split('/')[0] ?? '')
    const charged = log.filter(({ kind, email }) => kind === 'charge' && email === buyer.email)
    const taken = charged.filter(({ result }) => result === 'authorized' || result === 'captured')
    expect(taken.map(({ result, amount }) => `${result} ${amount}`)).toEqual(charges)
    expect(await buying.pages?.log()).not.toMatch(/\b400005\d{10}\b/)
  })

  const cancels: readonly [CrashPoint, number][] = [
    ['page.priced', 200],
    ['issue_credential.before', 200],
    ['place.before', 409],
    ['grant.before', 409],
    ['page.granted', 409],
    ['page.typing', 409],
    ['page.typed', 409],
    ['page.clicked', 409],
    ['place.after', 409],
  ]
  test.each(thirdInGate(cancels))(
    'a cancel that comes at %s is answered with %i, and the shop and its money say the same',
    async (point, expected) => {
      const buyer = await newBuyer()
      const pause = buying.faults.pause(point)
      const { id } = await buy(buyer, ['classic', 'product', 'kettle'], { amount: 4_900 })
      await pause.reached
      const path = `/v1/purchase_intents/${id}/cancel`
      const cancelled = await buying.app.post(path, {}, { key: buyer.key })
      pause.resume()
      const { status, carts } = await ended(buyer, id)
      const log = await strangers.log('classic')
      const taken = log.filter(({ kind, email }) => kind === 'charge' && email === buyer.email)
      const ends = { answer: cancelled.status, status, taken: taken.map(({ result }) => result) }
      expect(cancelled.status).toBe(expected)
      expect(ends).toEqual(
        cancelled.status === 200
          ? { answer: 200, status: 'cancelled', taken: [] }
          : { answer: 409, status: 'succeeded', taken: ['authorized', 'captured'] },
      )
      expect(carts[0]?.actual_amount).toBe(cancelled.status === 200 ? 0 : 5_832)
    },
  )

  test('a model helps where the rules are stuck, is shown nothing of the buyer, and is asked nowhere else', async () => {
    expect(model.asked).toEqual([])
    const buyer = await newBuyer()
    const intent = await buy(buyer, ['messy', 'p', '7734'], { amount: 2_599 })
    expect(await ended(buyer, intent.id)).toMatchObject({ status: 'succeeded', actual_amount: 3_453 })
    const charges = (await strangers.log('messy')).filter(
      ({ kind, email }) => kind === 'charge' && email === buyer.email,
    )
    expect(charges.map(({ result, amount }) => `${result} ${amount}`)).toEqual(paid(3_453))
    expect(new Set(model.asked.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${modelKey}`]),
    )
    const said = model.asked.map(({ body }) => body).join('')
    for (const own of [buyer.email, person.last_name, person.addresses[0]?.line1 ?? 'no line'])
      expect(said).not.toContain(own)
    expect(await buying.pages?.log()).not.toContain(modelKey)
  })

  test('a checkout at another host is not gone to, until the registry names that host for this shop', async () => {
    const endOf = async (hosts: readonly string[]) => {
      await strangers.forget('hosted.shop.test')
      await strangers.know('hosted.shop.test', 'browser', hosts)
      const buyer = await newBuyer()
      const { id } = await buy(buyer, ['hosted', 'product', 'desk-pad'], { amount: 2_400 })
      const { status, carts } = await ended(buyer, id)
      const log = await strangers.log('hosted')
      const charged = log.filter(({ kind, email }) => kind === 'charge' && email === buyer.email)
      const addressed = log.some(({ email }) => email === buyer.email)
      return { status, code: carts[0]?.failure_reason, addressed, taken: charged.map(({ result }) => result) }
    }
    expect(await endOf([])).toMatchObject({
      status: 'failed',
      code: { code: 'merchant_unsupported' },
      addressed: false,
      taken: [],
    })
    const bought = await endOf(['checkout.tills.test'])
    expect(bought).toMatchObject({ status: 'succeeded', taken: ['authorized', 'captured'] })
  })

  test('a shop that captures in two shipments costs what it has captured in the end, and its card takes nothing more', async () => {
    const buyer = await newBuyer()
    const intent = await buy(buyer, ['authorizes', 'product', 'part-shipped'], { amount: 20_000 })
    const bought = await ended(buyer, intent.id)
    expect(bought).toMatchObject({ status: 'succeeded', actual_amount: 22_140 })
    await strangers.days('authorizes', 7)
    await advanceTestClock(buying.app.databaseUrl, 7 * 86_400)
    const settled = await buying.until(buyer, intent.id, ({ actual_amount }) => actual_amount !== 22_140)
    expect(settled.actual_amount).toBe(13_284)
  })

  test('nothing is left open at the rail, and everything adds up', async () => {
    await buying.settled()
    await buying.audit()
  })
})
