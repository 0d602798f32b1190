import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Buying, startBuying } from '../harness/buying.ts'
import { openComponentPage } from '../harness/component-page.ts'
import { person } from '../harness/person.ts'
import { inChromium, openChromium, openPage, press, there, until } from './open-chromium.ts'

let buying: Buying
let chromium: Awaited<ReturnType<typeof openChromium>>
let shop: Awaited<ReturnType<typeof startShop>>
let profileId: string
let page: Page

inChromium('in live mode, a card that a person enters in a page of an integrator', () => {
  beforeAll(async () => {
    ;[buying, chromium] = await Promise.all([startBuying({ live: true, cardsInPages: true }), openChromium()])
    shop = await startShop()
    const profile = await buying.app.post('/v1/profiles', person, { key: liveKey() })
    profileId = profile.body.id
  })
  afterEach(() => page?.close())
  afterAll(async () => {
    shop?.stop()
    await chromium?.close()
    await buying?.stop()
  })

  test('is kept by the processor, becomes a payment method, and its number comes to no page of ours', async () => {
    const { frame, card } = await openForm()
    await enter(card, '4242424242424242')
    await press(frame, '#consent')
    await press(frame, 'form > .button')
    await until(frame, `document.querySelector('.ending')`)
    const [added] = (await page.evaluate('added')) as { payment_method: { id: string; card: object } }[]
    expect(added?.payment_method.card).toMatchObject({
      card_brand: 'visa',
      card_last4: '4242',
      agentic_credentials_status: 'active',
    })
    expect(await kept()).toContain(added?.payment_method.id)
    const { host } = new URL(buying.sandbox.stripeUrl)
    expect(asked.filter(({ body }) => body.includes('4242424242424242')).map((each) => each.host)).toEqual([
      host,
    ])
    const { elements, cards } = buying.app.parts.settings
    const ours = [elements?.url, cards?.url].map((url) => new URL(url ?? '').host)
    // Each of them was asked for something, so that the list above means something.
    expect(new Set(asked.map((each) => each.host))).toEqual(new Set([...ours, host, new URL(shop.url).host]))
  })

  test('is kept once its bank has agreed, in the frame; where its holder says no, the form says why, and asks again', async () => {
    const { frame, card } = await openForm()
    await enter(card, '4000002760003184')
    await press(frame, 'form > .button')
    await answerBank('fail')
    await until(frame, `document.querySelector('.notice')?.textContent.includes('unable to authenticate')`)
    expect(await page.evaluate('errors.map(({ code }) => code)')).toEqual(['card_refused'])
    await press(frame, 'form > .button')
    await answerBank('complete')
    await until(frame, `document.querySelector('.ending')?.textContent.includes('3184')`)
    // What the bank asks is as high as it needs, and gone afterwards.
    expect(heights.some((height) => height >= 640)).toBe(true)
  })

  test('that is declined is no payment method, and another one can be entered in the same form', async () => {
    const before = await kept()
    const { frame, card } = await openForm()
    await enter(card, '4000000000009995')
    await press(frame, 'form > .button')
    await until(frame, `document.querySelector('.notice')?.textContent.includes('Your card was declined.')`)
    expect(await kept()).toEqual(before)
    await enter(card, '5555555555554444')
    await press(frame, 'form > .button')
    await until(frame, `document.querySelector('.ending')?.textContent.includes('4444')`)
    expect((await kept()).length).toBe(before.length + 1)
  })

  test('that is not whole is not sent, and the form waits', async () => {
    const { frame } = await openForm()
    await press(frame, 'form > .button')
    await until(frame, `document.querySelector('form')?.getAttribute('aria-busy') === 'false'`)
    await frame.evaluate(`new Promise((resolve) => setTimeout(resolve, 300))`)
    expect(await frame.evaluate(`document.querySelector('.notice, .ending')`)).toBe(null)
    expect(asked.filter(({ body }) => body.includes('payment_method_data'))).toEqual([])
  })

  test('is out of reach for that page: it reads nothing there, hears nothing, and has nothing confirmed', async () => {
    const { frame, card } = await openForm()
    await enter(card, '4242424242424242')
    const reached = await page.evaluate(`(async () => {
      const held = frames[0].frames[0]
      const read = [held, held.frames[0]].map((each) => { try { return each.document.body.innerHTML } catch (error) { return error.name } })
      const { port1, port2 } = new MessageChannel()
      const answered = []
      port1.onmessage = ({ data }) => answered.push(data)
      const begin = { prokura_cards: 1, kind: 'begin', nonce: 'n', publishableKey: 'pk', clientSecret: 'seti_1_secret', locale: 'en', look: {} }
      held.postMessage(begin, '*', [port2])
      held.postMessage({ kind: 'confirm' }, '*')
      port1.postMessage({ kind: 'confirm' })
      held.frames[0].postMessage({ what: 'confirm', id: 1, key: 'pk', clientSecret: 'seti_1_secret' }, '*')
      await new Promise((resolve) => setTimeout(resolve, 500))
      return { read, answered, heard: heard.filter((each) => each.includes('4242') || each.includes('prokura_cards')) }
    })()`)
    expect(reached).toEqual({ read: ['SecurityError', 'SecurityError'], answered: [], heard: [] })
    expect(asked.filter(({ body }) => body.includes('payment_method_data'))).toEqual([])
    await press(frame, 'form > .button')
    await until(frame, `document.querySelector('.ending')`)
  })

  test('is entered in a page that isolates itself, in a browser that has frames without credentials', async () => {
    const { frame, card } = await openForm({ isIsolated: true })
    expect(await page.evaluate('crossOriginIsolated')).toBe(true)
    await enter(card, '4000002500003155')
    await press(frame, 'form > .button')
    await answerBank('complete')
    await until(frame, `document.querySelector('.ending')?.textContent.includes('3155')`)
  })

  test('cannot be entered in such a page in another browser, and page and person hear that', async () => {
    const isNone = `delete HTMLIFrameElement.prototype.credentialless`
    const { frame } = await openForm({ isIsolated: true, first: isNone })
    await until(frame, `document.querySelector('.notice')`)
    expect(await page.evaluate('errors.map(({ message }) => message)')).toEqual([
      expect.stringContaining('Cross-Origin-Embedder-Policy'),
    ])
  })

  test('is added where a person chooses a card, too', async () => {
    const { id } = await buying.app
      .post('/v1/purchase_intents', purchase(), { key: liveKey() })
      .then(({ body }) => body)
    const { frame, card } = await openForm({ component: 'AddOrSelectPaymentMethod', purchase: id })
    await enter(card, '4242424242424242')
    await press(frame, '#consent')
    const output = await page.evaluate('element.authorize()')
    expect(await kept()).toContain(
      (output as { profile_payment_method_id: string }).profile_payment_method_id,
    )
  })
})

