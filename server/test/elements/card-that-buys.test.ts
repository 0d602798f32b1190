import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeStateDir } from '../harness/database.ts'
import { type Service, serviceEnvironment, startService } from '../harness/up.ts'
import { filesWith } from './files-with.ts'
import { startSite } from './integrator-site.ts'
import { inChromium, openChromium, openPage, press, there, until } from './open-chromium.ts'

/** Of the first test card that the frame offers. */
const typedNumber = '4242424242424242'

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
    site = await startSite(service, state)
  })
  afterAll(async () => {
    site?.stop()
    // A test that failed has not stopped it.
    if (service?.process.exitCode === null) await service.stop()
    await chromium?.close()
    rmSync(state, { recursive: true, force: true })
  })

  test('adds a card that nobody but the vault sees, and a purchase is paid with it', async () => {
    const page = await openPage(chromium.browser)
    await page.goto(site.url)
    const frame = await page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
    await there(frame, '.test-card')
    await press(frame, '.test-card')
    await press(frame, 'input[type=checkbox]')
    await press(frame, 'form > .button')
    const said = () => page.$eval('#said', (element) => element.textContent)
    await until(page, `document.querySelector('#said').textContent.includes('is saved')`)
    expect(await said()).toBe('Your visa card ending in 4242 is saved.')
    await page.click('#buy')
    await until(page, `!/^(Buying|Your visa)/.test(document.querySelector('#said').textContent)`)
    expect(await said()).toMatch(/Bought/)
    await page.close()
  })

  test('lets its visitor choose a card and confirm, with the code of a card that asks for it', async () => {
    const page = await openPage(chromium.browser)
    await page.goto(`${site.url}/buy`)
    const frame = await page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
    // The visitor has a card from before; another one, which is not enrolled, asks for its code.
    await until(frame, `document.querySelectorAll('input[type=radio]').length > 1`)
    await frame.evaluate(`[...document.querySelectorAll('input[type=radio]')].at(-1).click()`)
    await there(frame, '.test-card')
    await press(frame, '.test-card')
    await until(page, `!document.querySelector('#pay').disabled`)
    await page.click('#pay')
    await until(page, `/Bought/.test(document.querySelector('#said').textContent)`)
    await page.close()
  })

  test('does the same with React and the packages as they are published', async () => {
    const page = await openPage(chromium.browser)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(`${site.url}/buy-react`)
    const frame = await page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
    await until(frame, `document.querySelectorAll('input[type=radio]').length > 1`)
    await frame.evaluate(`[...document.querySelectorAll('input[type=radio]')].at(-1).click()`)
    await press(frame, '.test-card')
    await until(page, `document.querySelector('#pay')?.disabled === false`)
    await page.click('#pay')
    await until(page, `/Bought/.test(document.querySelector('#said').textContent)`)
    expect(faults).toEqual([])
    await page.close()
  })

  test('has its visitor let agents spend a budget, with the billing address of the card', async () => {
    const page = await openPage(chromium.browser)
    await page.goto(`${site.url}/budget`)
    const frame = await page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
    await press(frame, '.test-card')
    await frame.select('#billing-country', 'AT')
    await frame.type('#billing-line1', 'Ring 1')
    await frame.type('#billing-postal_code', '1010')
    await frame.type('#billing-city', 'Wien')
    await press(frame, '#consent')
    await press(frame, '#budget:not(:disabled)')
    await press(frame, 'form > .button')
    await until(page, `document.querySelector('#said').textContent.includes('has a budget')`)
    await page.close()
    const profile = await visitorNow()
    expect(profile.addresses.map(({ line1 }) => line1)).toContain('Ring 1')
    // Everything is written down by the end: the database's own files, its log, and the logs of all processes.
    await service.stop()
    expect(filesWith(state, 'Lovelace')).not.toEqual([])
    expect(filesWith(state, typedNumber)).toEqual([])
    // What the browser keeps: cookies, storage, what forms have had, and its cache, in which the loader is found.
    await expect.poll(() => filesWith(chromium.profiles, 'elements/v1').length).toBeGreaterThan(0)
    // Scripts name the test card themselves.
    const kept = (text: string) =>
      filesWith(chromium.profiles, text).filter((path) => !path.includes('/Code Cache/'))
    expect(kept(typedNumber)).toEqual([])
    expect(kept(typedNumber.replace(/(.{4})(?=.)/g, '$1 '))).toEqual([])
  })
})

/** The profile that the site has made for its visitor. */
async function visitorNow(): Promise<{ addresses: { line1: string }[] }> {
  const { base_url, keys } = service.ready
  const headers = { authorization: `Bearer ${keys.secret_test}` }
  const answer = await fetch(`${base_url}/v1/profiles`, { headers })
  const { data } = (await answer.json()) as { data: { addresses: { line1: string }[] }[] }
  const [visitor] = data
  if (visitor === undefined) throw new Error('the site has made no profile')
  return visitor
}
