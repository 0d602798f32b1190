import { join } from 'node:path'
import { build } from 'esbuild'
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

const root = join(import.meta.dirname, '../../..')

/** A page of an integrator that shows whatever component `show` names, in strict mode, with props that a test changes. */
const page = `import { createElement, createRef, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import * as prokura from './elements/react/src/prokura-react.ts'

const root = createRoot(document.getElementById('card'))
const say = (name) => (event) => events.push({ name, event })
window.ref = createRef()
window.renders = 0
function Page({ url, component, props }) {
  renders += 1
  const own = component === 'AddOrSelectPaymentMethod' ? { ref } : {}
  return createElement(prokura.ProkuraProvider, { publishableKey: 'pr_pk_test_1', url },
    createElement(prokura[component], { ...own, ...props, onReady: say('ready'), onChange: say('change'),
      onComplete: say('complete'), onError: props.quiet ? undefined : say('error') }))
}
window.show = (url, component, props) =>
  root.render(component === null ? null : createElement(StrictMode, null, createElement(Page, { url, component, props })))`

let standIn: ElementsStandIn
let chromium: Awaited<ReturnType<typeof openChromium>>
let script: string
let shop: ShopPage

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: page, resolveDir: root, loader: 'js' },
    write: false,
    bundle: true,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'warning',
  })
  return outputFiles[0]?.text ?? ''
}

async function show(component: string | null, props: object = {}): Promise<void> {
  await shop.run(`show('${standIn.elements}', ${JSON.stringify(component)}, ${JSON.stringify(props)})`)
}

/** Shown again, with the same or with other props: React has done it. */
async function showAgain(component: string, props: object): Promise<void> {
  const before = await shop.run('renders')
  await show(component, props)
  await until(shop.page, `renders > ${before}`)
}

function sentTo(path: string) {
  return standIn.received.filter((each) => each.path === path)
}

inChromium('@prokura/react', () => {
  beforeAll(async () => {
    ;[standIn, chromium, script] = await Promise.all([startStandIn(), openChromium(), bundled()])
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

  async function open(): Promise<void> {
    shop = await openShopPage(chromium.browser, standIn.shop)
    await shop.page.addScriptTag({ content: script })
  }

  test('in strict mode there is one frame, which outlives new renderings and changes in place', async () => {
    await open()
    const props = { profileId: 'prof_1', className: 'first', appearance: { theme: 'light' } }
    await show('AddPaymentMethod', props)
    await shop.waitFor('ready')
    expect(await shop.run('document.querySelectorAll("#card iframe").length')).toBe(1)
    expect(sentTo('/elements/v1/bootstraps')).toHaveLength(1)
    const frame = await shop.frame('#card-number')
    await frame.type('#card-number', '4242')
    await showAgain('AddPaymentMethod', { ...props, className: 'second' })
    await showAgain('AddPaymentMethod', { ...props, locale: 'fr', appearance: { theme: 'dark' } })
    await until(frame, `document.documentElement.lang === 'fr'`)
    await until(frame, `getComputedStyle(document.documentElement).colorScheme === 'dark'`)
    expect(await frame.evaluate(`document.getElementById('card-number').value`)).toBe('4242')
    expect(sentTo('/elements/v1/sessions')).toHaveLength(1)
    await press(frame, '.test-card')
    await press(frame, 'form > .button')
    await shop.waitFor('complete')
    expect((await shop.events()).map(({ name }) => name)).toEqual(['ready', 'change', 'change', 'complete'])
    // For somebody else it is another one.
    await showAgain('AddPaymentMethod', { ...props, profileId: 'prof_2' })
    await expect.poll(() => sentTo('/elements/v1/sessions').at(-1)?.body.profile_id).toBe('prof_2')
    await show(null)
    await until(shop.page, `document.querySelector('iframe') === null`)
    expect(await shop.errors()).toEqual([])
  })

  test('a ref authorizes, and says why it does not once it is gone', async () => {
    standIn.cards.push(savedCard('pm_visa'))
    standIn.needs.set('pm_visa', 'popup')
    await open()
    await shop.run('window.element = { authorize: () => ref.current.authorize() }; window.open = () => null')
    await show('AddOrSelectPaymentMethod', { purchaseIntentId: 'pi_1', preference: 'require' })
    await until(shop.page, 'ref.current !== null')
    await shop.run('void pay()')
    await until(shop.page, `outcomes.length === 1`)
    expect(await shop.run('outcomes.shift()')).toMatchObject({ code: 'not_ready' })
    await shop.waitFor('ready')
    await shop.run('void pay()')
    await there(await shop.frame(), 'a.button')
    await show(null)
    await until(shop.page, `outcomes.length === 1`)
    expect(await shop.run('outcomes.shift()')).toMatchObject({ code: 'closed' })
    standIn.needs.set('pm_visa', 'none')
    await show('AddOrSelectPaymentMethod', { purchaseIntentId: 'pi_1', preference: 'require' })
    await until(shop.page, `events.filter(({ name }) => name === 'ready').length === 2`)
    await shop.run('void pay()')
    await shop.waitFor('complete')
    await until(shop.page, `outcomes.length === 1`)
    expect(await shop.run('outcomes.shift()')).toMatchObject({
      output: { profile_payment_method_id: 'pm_visa', agentic_credentials_preference: 'require' },
    })
  })

  test('an error that nobody handles is in the console', async () => {
    standIn.answers.set('/elements/v1/bootstraps', () => refusal(403, 'origin_not_allowed'))
    await open()
    await show('MerchantAuthHandoff', { purchaseIntentId: 'pi_1', deferRetry: true, quiet: true })
    await until(shop.page, `printed.includes('Prokura: The server says origin_not_allowed.')`)
    expect(await shop.errors()).toEqual([])
  })
})
