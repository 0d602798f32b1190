import { createBrowserPort } from '../../channels/browser/browser-port.ts'
import type { Mode } from '../../contract/context.ts'
import { CommandFailure } from '../failure.ts'
import { browserDoorsFolder } from '../up/start-browser.ts'
import type { Up } from '../up/start-up.ts'
import { createDemoClient, type DemoClient, type ShopEntry } from './demo-client.ts'
import { demoCard, demoProfile } from './demo-person.ts'
import type { Printer, ShopResult } from './demo-printer.ts'

type DemoItem = { path: string; price: number; currency: string; variant?: object }

/** The shops of the sandbox that have nothing but pages, with what the demo buys there. `docs/testing.md` says what is hard about each. */
const items = {
  classic: { path: '/product/kettle', price: 4900, currency: 'USD' },
  app: { path: '/products/socks', price: 2400, currency: 'USD' },
  hosted: { path: '/product/notebook', price: 1900, currency: 'USD' },
  laden: { path: '/produkt/tasse', price: 895, currency: 'EUR' },
  closed: { path: '/product/members-only', price: 12_000, currency: 'USD' },
  choices: {
    path: '/product/mug',
    price: 1500,
    currency: 'USD',
    variant: { selections: [{ name: 'Color', value: 'White' }] },
  },
  messy: { path: '/p/7731', price: 3499, currency: 'USD' },
  drift: { path: '/product/steady', price: 2000, currency: 'USD' },
  authorizes: { path: '/product/two-shipments', price: 20_000, currency: 'USD' },
  invoice: { path: '/product/desk-lamp', price: 5900, currency: 'USD' },
  hostile: { path: '/product/instructions', price: 2000, currency: 'USD' },
  picky: { path: '/product/house', price: 1200, currency: 'USD' },
  habits: { path: '/product/card-first', price: 2000, currency: 'USD' },
  slow: { path: '/product/steady', price: 2500, currency: 'USD' },
} as const satisfies Record<string, DemoItem>

export type DemoShop = keyof typeof items

export const demoShops = Object.keys(items) as DemoShop[] // the keys of the constant above

/** One item at a shop that has never heard of this service, bought through its pages. */
export async function buyAtShop(up: Up, shop: DemoShop, printer: Printer): Promise<ShopResult> {
  await assertBrowser(up, 'test')
  const { ready } = up
  const client = createDemoClient(ready.base_url)
  const { secret_test: person, agent_test: agent } = ready.keys
  const { path, ...item }: DemoItem = items[shop]
  const url = `${ready.sandbox.shops[shop]}${path}`
  printer.step('A person is registered, with a card that agents may use')
  const profile = await client.rest(person, 'POST', '/v1/profiles', demoProfile)
  await client.rest(person, 'POST', `/v1/profiles/${profile.id}/payment_methods`, demoCard)
  printer.step(`The agent asks to buy ${url}; the person approves it`)
  const { id } = await client.rest(agent, 'POST', '/v1/purchase_intents', {
    profile_id: profile.id,
    items: [
      {
        url,
        quantity: 1,
        expected_amount: item.price,
        expected_currency: item.currency,
        ...(item.variant === undefined ? {} : { variant: item.variant }),
      },
    ],
    preferences: { fulfillment: { method: 'ship', max_fee_amount: 1500 } },
  })
  await client.rest(person, 'POST', `/v1/purchase_intents/${id}/approve`, { approve: true })
  printer.step('A browser goes through the pages of the shop, which has never heard of this service')
  const startedAt = performance.now()
  await client.follow(agent, id, printer.event, ({ type }) => waitsForPerson(type))
  const elapsed = Math.round(performance.now() - startedAt)
  return { ...(await factsOf({ up, client, shop, id })), url, elapsed_ms: elapsed }
}

/** In a demo nobody is there to sign in, or to agree to a higher price. */
function waitsForPerson(type: string): boolean {
  return type.startsWith('purchase_intent.awaiting_') && type !== 'purchase_intent.awaiting_approval'
}

/** Waits until the browser has looked at its Chromium, which the first start unpacks. */
export async function assertBrowser({ ready, state }: Up, mode: Mode): Promise<void> {
  if (ready.pids.browser === undefined)
    throw new CommandFailure('This demo needs the browser, which PROKURA_BROWSER=off leaves out.')
  const health = await createBrowserPort(browserDoorsFolder(state)).health()
  if (health === null) throw new CommandFailure('The browser process does not answer.')
  if (!health.serves.includes(mode))
    throw new CommandFailure(`There is no usable browser. ${health.remedy ?? ''}`.trim())
}

type Asked = { up: Up; client: DemoClient; shop: DemoShop; id: string }

async function factsOf({
  up: { ready },
  client,
  shop,
  id,
}: Asked): Promise<Omit<ShopResult, 'url' | 'elapsed_ms'>> {
  const { secret_test: person } = ready.keys
  const intent = await client.rest(person, 'GET', `/v1/purchase_intents/${id}`)
  const { data: pictures } = await client.rest(person, 'GET', `/v1/purchase_intents/${id}/evidence`)
  const heard = await client.shopLog(`${ready.sandbox.strangers_url}/${shop}/log`)
  const atProcessor = (await client.log(ready.sandbox.processor_log_url)).filter(
    ({ reference, result }) => reference.startsWith(`${shop}:`) && result === 'approved',
  )
  const captures = atProcessor.filter(({ operation }) => operation === 'capture')
  return {
    shop,
    purchase_intent_id: id,
    status: intent.status,
    actual_amount: intent.actual_amount,
    max_allowed_amount: intent.max_allowed_amount,
    currency: intent.currency_code,
    order_id: intent.carts[0]?.order_id ?? null,
    why: intent.status === 'succeeded' ? null : whyNot(intent),
    pictures: pictures.map(({ stage }: { stage: string }) => stage),
    shop_log: heard.flatMap(testimonyOf),
    processor: {
      authorizations: atProcessor.filter(({ operation, amount }) => isHold(operation) && amount > 0).length,
      captures: captures.length,
      captured_amount: captures.reduce((sum, { amount }) => sum + amount, 0),
    },
  }
}

function isHold(operation: string): boolean {
  return operation === 'authorize_card'
}

function testimonyOf({ kind, result, items: goods, amount }: ShopEntry): ShopResult['shop_log'] {
  return ['order', 'charge', 'attack'].includes(kind) ? [{ kind, result, items: goods, amount }] : []
}

type Ended = {
  status: string
  summary: string
  next_action: { type: string } | null
  failure_reason: { code: string; merchant_message?: string | null } | null
}

/** In the words of the purchase, and of the shop where it has said something. */
function whyNot({ status, summary, next_action, failure_reason }: Ended): string {
  const code = failure_reason?.code ?? next_action?.type ?? status
  const said = failure_reason?.merchant_message
  return `${code}: ${summary}${said ? ` The shop: ${said}` : ''}`
}
