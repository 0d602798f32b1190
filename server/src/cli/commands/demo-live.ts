import { setTimeout as delay } from 'node:timers/promises'
import type { Id } from '../../core/id.ts'
import { addEntry, registryAccount } from '../../domain/discovery/registry/public.ts'
import { changeMerchant } from '../../domain/readiness/merchant-readiness/public.ts'
import { setPayout } from '../../domain/selling/payouts/public.ts'
import { CommandFailure } from '../failure.ts'
import { type Administration, administer } from '../operator/administer.ts'
import { roleConfig } from '../role-config.ts'
import { simulatorKey } from '../up/rehearsal.ts'
import type { Up } from '../up/start-up.ts'
import { createDemoClient, type DemoClient } from './demo-client.ts'
import { type Buyer, openBuyer, releaseAsPerson } from './demo-live-person.ts'
import type { LedgerRow, Printer } from './demo-printer.ts'
import { assertBrowser } from './demo-shop.ts'

const currency = 'USD'
const lamp = { domain: 'lamps.example', url: 'https://lamps.example/lamp', price: 2500 }
const kettle = { shop: 'classic', path: '/product/kettle', price: 4900 }

/** Live mode as it would be with real money, at the simulator of Stripe: who pays, who is paid, and what both sides have written down. */
export async function rehearseLive(up: Up, printer: Printer): Promise<void> {
  await assertBrowser(up, 'live')
  const client = createDemoClient(up.ready.base_url)
  printer.step('A person enters a card at Stripe, in a frame of the component; Stripe keeps it')
  const buyer = await openBuyer(up, client)
  printer.step('A merchant opens, and the operator decides who is paid for what it sells')
  const seller = await openMerchant(up, client)
  const rehearsed = { up, client, printer, buyer, seller }
  const rows = [await buyLamp(rehearsed), await buyKettle(rehearsed)]
  printer.ledgers(rows)
  const wrong = rows.find(
    ({ actual_amount, buyer_paid, shop_took }) =>
      actual_amount !== buyer_paid || (shop_took !== null && shop_took !== actual_amount),
  )
  if (wrong) throw new CommandFailure(`The ledgers of ${wrong.purchase_intent_id} differ.`)
}

type Rehearsed = { up: Up; client: DemoClient; printer: Printer; buyer: Buyer; seller: string }

/** The merchant confirms by the API; its backend would do it by a webhook. */
async function buyLamp(rehearsed: Rehearsed): Promise<LedgerRow> {
  const { client, printer, seller, up } = rehearsed
  const key = up.ready.keys.secret_live
  const id = await askAndRelease(rehearsed, { url: lamp.url, price: lamp.price })
  printer.step('The money is held on the card; the merchant confirms, and it is captured')
  const followed = client.follow(key, id, printer.event)
  const order = await orderOf(client, key, id)
  await client.rest(seller, 'POST', `/v1/merchant/orders/${order}/responses`, {
    outcome: 'confirmed',
    confirmation_reference: 'LAMP-1',
  })
  await followed
  return await ledgerOf(rehearsed, 'at a merchant', id)
}

async function buyKettle(rehearsed: Rehearsed): Promise<LedgerRow> {
  const { client, printer, up } = rehearsed
  const { shops } = up.ready.sandbox
  const id = await askAndRelease(rehearsed, {
    url: `${shops[kettle.shop]}${kettle.path}`,
    price: kettle.price,
  })
  printer.step(
    "The card is held, another one is issued for this shop, and a browser types its number; then the buyer's card pays",
  )
  await client.follow(up.ready.keys.secret_live, id, printer.event)
  return await ledgerOf(rehearsed, 'at a shop with pages', id)
}

/** The first purchases of an account need a person, who proves the card to its bank. */
async function askAndRelease(
  { client, printer, buyer, up }: Rehearsed,
  { url, price }: { url: string; price: number },
): Promise<string> {
  const key = up.ready.keys.secret_live
  printer.step(`${url} is asked for; its person opens a link, proves the card to its bank, and approves`)
  const intent = await client.rest(key, 'POST', '/v1/purchase_intents', {
    profile_id: buyer.profileId,
    items: [{ url, quantity: 1, expected_amount: price, expected_currency: currency }],
    preferences: { fulfillment: { method: 'ship', max_fee_amount: 1500 } },
  })
  await releaseAsPerson({ client, key, baseUrl: up.ready.base_url }, intent, buyer)
  return String(intent.id)
}

