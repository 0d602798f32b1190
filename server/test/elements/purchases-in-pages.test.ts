import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prokura } from '../harness/command-runner.ts'
import { makeStateDir } from '../harness/database.ts'
import { person } from '../harness/person.ts'
import { type Service, serviceEnvironment, startService } from '../harness/up.ts'
import { filesWith } from './files-with.ts'
import { inChromium, openChromium, openPage, press, there, until } from './open-chromium.ts'

/** A password that nobody has: found anywhere, it was kept there. */
const canary = 'canary-of-the-handoff-0815'

let state: string
let service: Service
let site: Awaited<ReturnType<typeof startSite>>
let chromium: Awaited<ReturnType<typeof openChromium>>

inChromium('a page on another origin', () => {
  beforeAll(async () => {
    state = await makeStateDir()
    ;[service, chromium] = await Promise.all([
      startService({ state, args: ['--port', '0'], env: serviceEnvironment() }),
      openChromium(),
    ])
    site = await startSite()
  })
  afterAll(async () => {
    site?.stop()
    // A test that failed has not stopped it.
    if (service?.process.exitCode === null) await service.stop()
    await chromium?.close()
    rmSync(state, { recursive: true, force: true })
  })

  test('has a person choose a card and confirm it with the code of the bank, and its server approves with what comes of it', async () => {
    const { id } = await buy(await newBuyer('visa_otp_required'), 'https://shop.example/cup')
    const page = await openPage(chromium.browser)
    await page.goto(`${site.url}/?component=AddOrSelectPaymentMethod&purchase=${id}`)
    const frame = await page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
    await until(frame, `document.body.textContent.includes('shop.example')`)
    await there(frame, '#proof')
    await frame.type('#proof', '123456')
    const output = await page.evaluate('element.authorize()')
    const approved = await call('POST', `/v1/purchase_intents/${id}/approve`, {
      approve: true,
      ...withoutNulls(output),
    })
    expect(approved).toMatchObject({ status: 'approved', approval: { approved_by: 'person' } })
    await succeeds(id)
    await page.close()
  })

  test('sends a person whose window was blocked to the page of their bank, and goes on with what they say there', async () => {
    const { id } = await buy(await newBuyer('mastercard_popup'), 'https://shop.example/pan')
    const page = await openPage(chromium.browser)
    await page.goto(`${site.url}/?component=AddOrSelectPaymentMethod&purchase=${id}`)
    const frame = await page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
    await until(frame, `document.body.textContent.includes('shop.example')`)
    await there(frame, 'input:checked')
    await page.evaluate('window.open = () => null; void (window.output = element.authorize())')
    await there(frame, 'a.button')
    const address = await frame.$eval('a.button', (link) =>
      String((link as unknown as { href: string }).href),
    ) // of a link
    const bank = await openPage(chromium.browser)
    await bank.goto(address)
    await press(bank.mainFrame(), '.button')
    await press(bank.mainFrame(), 'button[value=confirmed]')
    await until(bank.mainFrame(), `document.body.textContent.includes('Close this window')`)
    const approved = await call('POST', `/v1/purchase_intents/${id}/approve`, {
      approve: true,
      ...withoutNulls(await page.evaluate('output')),
    })
    expect(approved.status).toBe('approved')
    await succeeds(id)
    await bank.close()
    await page.close()
  })

  test('has a person approve on a page of ours, with the code of a card that needs none elsewhere', async () => {
    const { id } = await buy(await newBuyer('visa_auto_approved'), 'https://shop.example/pot')
    const made = await prokura(['purchases', 'approve', id, '--link', '--state', state, '--json'])
    const { url } = JSON.parse(made.out)
    const page = await openPage(chromium.browser)
    await page.goto(url)
    await press(page.mainFrame(), '.button')
    await there(page.mainFrame(), '#proof')
    await page.type('#proof', '112')
    await press(page.mainFrame(), 'form .button')
    await there(page.mainFrame(), '#proof-error, .notice')
    expect((await call('GET', `/v1/purchase_intents/${id}`)).status).toBe('awaiting_approval')
    await page.$eval('#proof', (field) => ((field as unknown as { value: string }).value = ''))
    await page.type('#proof', '111')
    await press(page.mainFrame(), 'form .button')
    await succeeds(id)
    const { approval } = await call('GET', `/v1/purchase_intents/${id}`)
    expect(approval.approved_by).toBe('cardholder')
    await page.close()
  })

  test('signs in for a purchase, again after a wrong password, and nobody else sees what was typed', async () => {
    const intent = await buyAtWall()
    const page = await openPage(chromium.browser)
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.goto(`${site.url}/?component=MerchantAuthHandoff&purchase=${intent}`)
    const frame = await page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
    await there(frame, '#sign-in-password')
    expect(await frame.$eval('h1', (title) => title.textContent)).toBe('shop.example')
    const shows = (text: string) => until(frame, `document.body.textContent.includes('${text}')`)
    const submit = async (password: string) => {
      await frame.type('#sign-in-username', 'ada@example.com')
      await frame.type('#sign-in-password', password)
      await press(frame, '.button')
    }
    await submit(`${canary}-wrong`)
    await shows('has not accepted this')
    await submit(canary)
    await shows('You are signed in')
    await succeeds(intent)
    const heard = String(await page.evaluate('JSON.stringify([heard, events])'))
    expect(heard.match(/"status":"submitted"/g)?.length).toBeGreaterThanOrEqual(2)
    const stored = '[{ ...localStorage }, { ...sessionStorage }, document.cookie]'
    for (const place of [page, frame]) said.push(JSON.stringify(await place.evaluate(stored)))
    expect([heard, ...said].filter((each) => each.includes(canary))).toEqual([])
    await page.close()
    // Everything is written down by the end: the database's own files, its log, and the logs of all processes.
    await service.stop()
    expect(filesWith(state, 'Lovelace')).not.toEqual([])
    expect(filesWith(state, canary)).toEqual([])
  })
})

