import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../src/cli/up/free-port.ts'
import { issueKey } from '../../src/domain/accounts/api-keys/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { patientMs } from '../gate/pace.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { makeLink } from '../harness/approval-pages.ts'
import { createPurchase, newBuyer } from '../harness/buyers.ts'
import { inChromium, openChromium, openPage, press, there, until } from './open-chromium.ts'

const axe = readFileSync(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8')
const shop = 'https://shop.example'
/** A code that somebody has typed into another vault: the purchase is not approved with it. */
const token = `pr_cvc_test_${'a'.repeat(33)}`

let app: TestApp
let vault: Server
let chromium: Awaited<ReturnType<typeof openChromium>>
let page: Page
const faults: unknown[] = []
const left: string[] = []

inChromium('the page on which a person approves', () => {
  beforeAll(async () => {
    const [port, vaultPort] = [await freePort(), await freePort()]
    const elements = {
      url: `http://elements.localhost:${port}`,
      vaultUrl: `http://vault.localhost:${vaultPort}`,
    }
    vault = await startVault(vaultPort, elements.url)
    ;[app, chromium] = await Promise.all([startTestApp({ port, elements }), openChromium()])
    const tenant = { accountId: app.account.accountId, mode: 'test' } as const
    await runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) =>
      issueKey(ctx, {
        kind: 'publishable',
        name: 'page',
        preset: 'full',
        clientSecrets: 'optional',
        capabilities: ['elements'],
        origins: [shop],
        expiresAt: null,
      }),
    )
  })
  afterAll(async () => {
    await chromium?.close()
    await app?.stop()
    vault?.close()
  })
  afterEach(async () => {
    await page.close()
    expect(faults.splice(0)).toEqual([])
    left.splice(0)
  })

  test('leads from who asks to what is bought, and after a no back to the shop', async () => {
    const { url, id } = await newLink({ return_url: `${shop}/purchases?from=link` })
    await open(url)
    // The token has left the address before anybody can read it there.
    expect(page.url()).toBe(url.split('#')[0])
    expect(await text('h1')).toBe('Integrator asks you to approve a purchase')
    await judge('asked')
    expect((await app.get(`/v1/purchase_intents/${id}`)).body.status).toBe('awaiting_approval')
    await press(page.mainFrame(), '.button')
    await there(page.mainFrame(), '#proof')
    const shown = await text('main')
    for (const said of [
      'www.shop.example',
      '2 × tea',
      '€20.00',
      'Ada Lovelace',
      'Unter den Linden 1',
      'ending in',
    ])
      expect(shown).toContain(said)
    // Every amount ends where its line does.
    const ends = await page.$$eval('.shop li :last-child, .cap b', (all) =>
      all.map((each) => Math.round(each.getBoundingClientRect().right)),
    )
    expect([ends.length > 1, new Set(ends).size]).toEqual([true, 1])
    await judge('opened')

    await press(page.mainFrame(), '.button[type=submit]')
    await there(page.mainFrame(), '.error')
    expect(await text('.error')).toBe('Enter the security code.')
    await judge('incomplete')
    await page.type('#proof', '111')
    await press(page.mainFrame(), '.button[type=submit]')
    await there(page.mainFrame(), '.notice')
    expect(left).toEqual([JSON.stringify({ cvc: '111', card_brand: 'visa' })])
    await judge('refused')

    // Whoever loads the page again goes on, in this tab.
    await page.reload()
    await press(page.mainFrame(), '.button')
    await press(page.mainFrame(), '.other')
    await there(page.mainFrame(), 'a.button')
    expect(await text('h1')).toBe('You have declined this purchase')
    expect(await page.$eval('a.button', (link) => link.getAttribute('href'))).toBe(
      `${shop}/purchases?from=link&purchase_intent_id=${id}&status=declined`,
    )
    await judge('declined')
  })

  test('says how it ended to who comes again, and nothing to another browser', async () => {
    const { url, id } = await newLink()
    await open(url)
    await press(page.mainFrame(), '.button')
    await there(page.mainFrame(), '#proof')
    // Another tab is the same browser.
    const tab = await openPage(chromium.browser)
    await tab.goto(url)
    await press(tab.mainFrame(), '.button')
    await there(tab.mainFrame(), '#proof')
    await tab.close()
    const elsewhere = await chromium.browser.createBrowserContext()
    const other = await elsewhere.newPage()
    await other.goto(url)
    await there(other.mainFrame(), '.ending')
    expect(await other.$eval('h1', (title) => title.textContent)).toBe(
      'This link was opened in another browser',
    )
    await elsewhere.close()
    await app.post(`/v1/purchase_intents/${id}/approve`, { approve: true })
    await page.reload()
    await there(page.mainFrame(), '.ending')
    expect(await text('h1')).toBe('You have approved this purchase')
    await judge('approved')
  })

  test('shows what has changed before anybody approves it', async () => {
    const { url, profileId } = await newLink()
    await open(url)
    await press(page.mainFrame(), '.button')
    await there(page.mainFrame(), '#proof')
    await app.post(`/v1/profiles/${profileId}`, { first_name: 'Grace' })
    await page.type('#proof', '111')
    await press(page.mainFrame(), '.button[type=submit]')
    await until(page, `document.querySelector('main').textContent.includes('Grace Lovelace')`)
    expect(await text('.notice')).toMatch(/Look at the purchase again/)
    await judge('changed')
  })

  test('says of a link that is over, or not whole, what to do', async () => {
    const { url, id } = await newLink()
    await app.post(`/v1/purchase_intents/${id}/cancel`, {})
    await open(url, '.ending')
    expect(await text('h1')).toBe('This link is over')
    await judge('over')
    await page.close()
    await open(url.split('#')[0] ?? '', '.ending')
    expect(await text('h1')).toBe('This link is not complete')
  })

  test('speaks the language of the browser, and runs as it is written', async () => {
    const { url } = await newLink()
    await open(url, '.button', ['de-AT', 'en'])
    expect(await text('h1')).toBe('Integrator bittet Sie, einen Kauf zu genehmigen')
    await press(page.mainFrame(), '.button')
    await there(page.mainFrame(), '#proof')
    await judge('opened in German')
    await page.close()
    await open(url, '.button', ['ar'])
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl')
    await judge('asked from right to left')
  })

  test('begins another proof after each that came to nothing', async () => {
    const begun = (method: string, id: string) => ({
      method,
      id,
      window_url: method === 'popup' ? `${shop}/window/${id}` : null,
    })
    const { answers, sent } = await standIn({
      '/purchase_intent/payment_verifications': [begun('popup', 'a'), begun('popup', 'b'), begun('otp', 'c')],
      '/payment_verifications/a': [{ status: 'refused' }],
      '/payment_verifications/b': [{ status: 'pending' }],
    })
    const main = page.mainFrame()
    // The person says no in the window.
    await press(main, '.button[type=submit]')
    await until(page, `document.querySelector('.notice')?.textContent.startsWith('This was not confirmed')`)
    // The next one is another. It gets stuck: its window has no passkeys, or was closed.
    await until(page, idle)
    await press(main, '.button[type=submit]')
    await until(page, `document.querySelector('[role=status] a')?.href.endsWith('/window/b')`)
    await judge('window')
    await press(main, '.form > .quiet')
    await there(main, '#proof')
    expect(await page.$('[type=radio]:disabled')).toBeNull()
    // One wrong code leaves the bank's proof as it is; after the last, the card needs its own code.
    answers['/payment_verifications/c/code'] = [refusedAs('verification_failed')]
    answers['/payment_verifications/c'] = [{ status: 'pending' }, { status: 'refused' }]
    answers['/purchase_intent/payment_verifications'] = [begun('none', 'd')]
    for (const label of ['Code from your bank', 'Security code']) {
      await page.type('#proof', '000000')
      await press(main, '.button[type=submit]')
      await until(
        page,
        `${idle} && document.querySelector('.notice') && document.querySelector('#proof').value === ''`,
      )
      expect(await text('label[for=proof]')).toBe(label)
    }
    expect(sent.filter((path) => path === '/purchase_intent/payment_verifications')).toHaveLength(4)
  })

  test('asks again what a card needs where that was lost, and says why a card is not taken', async () => {
    const begin = '/purchase_intent/payment_verifications'
    const { answers } = await standIn({ [begin]: ['lost'] })
    const main = page.mainFrame()
    await there(main, '.notice')
    expect(await text('.notice')).toBe('No connection. Check that you are online, then try again.')
    answers[begin] = [refusedAs('card_refused', 'This card was refused three times.')]
    await press(main, '.button[type=submit]')
    await until(
      page,
      `document.querySelector('.notice')?.textContent === 'This card was refused three times.'`,
    )
    answers[begin] = [refusedAs('rate_limited')]
    await until(page, idle)
    await press(main, '.button[type=submit]')
    await until(page, `document.querySelector('.notice')?.textContent.includes('in a minute')`)
    answers[begin] = [{ method: 'none', id: 'a', window_url: null }]
    await until(page, idle)
    await press(main, '.button[type=submit]')
    await there(main, '#proof')
    expect(await page.$('.error')).toBeNull()
  })

  test('takes a press that comes before it has asked what the card needs', async () => {
    const window = { method: 'popup', id: 'pver_1', window_url: `${shop}/window` }
    const answers = {
      '/purchase_intent/payment_verifications': [window],
      '/payment_verifications/pver_1': [{ status: 'pending' }],
    }
    await standIn(
      answers,
      `let isPressed = false
       new MutationObserver(() => {
         const button = document.querySelector('.button[type=submit]')
         if (button === null || isPressed) return
         isPressed = true
         button.click()
       }).observe(document, { childList: true, subtree: true })`,
    )
    await there(page.mainFrame(), '[role=status]')
  })

  test('approves nothing by a proof that was given after the no', async () => {
    const window = { method: 'popup', id: 'pver_1', window_url: `${shop}/window` }
    const proven = { status: 'proven', assertion: 'pv_1' }
    const { answers, approvals } = await standIn({
      '/purchase_intent/payment_verifications': [window],
      '/payment_verifications/pver_1': [{ status: 'pending' }],
    })
    await press(page.mainFrame(), '.button[type=submit]')
    await there(page.mainFrame(), '[role=status]')
    // The no is held up on its way, while the person confirms in the window after all.
    answers['/purchase_intent/approve'] = ['held']
    await press(page.mainFrame(), '.other')
    await expect.poll(() => approvals.length, { timeout: patientMs(20_000) }).toBe(1)
    answers['/payment_verifications/pver_1'] = [proven]
    // By then the page would have looked again, twice.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 2500))')
    expect(approvals).toEqual([{ approve: false }])
  })

  test('stands in no frame, and keeps what opened it away', async () => {
    const answer = await fetch(`${app.url}/elements/v1/approve`, {
      headers: { host: new URL((await newLink()).url).host },
    })
    page = await openPage(chromium.browser)
    expect(answer.status).toBe(404)
    const { url } = await newLink()
    const shown = await page.goto(url)
    expect(shown?.headers()).toMatchObject({
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    })
    expect(shown?.headers()['set-cookie']).toBeUndefined()
  })
})

