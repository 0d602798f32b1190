import type { Frame } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type KeyPair, makeKeyPair, openSealed } from '../../src/vault/hpke.ts'
import { faultsOf } from './axe.ts'
import {
  inChromium,
  openChromium,
  openShopPage,
  press,
  type ShopPage,
  there,
  until,
} from './open-chromium.ts'
import { type ElementsStandIn, refusal, startStandIn } from './stand-in.ts'

const username = 'ada@example.com'
const password = 'canary of a handoff 4711'
const component = 'MerchantAuthHandoff'
const at = {
  purchase: '/elements/v1/purchase_intent',
  tickets: '/elements/v1/purchase_intent/credential_tickets',
  seal: '/elements/v1/purchase_intent/credential_tickets/ticket_1/seal',
  retry: '/elements/v1/purchase_intent/retry',
}
const info = Buffer.from('prokura ticket v1\nticket_1')

let standIn: ElementsStandIn
let chromium: Awaited<ReturnType<typeof openChromium>>
let shop: ShopPage
let frame: Frame
let pair: KeyPair
let sequence = 1
let intent: Record<string, unknown>

const signIn = { type: 'merchant_sign_in', cart_id: 'cart_1', merchant_domain: 'tea.example' }
const askCode = { ...signIn, type: 'provide_input', fields: [{ name: 'one_time_code', kind: 'code' }] }

/** What a ticket of the purchase is for. */
function asked(): Record<string, unknown> {
  const { merchant_domain: host, cart_id, type } = (intent.next_action ?? {}) as Record<string, unknown> // as it stands
  return { host, cart_id, kind: type === 'provide_input' ? 'code' : 'password' }
}

/** The purchase comes to stand so. */
function stand(status: string, action: object | null, cart: object = {}): void {
  sequence += 1
  intent = {
    id: 'pi_1',
    status,
    sequence,
    currency_code: 'EUR',
    max_allowed_amount: 1470,
    items: [
      { url: 'https://tea.example/p/green-tea', quantity: 2 },
      { url: 'https://cups.example/p/cup', quantity: 1 },
    ],
    carts: [{ id: 'cart_1', status: 'awaiting_merchant_auth', offer: null, ...cart }],
    next_action: action && { element: component, expires_at: null, ...action },
  }
}

const atWall = () => stand('awaiting_merchant_auth', signIn)
const goesOn = () => stand('approved', null, { status: 'in_progress' })
const isIn = () => stand('approved', null, { status: 'in_progress', offer: { total: 1380 } })

async function open(options: object = {}): Promise<void> {
  shop = await openShopPage(chromium.browser, standIn.shop)
  await shop.mount({ component, ...options })
  frame = await shop.frame()
}

async function type(texts: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await frame.type(`#sign-in-${name}`, text)
  await press(frame, '.button')
}

const sentTo = (path: string) => standIn.received.filter((each) => each.path === path)
const says = (text: string) => until(frame, `document.body.textContent.includes(${JSON.stringify(text)})`)
const fields = () => frame.$$eval('input', (inputs) => inputs.map(({ value }) => value))
const results = async () =>
  (await shop.events()).flatMap(({ name, event }) => (name === 'complete' ? [event] : []))

/** What the vault would open of what was sealed last. */
async function opened(): Promise<unknown> {
  const { enc, ciphertext } = sentTo(at.seal).at(-1)?.body ?? {}
  const bytes = (text: unknown) => Buffer.from(String(text), 'base64url')
  const plain = await openSealed(pair, { enc: bytes(enc), ciphertext: bytes(ciphertext), info })
  return plain && JSON.parse(plain.toString('utf8'))
}

