import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../src/cli/up/free-port.ts'
import { createEgress, type Egress } from '../../src/platform/egress/egress.ts'
import { createSandboxBank } from '../../src/rails/sandbox/card-bank.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { createPurchase, newBuyer } from '../harness/buyers.ts'
import { type ComponentPage, openComponentPage } from '../harness/component-page.ts'
import { type Sandbox, startSandbox } from '../harness/sandbox.ts'
import { inChromium, openChromium, openPage, until } from './open-chromium.ts'

const axe = readFileSync(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8')

let app: TestApp
let shop: ComponentPage
let sandbox: Sandbox
let egress: Egress
let chromium: Awaited<ReturnType<typeof openChromium>>
let page: Page
let device: CDPSession
let authenticatorId: string

inChromium('the window in which a person proves a card', () => {
  beforeAll(async () => {
    const port = await freePort()
    const elements = { url: `http://elements.localhost:${port}`, vaultUrl: 'http://vault.localhost:1' }
    sandbox = await startSandbox()
    const url = sandbox.processorUrl
    egress = createEgress({ allowLoopback: () => false, trustedOrigins: [url] })
    const cardBank = createSandboxBank({ url, egress })
    ;[app, chromium] = await Promise.all([startTestApp({ elements, port, cardBank }), openChromium()])
    shop = await openComponentPage(app)
    page = await openPage(chromium.browser)
    await page.setViewport({ width: 375, height: 700 })
    device = await page.createCDPSession()
    await device.send('WebAuthn.enable')
    ;({ authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    }))
  })
  afterAll(async () => {
    await chromium?.close()
    await app?.stop()
    await egress?.close()
    await sandbox?.stop()
  })

  const shown = async (words: string) =>
    until(page, `document.body.textContent.includes(${JSON.stringify(words)})`)
  async function faults(): Promise<unknown> {
    await page.evaluate(axe)
    return page.evaluate(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
    )
  }
  async function visit(windowUrl: string): Promise<void> {
    // The same document with another token is loaded anew.
    await page.goto('about:blank')
    await page.goto(windowUrl)
  }

  test('a passkey is made there and then proves a purchase, with a real authenticator', async () => {
    const buyer = await newBuyer(app, { card: 'visa_otp_passkey', enrolled: true })
    const adding = await shop.openVouched('AddPaymentMethod', { profile_id: buyer.profileId })
    const begin = () => adding.post(`/payment_methods/${buyer.paymentMethodId}/payment_verifications`)
    const otp = await begin()
    await adding.post(`/payment_verifications/${otp.body.id}/code`, { code: '123456' })
    await visit((await begin()).body.window_url)
    await shown('Create passkey')
    expect(page.url()).toBe(`${app.parts.settings.elements?.url}/elements/v1/ceremony`)
    expect(await faults()).toEqual([])
    await page.click('.button')
    await shown('Confirmed')

    const { body: intent } = await createPurchase(app, buyer)
    const paying = await shop.open('AddOrSelectPaymentMethod', { purchase_intent_id: intent.id })
    const begun = await paying.post('/purchase_intent/payment_verifications', {
      profile_payment_method_id: buyer.paymentMethodId,
    })
    await visit(begun.body.window_url)
    await shown('At most')
    const text = await page.$eval('main', (element) => element.innerText)
    expect(text).toContain('shop.example')
    expect(text).toContain(new URL(intent.items[0].url).hostname)
    expect(text).toMatch(/€\s?\d/)
    await page.click('.button')
    await shown('Confirmed')
    const { body } = await paying.get(`/payment_verifications/${begun.body.id}`)
    const approved = await app.post(`/v1/purchase_intents/${intent.id}/approve`, {
      approve: true,
      payment_verification: { method: 'passkey', assertion: body.assertion },
    })
    expect([approved.status, approved.body.status]).toEqual([200, 'approved'])
    // Loaded again, or by somebody else, it shows nothing.
    await visit(begun.body.window_url)
    await shown('This window is over')
    expect(await faults()).toEqual([])
  })

  test('a passkey may be of a domain above', async () => {
    const port = await freePort()
    const elements = { url: `http://pages.elements.localhost:${port}`, vaultUrl: 'http://vault.localhost:1' }
    const above = await startTestApp({ elements: { ...elements, rpId: 'elements.localhost' }, port })
    try {
      const buyer = await newBuyer(above, { card: 'visa_otp_passkey', enrolled: true })
      const adding = await (await openComponentPage(above)).openVouched('AddPaymentMethod', {
        profile_id: buyer.profileId,
      })
      const begin = () => adding.post(`/payment_methods/${buyer.paymentMethodId}/payment_verifications`)
      const otp = await begin()
      await adding.post(`/payment_verifications/${otp.body.id}/code`, { code: '123456' })
      await visit((await begin()).body.window_url)
      await shown('Create passkey')
      const before = await passkeysOf('elements.localhost')
      await page.click('.button')
      await shown('Confirmed')
      expect(await passkeysOf('elements.localhost')).toBe(before + 1)
    } finally {
      await above.stop()
    }
  })

  /** How many the device has for a domain. */
  async function passkeysOf(rpId: string): Promise<number> {
    const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId })
    return credentials.filter((each) => each.rpId === rpId).length
  }

  test('a bank asks there, and a person may say no', async () => {
    const buyer = await newBuyer(app, { card: 'mastercard_popup', enrolled: true })
    const adding = await shop.openVouched('AddPaymentMethod', { profile_id: buyer.profileId })
    const begun = await adding.post(`/payment_methods/${buyer.paymentMethodId}/payment_verifications`)
    await visit(begun.body.window_url)
    await shown('Continue to your bank')
    expect(await faults()).toEqual([])
    await page.click('.quiet')
    await shown('Not confirmed')
    expect((await adding.get(`/payment_verifications/${begun.body.id}`)).body.status).toBe('refused')
  })

  test('the bank asks on a page of its own, remembers what it was told, and leads back', async () => {
    const buyer = await newBuyer(app, { card: 'mastercard_popup', enrolled: true })
    const adding = await shop.openVouched('AddPaymentMethod', { profile_id: buyer.profileId })
    const begin = () => adding.post(`/payment_methods/${buyer.paymentMethodId}/payment_verifications`)
    for (const [button, ending, status, card] of [
      ['No', 'Not confirmed', 'refused', 'pending_verification'],
      ['Yes, this is me', 'Confirmed', 'proven', 'active'],
    ] as const) {
      const begun = await begin()
      await visit(begun.body.window_url)
      await shown('Continue to your bank')
      await page.click('.button')
      await shown('It moves no money')
      // Back and forth, the window is still the same one.
      await page.goBack()
      await shown('Continue to your bank')
      await page.click('.button')
      await shown(button)
      await page.click(`button[value=${status === 'proven' ? 'confirmed' : 'refused'}]`)
      await shown(ending)
      expect(page.url()).toBe(`${app.parts.settings.elements?.url}/elements/v1/ceremony`)
      expect((await adding.get(`/payment_verifications/${begun.body.id}`)).body.status).toBe(status)
      const { body } = await app.get(
        `/v1/profiles/${buyer.profileId}/payment_methods/${buyer.paymentMethodId}`,
      )
      expect(body.card.agentic_credentials_status).toBe(card)
    }
    const asked = await (await fetch(`${sandbox.processorUrl}/v1/challenges`)).json()
    expect(asked).toMatchObject([
      { card: 'mastercard_popup', purpose: 'enrollment', status: 'pending' },
      { status: 'refused' },
      { status: 'confirmed' },
    ])
  })

  test('a second proof takes the window that the first has left open', async () => {
    const buyer = await newBuyer(app, { card: 'mastercard_popup', enrolled: true })
    const adding = await shop.openVouched('AddPaymentMethod', { profile_id: buyer.profileId })
    const begin = () => adding.post(`/payment_methods/${buyer.paymentMethodId}/payment_verifications`)
    const first = await begin()
    await visit(first.body.window_url)
    await shown('Continue to your bank')
    await page.click('.quiet')
    await shown('Not confirmed')
    const second = await begin()
    // As `window.open` does it with a name that a window has: no other document is loaded for another fragment.
    await page.evaluate(`location.href = ${JSON.stringify(second.body.window_url)}`)
    await shown('Continue to your bank')
    expect(page.url()).toBe(`${app.parts.settings.elements?.url}/elements/v1/ceremony`)
    await page.click('.quiet')
    await shown('Not confirmed')
    expect((await adding.get(`/payment_verifications/${second.body.id}`)).body.status).toBe('refused')
  })

  test('its document is the same for everybody and can be framed by nobody', async () => {
    const answer = await page.goto(`${app.parts.settings.elements?.url}/elements/v1/ceremony`)
    expect(answer?.headers()).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cross-origin-opener-policy': 'same-origin',
    })
    await shown('This window is over')
  })
})
