import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  inChromium,
  openChromium,
  openShopPage,
  press,
  type ShopPage,
  there,
  until,
} from './open-chromium.ts'
import { type ElementsStandIn, refusal, savedCard, startStandIn } from './stand-in.ts'

let standIn: ElementsStandIn
let chromium: Awaited<ReturnType<typeof openChromium>>
let shop: ShopPage

async function open(path = '/', options: { isClockReal?: boolean } = {}): Promise<ShopPage> {
  shop = await openShopPage(chromium.browser, `${standIn.shop}${path}`, options)
  return shop
}

function sentTo(path: string) {
  return standIn.received.filter((each) => each.path === path)
}

inChromium('a component in a page', () => {
  beforeAll(async () => {
    ;[standIn, chromium] = await Promise.all([startStandIn(), openChromium()])
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

  test('stands in a frame that says what it is, is as high as its form, and moves no more once it is ready', async () => {
    await open('/', { isClockReal: true })
    await shop.run(`new PerformanceObserver((list) => {
      for (const { value, startTime } of list.getEntries()) events.push({ name: 'shift', value, at: startTime })
    }).observe({ type: 'layout-shift' })`)
    await shop.mount()
    await shop.waitFor('ready')
    const frame = await shop.frame('form')
    const facts = await shop.run(`(({ title, allow, referrerPolicy, clientHeight }) =>
      ({ title, allow, referrerPolicy, clientHeight }))(document.querySelector('iframe'))`)
    expect(facts).toEqual({
      title: 'Card details',
      allow: 'publickey-credentials-get; publickey-credentials-create',
      referrerPolicy: 'no-referrer',
      clientHeight: await frame.evaluate('Math.ceil(root.getBoundingClientRect().height)'),
    })
    await shop.run('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    expect((await shop.events()).at(-1)?.name).toBe('ready')
  })

  test('is mounted, taken away and mounted again as often as a page likes, and leaves nothing behind', async () => {
    await open()
    await shop.run(`window.intervals = 0
      const [set, clear] = [setInterval, clearInterval]
      window.setInterval = (...given) => (intervals += 1, set(...given))
      window.clearInterval = (id) => (intervals -= 1, clear(id))`)
    const listeners = () => listenersOf(shop)
    const before = await listeners()
    await shop.run(`window.element = create()
      element.unmount()
      for (let each = 0; each < 20; each += 1) { element.mount('#card'); element.mount('#card'); element.unmount() }
      element.mount('#card')`)
    await shop.waitFor('ready')
    await shop.run(`element.mount('#card'); element.mount(document.getElementById('card'))`)
    expect(await shop.run('document.querySelectorAll("iframe").length')).toBe(1)
    expect(sentTo('/elements/v1/bootstraps')).toHaveLength(1)
    await shop.run('element.unmount()')
    expect(await shop.run('[document.getElementById("card").childNodes.length, intervals]')).toEqual([0, 0])
    expect(await listeners()).toEqual(before)
    await shop.run(`events.length = 0; element.mount('#card')`)
    await shop.waitFor('ready')
    expect(sentTo('/elements/v1/bootstraps')).toHaveLength(1)
    expect(await shop.errors()).toEqual([])
  })

  test('changes its look and language in place, and loses no digit', async () => {
    await open()
    await shop.mount({ locale: 'de' })
    const frame = await shop.frame('#card-number')
    await frame.type('#card-number', '4242')
    await shop.run(
      `element.update({ locale: 'fr', appearance: { theme: 'dark', variables: { unknown: 1 } } })`,
    )
    await until(frame, `document.documentElement.lang === 'fr'`)
    expect(
      await frame.evaluate(
        `[document.getElementById('card-number').value, getComputedStyle(document.body.parentElement).colorScheme]`,
      ),
    ).toEqual(['4242', 'dark'])
    expect(await frame.$eval('label', (label) => label.textContent)).toBe('Numéro de carte')
    expect(await shop.run('document.querySelector("iframe").title')).toBe('Informations de carte')
    expect(sentTo('/elements/v1/sessions')).toHaveLength(1)
    expect(await frame.evaluate('printed')).toEqual(['Prokura: appearance.variables.unknown is unknown.'])
  })

  test('waits for the words of its language, and speaks English where they do not come', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    // Of no other test: a browser keeps what it has loaded.
    standIn.answers.set('frame-it', async () => {
      await promise
      return {}
    })
    standIn.answers.set('frame-pt', () => null)
    await open()
    await shop.mount({ locale: 'it' })
    await expect.poll(() => sentTo('/elements/v1/sessions').length).toBe(1)
    const frame = await shop.frame('.bone')
    expect(await frame.evaluate(`document.querySelector('label') === null`)).toBe(true)
    expect(await shop.events()).toEqual([])
    resolve()
    await shop.waitFor('ready')
    const said = () =>
      frame.evaluate(`document.documentElement.lang + ' ' + document.querySelector('label').textContent`)
    expect(await said()).toBe('it Numero della carta')
    await frame.type('#card-number', '4242')
    await shop.run(`element.update({ locale: 'pt' })`)
    await expect.poll(said).toBe('en Card number')
    await shop.run(`element.update({ locale: 'pt' }); element.update({ locale: 'ja' })`)
    await expect.poll(said).toBe('ja カード番号')
    expect(await frame.evaluate(`document.getElementById('card-number').value`)).toBe('4242')
    expect(await shop.errors()).toEqual([])
  })

  test('says where there is no element to mount on', async () => {
    await open()
    await shop.run(
      `const element = create(); element.mount('#nowhere'); element.mount('###'); element.mount(null)`,
    )
    await until(shop.page, 'events.length === 3')
    expect(await shop.errors()).toEqual(['element_not_found', 'element_not_found', 'element_not_found'])
  })

  test('shows why the server refuses the page, and comes once it no longer does', async () => {
    standIn.answers.set('/elements/v1/bootstraps', () => refusal(403, 'origin_not_allowed'))
    await open()
    await shop.mount()
    await shop.waitFor('error')
    expect(await shop.events()).toEqual([
      {
        name: 'error',
        event: { code: 'origin_not_allowed', message: 'The server says origin_not_allowed.' },
      },
    ])
    expect(await shop.run('document.getElementById("card").innerText')).toBe(
      'Prokura: The server says origin_not_allowed.',
    )
    standIn.answers.clear()
    await shop.run(`element.unmount(); element.mount('#card')`)
    await shop.waitFor('ready')
    expect(await shop.run('document.getElementById("card").innerText')).toBe('')
  })

  test('tells whoever pays with a live key that there is no form, and not why', async () => {
    standIn.answers.set('/elements/v1/bootstraps', () => refusal(403, 'origin_not_allowed'))
    await open()
    await shop.run(`window.key = 'pr_pk_live_1'`)
    await shop.mount({ locale: 'nl' })
    await shop.waitFor('error')
    expect(await shop.run('document.getElementById("card").innerText')).toContain(
      'kan op dit moment niet worden getoond',
    )
  })

  test('says what is wrong with the request, and that nobody answers', async () => {
    standIn.answers.set('/elements/v1/bootstraps', () => ({
      status: 422,
      body: { detail: [{ loc: ['body', 'component'], msg: 'Unknown.' }] },
    }))
    await open()
    await shop.mount()
    await shop.waitFor('error')
    standIn.answers.set('/elements/v1/bootstraps', () => null)
    await shop.mount()
    await until(shop.page, 'events.length === 2')
    expect((await shop.events()).map(({ event }) => event)).toEqual([
      { code: 'invalid_request', message: 'body.component: Unknown.' },
      { code: 'unreachable', message: expect.stringContaining('does not answer') },
    ])
  })

  test('a frame that does not come is loaded once more, then missed; and shown if it comes after all', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    standIn.answers.set('/elements/v1/frames', async () => {
      await promise
      return {}
    })
    await open()
    await shop.mount()
    await until(shop.page, `document.querySelector('iframe')`)
    const address = () => shop.run(`document.querySelector('iframe').src`)
    const first = await address()
    await shop.run('lapse()')
    await expect.poll(address).not.toBe(first)
    expect(await shop.events()).toEqual([])
    await shop.run('lapse()')
    expect(await shop.errors()).toEqual(['frame_blocked'])
    expect(await shop.run('document.getElementById("card").innerText')).toContain('frame-src')
    resolve()
    await shop.waitFor('ready')
    expect(await shop.run('document.getElementById("card").innerText')).toBe('')
    expect(sentTo('/elements/v1/bootstraps')).toHaveLength(2)
  })

  test('a frame whose code is gone, because the server was upgraded meanwhile, is loaded again and comes', async () => {
    const of = ['of-the-version-before']
    standIn.answers.set('/elements/v1/frames', () => ({ body: { assets: of.shift() } }))
    await open()
    await shop.mount()
    await until(shop.page, `document.querySelector('iframe')`)
    await expect.poll(() => of).toEqual([])
    await shop.run('lapse()')
    await shop.waitFor('ready')
    expect(await shop.errors()).toEqual([])
  })

  test('a frame that comes and does not get ready is said to be late', async () => {
    standIn.answers.set('/elements/v1/sessions', () => new Promise(() => undefined))
    await open()
    await shop.mount()
    await expect.poll(() => sentTo('/elements/v1/sessions').length).toBe(1)
    await shop.run('lapse()')
    await expect.poll(() => sentTo('/elements/v1/sessions').length).toBe(2)
    await shop.run('lapse()')
    expect(await shop.errors()).toEqual(['timeout'])
    expect(sentTo('/elements/v1/bootstraps')).toHaveLength(1)
  })

  test('a server that does not answer the first call is missed too', async () => {
    standIn.answers.set('/elements/v1/bootstraps', () => new Promise(() => undefined))
    await open()
    await shop.mount()
    await shop.run('lapse(); lapse()')
    expect(await shop.errors()).toEqual(['unreachable'])
  })

  test('a frame that answers no longer is told once, and one that the page has removed too', async () => {
    await open()
    await shop.mount()
    await shop.waitFor('ready')
    await shop.run('document.querySelector("iframe").src = "about:blank"')
    await until(shop.page, 'document.querySelector("iframe").contentDocument')
    await shop.run('for (let each = 0; each < 9; each += 1) beat()')
    expect(await shop.errors()).toEqual(['frame_gone'])
    await shop.run('document.querySelector("iframe").remove(); beat(); beat(); lapse()')
    expect(await shop.errors()).toEqual(['frame_gone', 'closed'])
    await shop.run(`events.length = 0; element.mount('#card')`)
    await shop.waitFor('ready')
    expect(await shop.errors()).toEqual([])
  })

  test('a frame that loads again connects again, and is ready once', async () => {
    await open()
    await shop.mount()
    await shop.waitFor('ready')
    const frame = await shop.frame('form')
    await frame.evaluate('location.reload()')
    await expect.poll(() => sentTo('/elements/v1/sessions').length).toBe(2)
    const again = await shop.frame('.test-card')
    await press(again, '.test-card')
    await shop.waitFor('change')
    expect((await shop.events()).filter(({ name }) => name === 'ready')).toHaveLength(1)
  })

  test('authorize() ends once, however the component ends', async () => {
    standIn.cards.push(savedCard('pm_visa'))
    standIn.answers.set(
      '/elements/v1/purchase_intent/payment_verifications',
      () => new Promise(() => undefined),
    )
    const outcome = async () => {
      await until(shop.page, 'outcomes.length > 0')
      return shop.run('outcomes.shift()')
    }
    await open()
    await shop.run(
      `window.element = create({ component: 'AddOrSelectPaymentMethod', purchaseIntentId: 'pi_1' })`,
    )
    await shop.run('void pay()')
    expect(await outcome()).toMatchObject({ code: 'not_ready' })
    await shop.run(`element.mount('#card')`)
    await shop.run('void pay()')
    expect(await outcome()).toMatchObject({ code: 'not_ready' })
    standIn.answers.clear()
    await shop.run(`element.unmount(); element.mount('#card')`)
    await shop.waitFor('ready')
    const ends: [string, string][] = [
      ['element.unmount()', 'closed'],
      [`document.querySelector('iframe').remove(); beat()`, 'closed'],
      [`document.querySelector('iframe').src = 'about:blank'`, 'frame_gone'],
      [`document.querySelector('iframe').src += '?'`, 'frame_gone'],
    ]
    standIn.needs.set('pm_visa', 'popup')
    for (const [end, code] of ends) {
      await shop.run(`element.unmount(); events.length = 0; element.mount('#card')`)
      await shop.waitFor('ready')
      await shop.run(`window.open = () => null; void pay()`)
      await there(await shop.frame(), 'a.button')
      await shop.run(end)
      if (code === 'frame_gone') {
        await until(shop.page, `document.querySelector('iframe').contentDocument || outcomes.length > 0`)
        await shop.run('for (let each = 0; each < 9; each += 1) beat()')
      }
      expect([end, await outcome()]).toMatchObject([end, { code }])
    }
    expect(await shop.run('outcomes.length')).toBe(0)
  })

  test('a page that isolates itself gets a frame that it may show', async () => {
    await open('/isolated')
    expect(await shop.run('crossOriginIsolated')).toBe(true)
    await shop.mount()
    await shop.waitFor('ready')
    expect((await shop.frame('form')).url()).toContain('?isolated=1')
  })
})

/** How many listeners the window has, by the browser's own count. */
async function listenersOf({ page }: ShopPage): Promise<number> {
  const session = await page.createCDPSession()
  const { result } = await session.send('Runtime.evaluate', { expression: 'window' })
  const { listeners } = await session.send('DOMDebugger.getEventListeners', {
    objectId: result.objectId ?? '',
  })
  await session.detach()
  return listeners.length
}
