import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../src/cli/up/free-port.ts'
import { inChromium, openChromium, openPage, press, there, until } from '../elements/open-chromium.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { createPurchase, newBuyer } from '../harness/buyers.ts'
import { inviteTo } from '../harness/console.ts'

const axe = readFileSync(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8')
const phone = { width: 360, height: 700 }

let app: TestApp
let home: string
let chromium: Awaited<ReturnType<typeof openChromium>>
let page: Page
const faults: unknown[] = []

inChromium('the console', () => {
  beforeAll(async () => {
    const port = await freePort()
    home = `http://localhost:${port}/console`
    ;[app, chromium] = await Promise.all([startTestApp({ port }), openChromium()])
    page = await openPage(chromium.browser)
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.setViewport(phone)
    const device = await page.createCDPSession()
    await device.send('WebAuthn.enable')
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  })
  afterAll(async () => {
    await chromium?.close()
    await app?.stop()
  })

  const titled = (words: string) =>
    until(page, `document.querySelector('h1')?.textContent === ${JSON.stringify(words)}`)
  const shown = (words: string) => until(page, `document.body.innerText.includes(${JSON.stringify(words)})`)
  const click = (selector: string) => press(page.mainFrame(), selector)
  const clickOn = async (selector: string, words: string) => {
    const those = `[...document.querySelectorAll('${selector}')].find((each) => each.textContent.includes(${JSON.stringify(words)}))`
    await until(page, those)
    await page.evaluate(`${those}.click()`)
  }

  /** Everybody can use what is shown: in both themes, and on a phone. */
  async function judge(view: string): Promise<void> {
    await page.evaluate(`if (!window.axe) { ${axe} }`)
    for (const theme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
      const found = await page.evaluate(`axe.run().then(({ violations, passes }) => ({
        wrong: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        isJudged: passes.length > 5,
        isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth }))`)
      expect([view, theme, found]).toEqual([view, theme, { wrong: [], isJudged: true, isWide: false }])
    }
  }

  test('leads from the first link to a passkey, and by it to what is approved and declined', async () => {
    const { link } = await inviteTo(app, app.account, { email: 'ada@example.com', role: 'owner' })
    const buyer = await newBuyer(app)
    const [tea, mugs] = [(await createPurchase(app, buyer)).body, (await createPurchase(app, buyer)).body]

    await page.goto(link.url)
    await titled('Sign in as ada@example.com')
    // The token has left the address before anybody can read it there, and who loads the page again goes on.
    expect(page.url()).toBe(`${home}/sign-in`)
    await shown('Integrator')
    await page.reload()
    await there(page.mainFrame(), '#by-link')
    await judge('sign in by link')
    await click('#by-link')
    await titled('Add your first passkey')
    await judge('first passkey')
    await page.type('#passkey-name', 'laptop')
    await click('#add-passkey')
    await titled('Approvals')
    await shown('2 purchases wait')
    await shown('Test mode')
    await judge('approvals')

    await clickOn('nav a', 'Settings')
    await titled('Settings')
    await shown('laptop')
    await shown('this browser')
    await judge('settings')
    await click('#sign-out')
    await titled('Sign in')
    await judge('sign in')

    await click('#by-passkey')
    await titled('Approvals')
    await page.goto(`${home}/approvals/${tea.id}`)
    await titled('This purchase waits for an approval')
    for (const words of ['www.shop.example', '2 × tea', 'Ada Lovelace', 'Unter den Linden 1', 'At most'])
      await shown(words)
    await judge('approval')
    await click('#approve')
    await there(page.mainFrame(), 'dialog[open] .main')
    await shown('https://www.shop.example/tea')
    await judge('confirm')
    expect((await app.get(`/v1/purchase_intents/${tea.id}`)).body.status).toBe('awaiting_approval')
    await click('dialog[open] .main')
    await until(page, `!document.querySelector('#approve')`)
    expect((await app.get(`/v1/purchase_intents/${tea.id}`)).body).toMatchObject({
      approval: { approved_by: 'person' },
    })
    await judge('approved')

    await clickOn('a', 'All approvals')
    await shown('1 purchase waits')
    await click('.purchases a')
    await click('#decline')
    await there(page.mainFrame(), 'dialog[open] #decline-now')
    await judge('declining')
    await click('#decline-now')
    await until(page, `!document.querySelector('#decline')`)
    expect((await app.get(`/v1/purchase_intents/${mugs.id}`)).body.status).toBe('declined')
    await page.goBack()
    await titled('Approvals')
    await shown('Nothing waits for you')
    expect(faults.splice(0)).toEqual([])
  })

  test('a deep link leads over a sign-in to what it names, also where a session has ended meanwhile', async () => {
    const buyer = await newBuyer(app)
    const { body: intent } = await createPurchase(app, buyer)
    const address = `${home}/approvals/${intent.id}?account=${app.account.accountId}`
    await page.goto(address)
    await titled('This purchase waits for an approval')
    await app.sql('update person_sessions set revoked_at = now()', [])
    await click('#approve')
    await titled('Sign in')
    await click('#by-passkey')
    await titled('This purchase waits for an approval')
    expect(page.url()).toBe(address)

    await page.deleteCookie(...(await page.cookies()))
    await page.goto(address)
    await titled('Sign in')
    await click('#by-passkey')
    await titled('This purchase waits for an approval')
    expect(page.url()).toBe(address)
    // No page but one of the console is gone on to.
    await page.goto(`${home}/sign-in?next=${encodeURIComponent('//evil.example/approvals')}`)
    await click('#by-passkey')
    await titled('Approvals')
    expect(page.url()).toBe(`${home}/approvals`)
  })

  test('test and live never mix, and what is of another account is not shown', async () => {
    await page.goto(`${home}/approvals`)
    await shown('1 purchase waits')
    await page.select('select[aria-label="Mode"]', 'live')
    await shown('This is real money.')
    await shown('Nothing waits for you')
    expect(page.url()).toBe(`${home}/approvals?mode=live`)
    await judge('live')
    await page.goto(`${home}/approvals?account=${app.stranger.accountId}`)
    await shown('You are no member of this account.')
    await page.goto(`${home}/approvals/pi_01jb2w9m4ye6xs3kq8t7v5c0zd`)
    await titled('This is not in this account')
    await judge('not here')
  })

  test('a further passkey is confirmed by one that is there, and the last one stays', async () => {
    await page.goto(`${home}/settings`)
    await click('section li .button[aria-label="Remove: laptop"]')
    await shown('A passkey is removed.')
    await judge('confirm removal')
    await click('dialog[open] .main')
    await there(page.mainFrame(), '.problem')
    await shown('This is your only passkey')
  })

  test('who reads German reads it in German', async () => {
    const reader = await openPage(chromium.browser)
    await reader.setExtraHTTPHeaders({ 'accept-language': 'de' })
    await reader.evaluateOnNewDocument(
      `Object.defineProperty(navigator, 'languages', { get: () => ['de-AT', 'en'] })`,
    )
    await reader.goto(`${home}/sign-in`)
    await until(reader, `document.querySelector('h1')?.textContent === 'Anmelden'`)
    expect(await reader.$eval('html', ({ lang }) => lang)).toBe('de')
    await reader.close()
  })
})
