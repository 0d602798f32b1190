import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/composition.ts'
import { standsOn } from '../../src/contract/operation.ts'
import { type Buying, startBuying } from '../harness/buying.ts'
import { newDestination, type Receiver, startReceiver } from '../harness/deliveries.ts'
import { type Members, membersOf } from './tool-client.ts'
import { allowSmall, chargesOf, openWorld, type World } from './world.ts'

/** A list of 12,000 tokens has about this many characters. */
const listMax = 50_000

let buying: Buying
let backend: Receiver
let world: World
const clients: Client[] = []
beforeAll(async () => {
  buying = await startBuying()
  backend = await startReceiver()
  await openShop()
  world = await openWorld(buying)
  await allowSmall(world, { limits: { per_transaction_max: 20_000 } })
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await backend?.stop()
  await buying?.stop()
})

/** A merchant with two kinds of boots, whose backend confirms every order by key. */
async function openShop(): Promise<void> {
  const { app, sql } = buying
  const seller = await app.newAccount('Boots')
  const key = seller.keys.secret_test
  const domain = 'boots.example'
  await app.post('/v1/merchant', { name: 'Boots', slug: 'boots', domain, currency: 'USD' }, { key })
  await sql('update merchants set domain_verified_at = now() where account_id = $1', [seller.accountId])
  for (const [title, price] of [
    ['Alpine trekking boots', 14_900],
    ['Forest trekking boots', 2_400],
    ['Boot wax', 900],
  ] as const) {
    const item = { title, url: `https://${domain}/${price}`, variants: [{ sku: `B-${price}`, price }] }
    const made = await app.post('/v1/merchant/catalog_items', item, { key })
    await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`, undefined, { key })
  }
  const event_types = ['order.requested', 'order.confirmed', 'order.rejected']
  await newDestination(app, backend.url, { event_types }, key)
  backend.answer((response, { body }) => {
    response.end('ok')
    const { type, data } = JSON.parse(body)
    if (type !== 'order.requested') return
    const answer = { outcome: 'confirmed', confirmation_reference: `C-${data.order.id}` }
    void app.post(`/v1/merchant/orders/${data.order.id}/responses`, answer, { key })
  })
  // What the shop has published is listed.
  await buying.relayed()
}

/** A client of the protocol's authors, which knows nothing of this product, with the key of an agent. */
async function connect(query = ''): Promise<Client> {
  const client = new Client({ name: 'shopper', version: '1' })
  clients.push(client)
  const headers = { authorization: `Bearer ${world.agentKey.token}` }
  const url = new URL(`${buying.app.url}/mcp/v1${query}`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

async function call(client: Client, name: string, args: Members): Promise<Members> {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...args } })
  expect([name, isError ?? false, isError ? content : null]).toEqual([name, false, null])
  return membersOf(structuredContent)
}

const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.map(membersOf) : [])

/** What an agent finds out before it buys: by words with a mistake in them, then product by product. */
async function compare(client: Client): Promise<{ cheap: Members; dear: Members }> {
  const found = await call(client, 'v1_search_catalog', {
    query: 'treking boots',
    context: { currency: 'USD' },
  })
  expect(listOf(found.messages)).toMatchObject([{ code: 'query_corrected' }])
  const products = listOf(found.products)
  expect(products).toHaveLength(2)
  const seen = await Promise.all(
    products.map(({ id, merchant }) =>
      call(client, 'v1_get_catalog_product', { id, merchant: { id: membersOf(merchant).id } }),
    ),
  )
  const priceOf = ({ price_range: range }: Members) => Number(membersOf(membersOf(range).min).amount)
  const [cheap, dear] = seen.sort((a, b) => priceOf(a) - priceOf(b))
  if (!cheap || !dear) throw new Error('there are no two products to compare')
  for (const product of [cheap, dear])
    expect(product).toMatchObject({ purchasable: { purchase_intent: true } })
  return { cheap, dear }
}

/** The request to buy one of what was found, for the one profile that there is. */
async function orderOf(client: Client, { url, price_range: range }: Members): Promise<Members> {
  const [profile] = listOf((await call(client, 'v1_list_profiles', {})).data)
  const { amount, currency } = membersOf(membersOf(range).min)
  const item = { url, quantity: 1, expected_amount: amount, expected_currency: currency }
  return { profile_id: profile?.id, items: [item] }
}

/** Waits in calls of the tool until something is over or asks for something else. */
async function follow(client: Client, begun: Members, is: (purchase: Members) => boolean): Promise<Members> {
  let purchase = begun
  for (let calls = 0; !is(purchase); calls++) {
    if (calls > 20) throw new Error(`the purchase stays as it is: ${JSON.stringify(purchase)}`)
    purchase = await call(client, 'v1_get_purchase_intent', {
      purchase_intent_id: purchase.id,
      wait_seconds: 25,
      after_sequence: purchase.sequence,
    })
  }
  return purchase
}

const isOver = ({ completed_at: at }: Members) => typeof at === 'string'

test('the toolset discovery lists the tools that find things, and nothing else', async () => {
  const client = await connect('?toolset=discovery')
  const { tools } = await client.listTools()
  const finding = operations.filter((each) => each.auth === 'optional' && standsOn(each, 'mcp'))
  expect(tools.map(({ name }) => name)).toEqual(finding.map(({ id }) => id))
  expect(tools.length).toBeGreaterThanOrEqual(3)
  for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true })
  const all = await (await connect()).listTools()
  expect(all.tools.length).toBeGreaterThan(20)
  expect(JSON.stringify(all).length).toBeLessThanOrEqual(listMax)
  expect(JSON.stringify(tools).length).toBeLessThan(listMax / 4)
})

test('an agent finds, compares, checks the price and buys what a policy allows, and reads the order', async () => {
  const { cheap } = await compare(await connect('?toolset=discovery'))
  const client = await connect('?toolset=buyer')
  const order = await orderOf(client, cheap)
  const preview = await call(client, 'v1_preview_purchase_intent', order)
  expect(preview).toMatchObject({
    status: 'queued',
    policy_decision: { result: 'allow' },
    offer: { total: 2_400 },
    merchants: [{ supported: true, channel: 'native', problems: [] }],
  })
  const begun = await call(client, 'v1_create_purchase_intent', { ...order, idempotency_key: 'boots-1' })
  const bought = await follow(client, begun, isOver)
  expect(bought).toMatchObject({ status: 'succeeded', actual_amount: 2_400, next_action: null })
  const [cart] = listOf(bought.carts)
  const placed = await call(client, 'v1_get_order', { order_id: cart?.order })
  expect(placed).toMatchObject({
    status: 'confirmed',
    total_amount: 2_400,
    line_items: [{ title: 'Forest trekking boots', quantity: 1 }],
  })
  expect(await chargesOf(world)).toEqual([2_400])
})

test('what costs more than the policy allows waits for a person, whom no tool replaces', async () => {
  const { dear } = await compare(await connect('?toolset=discovery'))
  const client = await connect()
  const order = await orderOf(client, dear)
  expect(await call(client, 'v1_preview_purchase_intent', order)).toMatchObject({
    status: 'awaiting_approval',
    offer: { total: 14_900 },
  })
  const begun = await call(client, 'v1_create_purchase_intent', { ...order, idempotency_key: 'boots-2' })
  expect(begun).toMatchObject({ status: 'awaiting_approval', next_action: { type: 'approve' } })
  expect(begun.summary).toContain('approv')
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).not.toContain('v1_approve_purchase_intent')
  const tried = await client.callTool({
    name: 'v1_approve_purchase_intent',
    arguments: { purchase_intent_id: begun.id, approve: true },
  })
  expect([tried.isError, JSON.stringify(tried.content)]).toEqual([
    true,
    expect.stringContaining('insufficient_scope'),
  ])
  const [waited] = await Promise.all([follow(client, begun, isOver), world.decide({ approve: true })])
  expect(waited).toMatchObject({ status: 'succeeded', actual_amount: 14_900 })
  expect(await chargesOf(world)).toEqual([2_400, 14_900])
  await buying.settled()
  await buying.audit()
})