/** A worker has it in a moment. */
async function orderOf(client: DemoClient, key: string, id: string): Promise<string> {
  for (;;) {
    const intent = await client.rest(key, 'GET', `/v1/purchase_intents/${id}`)
    const order: unknown = intent.carts[0]?.order
    if (typeof order === 'string') return order
    if (intent.status === 'failed')
      throw new CommandFailure(`Nothing was ordered: ${JSON.stringify(intent.failure_reason)}`)
    await delay(50)
  }
}

/** In live mode a domain is verified by its DNS, which a rehearsal has not. */
async function openMerchant({ ready, state }: Up, client: DemoClient): Promise<string> {
  const config = roleConfig(state.path)
  const opened = await administer(config, (admin) => admin.openAccount('Lamps'))
  const key = opened.keys.secret_live
  const record = { name: 'Lamps', domain: lamp.domain, currency, country: 'US', mcc: '5719' }
  await client.rest(key, 'POST', '/v1/merchant', record)
  await administer(config, async (admin) => {
    await settle(admin, opened.account_id)
    const shop = ready.sandbox.shops[kettle.shop]
    if (shop === undefined) throw new CommandFailure(`The sandbox has no shop ${kettle.shop}.`)
    await admin.inTenant({ accountId: registryAccount, mode: 'live' }, (ctx) =>
      addEntry(ctx, { origin: new URL(shop).origin, channel: 'browser', name: null }),
    )
  })
  const variants = [{ sku: 'LAMP', price: lamp.price, currency }]
  const item = await client.rest(key, 'POST', '/v1/merchant/catalog_items', {
    title: 'Lamp',
    url: lamp.url,
    variants,
  })
  await client.rest(key, 'POST', `/v1/merchant/catalog_items/${item.id}/publish`, {})
  return key
}

function settle(admin: Administration, accountId: Id<'acct'>): Promise<void> {
  return admin.inTenant({ accountId, mode: 'live' }, async (ctx) => {
    await changeMerchant(
      ctx,
      () => ({ domain_verified_at: ctx.now }),
      () => 'merchant.domain_verified',
    )
    await setPayout(ctx, { to: 'operator' }, admin.operator)
  })
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the simulator, in Stripe's forms
type StripeObject = any

/** The buyer's card pays a moment after the shop has taken its money. */
async function ledgerOf(rehearsed: Rehearsed, what: string, id: string): Promise<LedgerRow> {
  for (let looks = 1; ; looks++) {
    const row = await readLedger(rehearsed, what, id)
    if (row.buyer_paid === row.actual_amount || looks === looksMax) return row
    await delay(200)
  }
}

const looksMax = 50

/** What the simulator of Stripe remembers of the purchase. */
async function readLedger(
  { up: { ready }, client }: Rehearsed,
  what: string,
  id: string,
): Promise<LedgerRow> {
  const intent = await client.rest(ready.keys.secret_live, 'GET', `/v1/purchase_intents/${id}`)
  if (intent.status !== 'succeeded')
    throw new CommandFailure(
      `The purchase ${what} ended ${intent.status}: ${JSON.stringify(intent.failure_reason)}`,
    )
  const read = async (path: string): Promise<StripeObject[]> => {
    const headers = { authorization: `Bearer ${simulatorKey}` }
    const answer = await fetch(`${ready.sandbox.stripe_url}/v1/${path}`, { headers })
    return JSON.parse(await answer.text()).data
  }
  const [charge] = (await read('payment_intents?limit=100')).filter(({ description }) =>
    String(description).includes(id),
  )
  const refunds = await read(`refunds?payment_intent=${charge?.id}`)
  const cards = (await read('issuing/cards?limit=100')).filter(({ metadata }) =>
    String(metadata.prokura_key).startsWith(`${intent.carts[0].id}:`),
  )
  const moved = await Promise.all(cards.map((card) => read(`issuing/transactions?card=${card.id}`)))
  // What goes out of the balance of cards is negative there.
  const taken = moved.flat().reduce((sum, { amount }) => sum - amount, 0)
  const back = refunds.reduce((sum, { amount }) => sum + amount, 0)
  return {
    what,
    purchase_intent_id: id,
    currency: intent.currency_code,
    actual_amount: intent.actual_amount,
    buyer_paid: (charge?.amount_received ?? 0) - back,
    shop_took: cards.length === 0 ? null : taken,
  }
}
