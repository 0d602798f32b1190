import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import type { Json } from '../../../test/run-sandbox.ts'
import { openUcpBuyer, type UcpBuyer } from '../../../test/ucp-buyer.ts'

let strangers: Strangers
let buyer: UcpBuyer
beforeAll(async () => {
  strangers = await openStrangers()
  buyer = await openUcpBuyer(strangers)
})
afterAll(async () => {
  await buyer.close()
  await strangers.close()
})

const older = ['2026-04-08', '2026-01-23', '2026-01-11']
const profile = async (path = '', host = 'ucp.shop.test') =>
  (await buyer.ask('GET', `/.well-known/ucp${path}`, undefined, { host })).body

test('the newest profile names the older ones, and each of those says its own release and names none', async () => {
  expect(await profile()).toMatchObject({
    ucp: {
      version: '2026-08-25',
      supported_versions: Object.fromEntries(
        older.map((release) => [release, `https://ucp.shop.test/.well-known/ucp/${release}`]),
      ),
    },
  })
  for (const release of older) {
    const { ucp } = (await profile(`/${release}`)) as { ucp: Json }
    expect([ucp.version, ucp.supported_versions]).toEqual([release, undefined])
  }
})

test('the first release has lists, and later ones have registries in which every entry is of their release', async () => {
  expect(await profile('/2026-01-11')).toMatchObject({
    ucp: {
      services: { 'dev.ucp.shopping': { rest: { endpoint: 'https://ucp.shop.test/ucp/2026-01-11' } } },
      capabilities: [{ name: 'dev.ucp.shopping.checkout' }, {}, {}, {}],
    },
    payment: { handlers: [{ id: 'processor_token', name: 'test.pay.processor_token' }] },
  })
  for (const release of ['2026-08-25', '2026-04-08', '2026-01-23']) {
    const { ucp } = (await profile(`/${release}`)) as { ucp: Record<'services' | 'capabilities', Json> }
    const entries = [...Object.values(ucp.services), ...Object.values(ucp.capabilities)].flat() as Json[]
    expect(new Set(entries.map(({ version }) => version))).toEqual(new Set([release]))
    expect('dev.ucp.shopping.catalog.lookup' in ucp.capabilities).toBe(release >= '2026-04-08')
  }
})

test('under its other names the shop speaks the first release alone, or tools alone', async () => {
  expect(await profile('', 'old.ucp.shop.test')).toMatchObject({ ucp: { version: '2026-01-11' } })
  const tools = (await profile('', 'tools.ucp.shop.test')) as { ucp: { services: Record<string, Json[]> } }
  expect(tools.ucp.services['dev.ucp.shopping']).toMatchObject([
    { transport: 'mcp', endpoint: 'https://tools.ucp.shop.test/ucp/2026-08-25/mcp' },
  ])
})

test('the schema of the handler is on the host that its name belongs to', async () => {
  const { ucp } = (await profile()) as { ucp: { payment_handlers: Record<string, { schema: string }[]> } }
  const [[name = '', [handler]] = ['', []]] = Object.entries(ucp.payment_handlers)
  const { hostname } = new URL(handler?.schema ?? '')
  expect(name.startsWith(`${hostname.split('.').reverse().join('.')}.`)).toBe(true)
  const { status, body } = await strangers.shopper().open(handler?.schema ?? '')
  expect([status, JSON.parse(body).name]).toEqual([200, name])
})

test.each([
  ['2026-08-25', 'ucp.shop.test'],
  ['2026-04-08', 'ucp.shop.test'],
  ['2026-01-23', 'ucp.shop.test'],
  ['2026-01-11', 'ucp.shop.test'],
  ['2026-01-11', 'old.ucp.shop.test'],
])('%s at %s: a kettle with a discount is bought', async (release, host) => {
  const asked = { release, host, sku: 'kettle' }
  const discounts = { discounts: { codes: ['welcome10', 'NOTHING'] } }
  const made = await buyer.create('kettle', asked, discounts)
  expect(made.status).toBe(201)
  const ready = await buyer.choose(made, 'standard', asked, discounts)
  const isFirst = release === '2026-01-11'
  expect(ready.body).toMatchObject({
    status: isFirst ? 'incomplete' : 'ready_for_complete',
    messages: [{ type: 'warning', code: 'discount_code_invalid', path: '$.discounts.codes[1]' }],
    ucp: { version: release, capabilities: isFirst ? expect.any(Array) : expect.any(Object) },
    payment: isFirst ? { handlers: [{ id: 'processor_token' }] } : { instruments: [] },
  })
  const discount = release >= '2026-04-08' ? -250 : 250
  expect(buyer.totals(ready)).toEqual({ subtotal: 2500, discount, fulfillment: 500, tax: 220, total: 2970 })
  const [method] = (ready.body.fulfillment as { methods: { destinations: Json[]; groups: Json[] }[] }).methods
  expect(method?.destinations[0]?.type).toBe(release === '2026-08-25' ? 'shipping_address' : undefined)
  const token = await buyer.issueToken(2970, host)
  expect((await buyer.complete(ready, token, asked)).body).toMatchObject({ status: 'completed', order: {} })
  expect(await buyer.tokenState(token)).toEqual({ status: 'charged', captured: 2970 })
})

test('the first release refuses with statuses of HTTP', async () => {
  const asked = { release: '2026-01-11', sku: 'declined' }
  const statusOf = async (sku: string) => (await buyer.create(sku, asked)).status
  expect([await statusOf('nothing'), await statusOf('sold-out')]).toEqual([400, 400])
  const made = await buyer.create('declined', asked)
  const token = await buyer.issueToken(3240)
  expect(await buyer.complete(made, token, asked)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('Select') },
  })
  const ready = await buyer.choose(made, 'standard', asked)
  expect(await buyer.complete(ready, token, asked)).toMatchObject({
    status: 402,
    body: { detail: expect.stringContaining('declined') },
  })
  const unknown = { ...ready, body: { id: 'chk_nothing' } }
  expect((await buyer.read(unknown, asked)).status).toBe(404)
})
