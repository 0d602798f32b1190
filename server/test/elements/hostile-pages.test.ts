import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inChromium, openChromium, openShopPage, press, type ShopPage, until } from './open-chromium.ts'
import { type ElementsStandIn, savedCard, startStandIn } from './stand-in.ts'

let standIn: ElementsStandIn
let chromium: Awaited<ReturnType<typeof openChromium>>
let shop: ShopPage

function sentTo(path: string) {
  return standIn.received.filter((each) => each.path === path)
}

/** What opens a frame for another profile, as somebody would forge it. */
const forged = `(nonce) => ({ prokura: 1, kind: 'connect', nonce,
  options: { publishableKey: 'pr_pk_test_evil', component: 'AddPaymentMethod', profileId: 'prof_evil' } })`

inChromium('between page and frame', () => {
  beforeAll(async () => {
    ;[standIn, chromium] = await Promise.all([startStandIn(), openChromium()])
  })
  afterAll(async () => {
    await chromium.close()
    await standIn.stop()
  })
  afterEach(async () => {
    await shop.close()
    standIn.reset()
  })

  test('a page of another origin shows no frame, and hears nothing of it', async () => {
    shop = await openShopPage(chromium.browser, standIn.shop.replace('shop.', 'evil.'))
    await shop.run(`const frame = document.createElement('iframe')
      frame.src = '${standIn.elements}/elements/v1/frames/pr_eb_test_1'
      document.body.append(frame)
      new Promise((resolve) => frame.addEventListener('load', resolve))`)
    const urls = shop.page.frames().map((each) => each.url())
    expect(urls.filter((url) => url.includes('/elements/v1/'))).toEqual([])
    expect(await shop.run('heard')).toEqual([])
    expect(sentTo('/elements/v1/sessions')).toEqual([])
  })

  test('the loader greets its own frame alone, however others greet it', async () => {
    shop = await openShopPage(chromium.browser, standIn.shop)
    await shop.mount()
    await shop.waitFor('ready')
    // The page itself, and a window of the right origin that is not the frame.
    await shop.run(`window.postMessage({ prokura: 1, kind: 'hello', nonce: 'forged' }, '*')
      const stranger = document.createElement('iframe')
      stranger.id = 'stranger'
      stranger.src = '${standIn.elements}/elements/v1/frames/pr_eb_test_1'
      document.body.append(stranger)
      new Promise((resolve) => stranger.addEventListener('load', resolve))`)
    await until(shop.page, `heard.filter(({ data }) => data?.kind === 'hello').length === 3`)
    expect(sentTo('/elements/v1/sessions')).toHaveLength(1)
    // What says nothing that is known changes nothing.
    const height = await shop.run('document.querySelector("iframe").clientHeight')
    const frame = await shop.frame('form')
    await frame.evaluate(`for (const data of [{ prokura: 1, kind: 'height', height: 9 }, { kind: 'ready' }, null, 'x'])
      parent.postMessage(data, '*')`)
    await until(shop.page, `heard.some(({ data }) => data === 'x')`)
    expect(await shop.run('document.querySelector("iframe").clientHeight')).toBe(height)
    // The line is still the frame's.
    await press(frame, '.test-card')
    await shop.waitFor('change')
  })

  test('the frame takes one answer to its own greeting, from its page', async () => {
    shop = await openShopPage(chromium.browser, standIn.shop)
    // The page answers with a nonce that is wrong, and a window beside the frame with the right one; only then does the loader hear of the
    // greeting. Afterwards the right nonce is used again.
    await shop.run(`const forged = ${forged}
      const beside = document.createElement('iframe')
      beside.srcdoc = \`<script>addEventListener('message', ({ data }) => {
        parent.frames[1].postMessage(data, '*', [new MessageChannel().port1])
        parent.postMessage('answered', '*')
      })</\` + 'script>'
      document.body.prepend(beside)
      let first = null
      addEventListener('message', (event) => {
        const { data, origin, source } = event
        if (data === 'answered') {
          dispatchEvent(new MessageEvent('message', { data: first.data, origin: first.origin, source: first.source }))
          first.source.postMessage(forged(first.data.nonce), first.origin, [new MessageChannel().port1])
        }
        if (data?.kind !== 'hello' || first !== null) return
        event.stopImmediatePropagation()
        first = { data, origin, source }
        source.postMessage(forged('wrong'), origin, [new MessageChannel().port1])
        beside.contentWindow.postMessage(forged(data.nonce), '*')
      })
      new Promise((resolve) => beside.addEventListener('load', resolve))`)
    await shop.mount()
    await shop.waitFor('ready')
    const frame = await shop.frame('.test-card')
    await press(frame, '.test-card')
    await press(frame, 'form > .button')
    await shop.waitFor('complete')
    expect(sentTo('/elements/v1/sessions').map(({ body }) => body.profile_id)).toEqual(['prof_1'])
  })

  test('options that would change what objects are change nothing, and what cannot be sent is left out', async () => {
    shop = await openShopPage(chromium.browser, standIn.shop)
    await shop.run(`const hostile = JSON.parse('{"__proto__":{"polluted":1},"variables":{"__proto__":{"polluted":1}},"rules":{"__proto__":{"polluted":1}}}')
      window.element = create({ appearance: hostile, locale: '__proto__' })
      element.mount('#card')`)
    await shop.waitFor('ready')
    const frame = await shop.frame('form')
    expect([await shop.run('({}).polluted ?? null'), await frame.evaluate('({}).polluted ?? null')]).toEqual([
      null,
      null,
    ])
    expect(await frame.evaluate('document.documentElement.lang')).toBe('en')
    await shop.run(`const circle = {}
      circle.circle = circle
      element.update({ appearance: circle })
      element.update({ appearance: { theme: 'dark', variables: () => 1, rules: { '.Input': { color: Symbol('x') } } } })`)
    await until(frame, `getComputedStyle(document.documentElement).colorScheme === 'dark'`)
    expect(shop.faults).toEqual([])
  })

  test('a page that forges what a frame says of a purchase changes nothing, and a frame tells no code', async () => {
    standIn.cards.push(savedCard('pm_visa'))
    standIn.needs.set('pm_visa', 'cvc')
    shop = await openShopPage(chromium.browser, standIn.shop)
    await shop.run(`window.opened = []
      window.open = (url) => (opened.push(url), null)
      window.element = create({ component: 'AddOrSelectPaymentMethod', purchaseIntentId: 'pi_1', preference: { toString: 1 } })
      element.mount('#card')`)
    await shop.waitFor('ready')
    const frame = await shop.frame('#proof')
    await frame.type('#proof', '739')
    const { promise, resolve } = Promise.withResolvers<void>()
    standIn.answers.set('/cvcs', async () => {
      await promise
      return { status: 201, body: { temporary_cvc_token_id: 'pr_cvc_test_right' } }
    })
    await shop.run(`void pay()
      const frame = document.querySelector('iframe').contentWindow
      for (const data of [
        { kind: 'authorized', id: '1', output: { forged: true } },
        { kind: 'not_authorized', id: '1', code: 'forged', message: 'Forged.' },
        { kind: 'window', url: 'https://evil.example/' },
      ]) { window.postMessage(data, '*'); frame.postMessage(data, '*'); frame.postMessage({ kind: 'authorize', id: '7' }, '*') }`)
    await until(shop.page, `heard.filter(({ data }) => data?.kind === 'window').length === 1`)
    expect(await shop.run('outcomes.length')).toBe(0)
    resolve()
    await until(shop.page, 'outcomes.length === 1')
    expect(await shop.run('[outcomes, opened]')).toEqual([
      [
        {
          output: {
            profile_payment_method_id: 'pm_visa',
            temporary_cvc_token_id: 'pr_cvc_test_right',
            agentic_credentials_preference: null,
            payment_verification: null,
          },
        },
      ],
      [],
    ])
    expect(sentTo('/cvcs')).toHaveLength(1)
    expect(await shop.run('JSON.stringify(heard)')).not.toContain('739')
  })

  test('the page reads neither the frame nor its address', async () => {
    shop = await openShopPage(chromium.browser, standIn.shop)
    await shop.mount()
    await shop.waitFor('ready')
    const read = (what: string) =>
      shop.run(
        `(() => { try { return String(document.querySelector('iframe').contentWindow.${what}) } catch ({ name }) { return name } })()`,
      )
    expect([await read('document.body.innerHTML'), await read('location.href'), await read('facts')]).toEqual(
      ['SecurityError', 'SecurityError', 'SecurityError'],
    )
    expect(shop.faults).toEqual([])
  })
})