async function newLink(body: Record<string, unknown> = {}) {
  const { profileId } = await newBuyer(app)
  const { id } = (await createPurchase(app, { profileId, paymentMethodId: null, addressId: '' })).body
  const { url } = (await makeLink(app, id, body)).body
  return { url: String(url), id: String(id), profileId }
}

const idle = `document.querySelector('form').getAttribute('aria-busy') === 'false'`
const refusedAs = (code: string, message = '') => ({ detail: { code, message, param: null } })

type StandIn = 'lost' | 'held' | Record<string, unknown>

/** Opens a page whose calls to these paths are answered as a test says: the last answer again and again. */
async function standIn(answers: Record<string, StandIn[]>, script = '') {
  const { url } = await newLink()
  const approvals: unknown[] = []
  const sent: string[] = []
  await open(url, '.button', ['en'], async () => {
    if (script !== '') await page.evaluateOnNewDocument(script)
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname.replace('/elements/v1', '')
      sent.push(path)
      if (path === '/purchase_intent/approve') approvals.push(JSON.parse(request.postData() ?? '{}'))
      const [first, ...others] = answers[path] ?? []
      if (first === undefined) return void request.continue()
      if (others.length > 0) answers[path] = others
      if (first === 'lost') return void request.abort()
      if (first === 'held') return
      const status = 'detail' in first ? 409 : 200
      void request.respond({ status, contentType: 'application/json', body: JSON.stringify(first) })
    })
  })
  await press(page.mainFrame(), '.button')
  await there(page.mainFrame(), '.answers')
  return { answers, approvals, sent }
}

