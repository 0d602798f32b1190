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
    expect(asked.filter(({ body }) => body.includes('4242424242424242'))).toEqual([
      { host: new URL(buying.sandbox.stripeUrl).host, body: expect.any(String) },
    ])
  })
})

const asked: { host: string; body: string }[] = []

function liveKey(): string {
  return buying.app.account.keys.secret_live
}

async function kept(): Promise<string[]> {
  const { body } = await buying.app.get(`/v1/profiles/${profileId}/payment_methods`, { key: liveKey() })
  return body.data.map(({ id }: { id: string }) => id)
}

/** The form of the component, and the processor's frame in it. */
async function openForm(): Promise<{ frame: Frame; card: Frame }> {
  const integrator = await openComponentPage(buying.app, { origin: shop.url, mode: 'live' })
  asked.length = 0
  page = await openPage(chromium.browser)
  page.on('request', (request) =>
    asked.push({ host: new URL(request.url()).host, body: request.postData() ?? '' }),
  )
  await page.goto(`${shop.url}/?key=${integrator.key}`)
  const frame = await page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
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
    const key = new URL(request.url ?? '/', 'http://shop').searchParams.get('key')
    const { elements } = buying.app.parts.settings
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>
<link rel="icon" href="data:,"><div id="card"></div>
<script src="${elements?.url}/elements/v1/prokura.js"></script>
<script>
  const added = [], errors = []
  const element = new Prokura('${key}').create('AddPaymentMethod', { profileId: '${profileId}' })
  element.on('complete', (result) => added.push(result))
  element.on('error', (error) => errors.push(error))
  element.mount('#card')
</script>`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // of a TCP server
  return { url: `http://shop.localhost:${port}`, stop: () => server.close() }
}
