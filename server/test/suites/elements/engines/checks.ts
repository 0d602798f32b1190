import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type ElementsStandIn, savedCard } from '../../../elements/stand-in.ts'
import { shopThatAsks } from '../../../elements/states/sign-in-states.ts'
import { patience } from '../../../gate/pace.ts'
import type { EnginePage } from './engine.ts'

/** What is shown in an engine: it throws where something is otherwise. */
export type EngineCheck = {
  readonly name: string
  /** The variant of the page around the component. */
  readonly query?: 'isolated' | 'strict'
  /** In a browser that keeps little. */
  readonly keepsLittle?: true
  run(world: World): Promise<void>
}

type World = { readonly page: EnginePage; readonly standIn: ElementsStandIn }

const waitMs = 10_000
const number = '4242424242424242'
const choice = { component: 'AddOrSelectPaymentMethod', purchaseIntentId: 'pi_1' }

async function until(ask: (script: string) => Promise<unknown>, condition: string): Promise<void> {
  let seen: unknown = null
  for (const wait = patience(waitMs); ; await delay(50)) {
    seen = await ask(`Boolean(${condition})`).catch((error: unknown) => String(error))
    if (seen === true) return
    if (wait.isOver()) throw new Error(`this did not come true (${seen}): ${condition}`)
  }
}

async function mount({ page }: World, options: object = {}): Promise<void> {
  await page.run(`(window.element = create(${JSON.stringify(options)}), element.mount('#card'))`)
  await until(page.run, `events.some(({ name }) => name === 'ready')`).catch(async (error: unknown) => {
    throw new Error(`${error}; events: ${JSON.stringify(await page.run('events'))}`)
  })
}

function same(what: string, seen: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(seen, wanted))
    throw new Error(`${what}: ${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`)
}

/** Typed as a person does, from the first field to the last, by Tab. */
async function addCard(world: World): Promise<void> {
  const { page, standIn } = world
  await mount(world)
  await page.clickInFrame('#card-number')
  for (const text of [number, '0131', '111', 'Ada Lovelace']) {
    await page.type(text)
    await page.tab()
  }
  same(
    'the number',
    await page.inFrame(`document.getElementById('card-number').value`),
    '4242 4242 4242 4242',
  )
  await page.clickInFrame('form > .button')
  await until(page.inFrame, `document.querySelector('.mark')`)
  await until(page.run, `events.some(({ name }) => name === 'complete')`)
  const [sent] = standIn.received.filter(({ path }) => path === '/cards')
  same('what the vault got', sent?.body.number, number)
  same('where it came from', sent?.origin, standIn.elements)
  same('what the page heard of it', await page.run(`JSON.stringify(heard).includes('${number}')`), false)
}

/** From the link before the component through all of its controls to the link after it, and back. */
async function walkByTab(world: World): Promise<void> {
  const { page } = world
  await mount(world)
  await page.run(`document.getElementById('before').focus()`)
  const active = () => page.run(`document.activeElement.id || document.activeElement.localName`)
  const inside: unknown[] = []
  for (let at = await tabTo(page, active); at === 'iframe'; at = await tabTo(page, active))
    if (inside.push(await page.inFrame(`document.activeElement.id || document.activeElement.localName`)) > 20)
      break
  same('what follows the component', await active(), 'after')
  same(
    'what stands in it',
    inside.filter((each) => String(each).startsWith('card-')),
    ['card-number', 'card-expiry', 'card-code', 'card-name'],
  )
  await page.tab(true)
  same('back in the component', await active(), 'iframe')
  same('at its last control', await page.inFrame(`document.activeElement.type`), 'submit')
}

async function tabTo(page: EnginePage, active: () => Promise<unknown>): Promise<unknown> {
  await page.tab()
  return active()
}

async function pay({ page }: World, how: string): Promise<unknown> {
  await page.run(how)
  await until(page.run, 'outcomes.length > 0')
  return page.run('outcomes.shift()')
}

function saved({ standIn }: World, asks: string): void {
  standIn.cards.push(savedCard('pm_1', { is_default: true }))
  standIn.needs.set('pm_1', asks)
}

async function payByCode(world: World): Promise<void> {
  const { page } = world
  saved(world, 'cvc')
  await mount(world, choice)
  await page.clickInFrame('#proof')
  await page.type('111')
  await page.run(`document.getElementById('pay').hidden = false`)
  await page.click('#pay')
  await until(page.run, 'outcomes.length > 0')
  same('the outcome', await page.run('outcomes.shift()'), {
    output: {
      profile_payment_method_id: 'pm_1',
      temporary_cvc_token_id: 'pr_cvc_test_again',
      agentic_credentials_preference: null,
      payment_verification: null,
    },
  })
}

/** What an engine has of what components can do without, as their frame sees it. */
export async function abilitiesOf({ page, standIn }: World): Promise<string> {
  await mount({ page, standIn })
  const asked = {
    'Trusted Types': `'trustedTypes' in globalThis`,
    passkeys: `'PublicKeyCredential' in globalThis`,
    X25519: `crypto.subtle.generateKey({ name: 'X25519' }, false, ['deriveBits']).then(() => true, () => false)`,
    storage: `(() => { try { return localStorage !== null } catch { return false } })()`,
  }
  const has: string[] = []
  for (const [name, script] of Object.entries(asked))
    if ((await page.inFrame(script)) === true) has.push(name)
  return has.join(', ')
}

export const engineChecks: readonly EngineCheck[] = [
  { name: 'a card is typed and added', run: addCard },
  { name: 'Tab leads through the component and back', run: walkByTab },
  {
    name: 'a card is added where the browser keeps as little as it can be told to',
    keepsLittle: true,
    async run(world) {
      await addCard(world)
      same('a cookie', await world.page.inFrame(`(document.cookie = 'kept=1', document.cookie)`), '')
    },
  },
  {
    name: 'ready in a page that isolates itself',
    query: 'isolated',
    async run(world) {
      await mount(world)
      same('isolated', await world.page.run('crossOriginIsolated'), true)
      await until(world.page.inFrame, `document.querySelector('#card-number')`)
    },
  },
  { name: 'a card is added in a page with a strict policy', query: 'strict', run: addCard },
  { name: 'a card is proven by its code', run: payByCode },
  {
    name: 'a window that is blocked leaves a link',
    async run(world) {
      saved(world, 'popup')
      await mount(world, choice)
      await world.page.run('void pay()')
      await until(world.page.inFrame, `document.querySelector('a.button')?.href.includes('/ceremony#')`)
    },
  },
  {
    name: 'a frame that is removed ends what was under way',
    async run(world) {
      saved(world, 'popup')
      await mount(world, choice)
      await world.page.run('(window.open = () => null, void pay())')
      await until(world.page.inFrame, `document.querySelector('a.button')`)
      const outcome = await pay(world, `document.querySelector('iframe').remove()`)
      same('the code', (outcome as { code?: unknown }).code, 'closed')
    },
  },
  {
    name: 'a sign-in is sealed',
    async run(world) {
      const { page, standIn } = world
      const sealed = shopThatAsks({ standIn }, 'password')
      await mount(world, { component: 'MerchantAuthHandoff' })
      await page.clickInFrame('#sign-in-username')
      await page.type('ada@example.com')
      await page.tab()
      await page.type('a password')
      await page.enter()
      await until(page.inFrame, `document.querySelector('.checking, .notice')`)
      same(
        'what the frame says',
        await page.inFrame(`document.querySelector('.notice')?.textContent ?? ''`),
        '',
      )
      same('what was sealed', await sealed(), { username: 'ada@example.com', password: 'a password' })
    },
  },
]