async function call(method: string, path: string, body?: object) {
  const { base_url, keys } = service.ready
  const headers = { authorization: `Bearer ${keys.secret_test}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${base_url}${path}`, { method, headers, ...sent })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${text}`)
  return JSON.parse(text)
}

const enrolling: Readonly<Record<string, object>> = {
  visa_otp_required: { method: 'otp', code: '123456' },
  mastercard_popup: { method: 'popup', assertion: 'confirmed' },
}

/** A profile with one card. */
async function newBuyer(vault_token_id: string): Promise<string> {
  const { id } = await call('POST', '/v1/profiles', person)
  const card = { kind: 'existing', vault_token_id, cardholder_name: 'Ada Lovelace' }
  const enrolled = { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }
  const path = `/v1/profiles/${id}/payment_methods`
  const method = await call('POST', path, { type: 'card', card: { ...card, ...enrolled } })
  if (method.next_action !== null)
    await call('POST', `${path}/${method.id}/verify`, enrolling[vault_token_id])
  return id
}

function buy(profile_id: string, url: string) {
  const item = { url, quantity: 1, expected_amount: 1000, expected_currency: 'USD' }
  return call('POST', '/v1/purchase_intents', { profile_id, items: [item] })
}

function succeeds(intent: string): Promise<void> {
  return expect
    .poll(async () => (await call('GET', `/v1/purchase_intents/${intent}`)).status)
    .toBe('succeeded')
}

/** As an integrator's server passes on what its page was given. */
function withoutNulls(output: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(output as object).filter(([, value]) => value !== null))
}

/** A purchase whose shop asks for a sign-in, and refuses the first one. */
async function buyAtWall(): Promise<string> {
  const { id } = await buy(
    await newBuyer('visa_auto_approved'),
    'https://shop.example/tea?scenario=sign_in_refused',
  )
  await call('POST', `/v1/purchase_intents/${id}/approve`, { approve: true })
  await expect
    .poll(async () => (await call('GET', `/v1/purchase_intents/${id}`)).status)
    .toBe('awaiting_merchant_auth')
  return id
}

/** A page that shows the component, at an origin that its key is for, and writes down what anybody says to it. */
async function startSite() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}` // of a TCP server
  const page = ['--capability', 'elements', '--origin', url]
  const made = await prokura(['keys', 'create', '--kind', 'publishable', ...page, '--state', state, '--json'])
  const { token } = JSON.parse(made.out)
  const elements = JSON.parse(readFileSync(join(state, 'environment.json'), 'utf8')).PROKURA_ELEMENTS_URL
  server.on('request', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><html lang="en"><title>Site</title><link rel="icon" href="data:,"><div id="here"></div><script>
const heard = [], events = []
addEventListener('message', ({ data }) => heard.push(data))
const Channel = window.MessageChannel
window.MessageChannel = class { constructor() {
  const { port1, port2 } = new Channel()
  port1.addEventListener('message', ({ data }) => heard.push(data))
  Object.assign(this, { port1, port2 })
} }
</script><script src="${elements}/elements/v1/prokura.js"></script><script>
const asked = new URLSearchParams(location.search)
const element = new Prokura('${token}').create(asked.get('component'), { purchaseIntentId: asked.get('purchase'), locale: 'en' })
for (const name of ['ready', 'change', 'complete', 'error']) element.on(name, (event) => events.push({ name, event }))
element.mount('#here')
</script></html>`)
  })
  return {
    url,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