function purchase() {
  return {
    profile_id: profileId,
    items: [
      { url: 'https://shop.example/cup', quantity: 1, expected_amount: 1000, expected_currency: 'USD' },
    ],
  }
}

/** What the bank asks stands over the page of the processor, in a frame. */
async function answerBank(answer: 'complete' | 'fail'): Promise<void> {
  const bank = await page.waitForFrame((each) => each.url().includes('/confirm/setup/'))
  heights.push(...((await page.evaluate('heightsOfFrame()')) as number[]))
  await press(bank, `form[action$=${answer}] button`)
}

const heights: number[] = []

const asked: { host: string; body: string }[] = []

function liveKey(): string {
  return buying.app.account.keys.secret_live
}

async function kept(): Promise<string[]> {
  const { body } = await buying.app.get(`/v1/profiles/${profileId}/payment_methods`, { key: liveKey() })
  return body.data.map(({ id }: { id: string }) => id)
}

/** The form of the component, and the processor's frame in it. */
type Opening = { component?: string; purchase?: string; isIsolated?: boolean; first?: string }

async function openForm({
  component = 'AddPaymentMethod',
  purchase = '',
  isIsolated = false,
  first,
}: Opening = {}): Promise<{ frame: Frame; card: Frame }> {
  const integrator = await openComponentPage(buying.app, { origin: shop.url, mode: 'live' })
  asked.length = 0
  page = await openPage(chromium.browser)
  page.on('request', (request) =>
    asked.push({ host: new URL(request.url()).host, body: request.postData() ?? '' }),
  )
  if (first !== undefined) await page.evaluateOnNewDocument(first)
  await page.goto(
    `${shop.url}/?key=${integrator.key}&component=${component}&purchase=${purchase}&isolated=${isIsolated}`,
  )
  const frame = await page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
  // Without its frame there is none of the card in it.
  if (first !== undefined) return { frame, card: frame }
  const card = await page.waitForFrame((each) => each.url().includes('/card-frame'))
  await there(card, 'input[name=cvc]')
  return { frame, card }
}

async function enter(card: Frame, number: string): Promise<void> {
  for (const [name, value] of Object.entries({ number, expiry: '0140', cvc: '123' })) {
    await card.$eval(`input[name=${name}]`, (field) => ((field as unknown as { value: string }).value = ''))
    await card.type(`input[name=${name}]`, value)
  }
}

/** A page of an integrator that shows the component. */
async function startShop() {
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://shop').searchParams
    const purchase = asked.get('purchase')
    const subject = purchase ? { purchaseIntentId: purchase } : { profileId }
    const { elements } = buying.app.parts.settings
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      ...(asked.get('isolated') === 'true'
        ? { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
        : {}),
    }
    response.writeHead(200, headers).end(`<!doctype html>
<link rel="icon" href="data:,"><div id="card"></div>
<script src="${elements?.url}/elements/v1/prokura.js"></script>
<script>
  const added = [], errors = [], heard = [], seen = []
  addEventListener('message', ({ data }) => heard.push(JSON.stringify(data)))
  const heightsOfFrame = () => seen
  const element = new Prokura('${asked.get('key')}').create('${asked.get('component')}', ${JSON.stringify(subject)})
  element.on('complete', (result) => added.push(result))
  element.on('error', (error) => errors.push(error))
  element.mount('#card')
  new ResizeObserver(() => seen.push(document.querySelector('#card').offsetHeight)).observe(document.querySelector('#card'))
</script>`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // of a TCP server
  return { url: `http://shop.localhost:${port}`, stop: () => server.close() }
}