/** On a phone. */
async function open(
  url: string,
  shown = '.button',
  languages = ['en'],
  prepare = async () => {},
): Promise<void> {
  page = await openPage(chromium.browser)
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.setViewport({ width: 375, height: 700, isMobile: true, hasTouch: true })
  await page.evaluateOnNewDocument(
    `Object.defineProperty(navigator, 'languages', { value: ${JSON.stringify(languages)} })`,
  )
  await prepare()
  await page.goto(url)
  await there(page.mainFrame(), shown)
}

const text = (selector: string) =>
  page.$eval(selector, (element) => element.textContent?.replace(/\s+/g, ' ').trim())

/** What axe finds wrong with a state, in light and in dark; and nothing is wider than the phone. */
async function judge(state: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
    await until(page, `getComputedStyle(document.documentElement).colorScheme === '${theme}'`)
    const found = await page.evaluate(`(async () => {
      ${axe}
      const { violations } = await axe.run()
      return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
    })()`)
    expect([state, theme, found]).toEqual([state, theme, []])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
    const pictures = process.env.PROKURA_PICTURES
    if (pictures)
      await page.screenshot({ path: `${pictures}/approval ${state} ${theme}.png`, fullPage: true })
  }
}

/** Keeps codes as the vault does, and tells nobody of them. */
async function startVault(port: number, pages: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    if (request.method === 'POST') left.push(Buffer.concat(parts).toString())
    response.writeHead(request.method === 'POST' ? 201 : 204, {
      'access-control-allow-origin': pages,
      'access-control-allow-headers': 'Authorization, Content-Type',
    })
    response.end(request.method === 'POST' ? JSON.stringify({ temporary_cvc_token_id: token }) : '')
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return server
}