inChromium('MerchantAuthHandoff', () => {
  beforeAll(async () => {
    ;[standIn, chromium] = await Promise.all([startStandIn(), openChromium()])
    pair = makeKeyPair()
  })
  beforeEach(() => {
    const begun = () => ({
      id: 'ticket_1',
      ...asked(),
      sealing_key: { key: 'vsk_1', public_key: pair.publicKey.toString('base64url') },
      info: info.toString('base64url'),
    })
    standIn.answers.set(at.purchase, () => ({ body: intent }))
    standIn.answers.set(at.tickets, () => ({ status: 201, body: begun() }))
    standIn.answers.set(at.retry, () => {
      goesOn()
      return { body: intent }
    })
    atWall()
  })
  afterAll(async () => {
    await chromium.close()
    await standIn.stop()
  })
  afterEach(async () => {
    expect(shop.faults).toEqual([])
    await shop.close()
    standIn.reset()
  })

  test('keeps the amount where it stands, whatever the address of an item says', async () => {
    stand('awaiting_merchant_auth', signIn)
    intent.items = [{ url: 'https://tea.example/p/tea%E2%80%AE%2000.01', quantity: 2 }]
    await open()
    await there(frame, '.asking')
    const told = await frame.$eval('.asking > .hint:last-child', (line) => line.textContent)
    expect(told).toContain('\u20682 × tea 00.01\u2069')
    expect(told).not.toContain('\u202e')
  })

  test('what is typed is sealed for this sign-in; what the shop refuses is typed again', async () => {
    await open()
    expect(await frame.$eval('h1', (title) => title.textContent)).toBe('tea.example')
    await says('\u20682 × green-tea\u2069, for €14.70 at most')
    const facts = await frame.$$eval('input', (inputs) =>
      inputs.map(({ type, autocomplete, name }) => [name, type, autocomplete]),
    )
    expect(facts).toEqual([
      ['username', 'text', 'username'],
      ['password', 'password', 'current-password'],
    ])
    expect(await faultsOf(shop, frame)).toEqual([])
    await press(frame, '.button')
    await there(frame, '#sign-in-password-error')
    expect(await faultsOf(shop, frame)).toEqual([])

    await type({ username, password })
    await says('tea.example is checking')
    expect(await frame.$('input')).toBeNull()
    expect(await opened()).toEqual({ username, password })
    expect(sentTo(at.seal)[0]?.body).toEqual({
      key: 'vsk_1',
      enc: expect.stringMatching(/^[\w-]{43}$/),
      ciphertext: expect.stringMatching(/^[\w-]+$/),
    })
    expect(sentTo(at.retry)[0]).toMatchObject({
      authorization: 'Bearer pr_es_test_1',
      body: { credential_ticket_id: 'ticket_1' },
    })
    expect(await faultsOf(shop, frame)).toEqual([])

    stand('merchant_auth_failed', signIn)
    await says('The shop has not accepted this')
    expect(await fields()).toEqual(['', ''])
    expect(await faultsOf(shop, frame)).toEqual([])
    await type({ username, password })
    await says('is checking')
    isIn()
    await says('You are signed in')
    expect(await faultsOf(shop, frame)).toEqual([])
    const submitted = { credential_ticket_id: 'ticket_1', status: 'submitted' }
    expect(await results()).toEqual([submitted, submitted])
    await nothingKept()
  })

  /** Neither the page, nor any storage, nor a console, nor a request has what was typed. */
  async function nothingKept(): Promise<void> {
    const kept = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, printed, location.href,
      document.documentElement.outerHTML, [...document.querySelectorAll('input')].map(({ value }) => value),
      performance.getEntries().map(({ name }) => name)])`
    const texts = [
      await shop.run('JSON.stringify(heard.map(({ data }) => data))'),
      await shop.run(kept),
      await frame.evaluate(kept),
      JSON.stringify(standIn.received),
    ].map(String)
    expect(texts.filter((each) => each.includes('canary') || each.includes(username))).toEqual([])
    expect(texts[0]).toContain('submitted')
  }

  test('a code follows, and one that did not arrive is typed again', async () => {
    await open()
    await type({ username, password })
    await says('is checking')
    stand('awaiting_merchant_auth', askCode)
    await there(frame, '#sign-in-code')
    expect(await frame.$eval('input', (input) => input.autocomplete)).toBe('one-time-code')
    expect(await faultsOf(shop, frame)).toEqual([])
    await type({ code: '123456' })
    await says('is checking')
    expect(await opened()).toEqual({ code: '123456' })
    stand('merchant_auth_failed', askCode)
    await says('The shop has not accepted this code')
    await type({ code: '654321' })
    await says('is checking')
    // The page that waited for the code is gone: what was typed at first is asked for again.
    atWall()
    await says('did not reach the shop')
    await type({ username, password })
    await says('is checking')
    stand('failed', null, { status: 'failed' })
    await says('Nothing waits for a sign-in any more')
  })

  test('a browser that does not know the curve seals all the same', async () => {
    await open()
    await frame.evaluate(`for (const name of ['generateKey', 'importKey', 'deriveBits']) {
      const known = crypto.subtle[name].bind(crypto.subtle)
      crypto.subtle[name] = async (...given) => {
        if (given.some((each) => (each?.name ?? each) === 'X25519')) throw new DOMException('', 'NotSupportedError')
        return known(...given)
      }
    }`)
    await type({ username, password })
    await says('is checking')
    expect(await opened()).toEqual({ username, password })
  })

  test('with deferRetry the ticket is the page’s, and nothing goes on', async () => {
    await open({ deferRetry: true })
    await type({ username, password })
    await says('Your sign-in is ready')
    expect(await results()).toEqual([{ credential_ticket_id: 'ticket_1', status: 'minted' }])
    expect(sentTo(at.retry)).toEqual([])
    await until(shop.page, `events.some(({ event }) => event?.complete === true)`)
  })

  test('what keeps it from going on is said, and typed again', async () => {
    await open()
    standIn.answers.set(at.seal, () => null)
    await type({ username, password })
    await says('No connection')
    expect(await fields()).toEqual(['', ''])
    standIn.answers.set(at.seal, () => refusal(503, 'unavailable'))
    await type({ username, password })
    await says('not possible at the moment')
    expect(await faultsOf(shop, frame)).toEqual([])
    // The vault was started anew between two calls, once.
    const answers = [refusal(409, 'ticket_not_sealed'), { body: {} }]
    standIn.answers.set(at.seal, () => answers.shift() ?? null)
    await type({ username, password })
    await says('is checking')
    stand('merchant_auth_failed', signIn)
    await says('has not accepted')
    standIn.answers.set(at.tickets, () => ({ status: 201, body: { ...asked(), sealing_key: {} } }))
    await type({ username, password })
    await says('cannot encrypt')
    standIn.answers.set(at.tickets, () => refusal(409, 'component_not_applicable'))
    isIn()
    await type({ username, password })
    await says('You are signed in')
  })

  test('what was typed for one host is sealed for no other', async () => {
    await open()
    stand('awaiting_merchant_auth', { ...signIn, merchant_domain: 'evil.example' })
    await type({ username, password })
    await until(frame, `document.querySelector('h1').textContent === 'evil.example'`)
    expect(await fields()).toEqual(['', ''])
    expect(sentTo(at.seal)).toEqual([])
  })

  test('where nothing is asked any more, the frame says so', async () => {
    standIn.answers.set('/elements/v1/sessions', () => refusal(409, 'component_not_applicable'))
    await open()
    await there(frame, '.notice')
    expect(await shop.errors()).toEqual(['component_not_applicable'])
  })
})
