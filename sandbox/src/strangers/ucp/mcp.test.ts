import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import type { Json } from '../../../test/run-sandbox.ts'
import { openUcpBuyer, type UcpBuyer } from '../../../test/ucp-buyer.ts'
import { ucpAddress, ucpBuyer } from '../../../test/ucp-platform.ts'

const host = 'tools.ucp.shop.test'

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

const rpc = async (method: string, params: object = {}) =>
  (await buyer.ask('POST', '/mcp', { jsonrpc: '2.0', id: 7, method, params }, { host })).body

async function call(name: string, given: object, key?: string): Promise<Json> {
  const meta = {
    'ucp-agent': { profile: buyer.profileUrl('2026-08-25') },
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  const { result, error } = await rpc('tools/call', { name, arguments: { meta, ...given } })
  return (error ?? (result as Json).structuredContent) as Json
}

test('the tools are listed, and each operation is one', async () => {
  expect(await rpc('initialize', { protocolVersion: '2025-06-18' })).toMatchObject({
    id: 7,
    result: { protocolVersion: '2025-06-18', capabilities: { tools: {} } },
  })
  const { result } = (await rpc('tools/list')) as { result: { tools: { name: string }[] } }
  expect(result.tools.map(({ name }) => name)).toEqual([
    'create_checkout',
    'get_checkout',
    'update_checkout',
    'complete_checkout',
    'cancel_checkout',
    'create_cart',
    'get_cart',
    'update_cart',
    'cancel_cart',
    'get_order',
    'search_catalog',
    'lookup_catalog',
    'get_product',
  ])
})

test('a teapot is found, chosen and bought with tools', async () => {
  const search = { catalog: { query: 'teapot', pagination: { limit: 1 } } }
  expect(await call('search_catalog', search)).toMatchObject({ products: [{ id: 'prod_teapot' }] })
  const chosen = { id: 'prod_teapot', selected: [{ name: 'Size', label: 'Large' }] }
  expect(await call('get_product', { catalog: chosen })).toMatchObject({
    product: {
      selected: [{ name: 'Size', label: 'Large' }],
      options: [
        {
          name: 'Size',
          values: [
            { label: 'Small', available: true },
            { label: 'Large', available: true },
          ],
        },
        {
          name: 'Color',
          values: [
            { label: 'Sage', exists: true },
            { label: 'Rust', exists: false },
          ],
        },
      ],
    },
  })
  const line_items = [{ item: { id: 'teapot-large-sage' }, quantity: 2 }]
  const destinations = [ucpAddress]
  const checkout = {
    line_items,
    buyer: ucpBuyer,
    fulfillment: { methods: [{ type: 'shipping', destinations }] },
    attribution: { service_attribution_id: 'search-1' },
  }
  const { id } = await call('create_checkout', { checkout })
  const groups = [{ id: 'package_1', selected_option_id: 'standard' }]
  const ready = await call('update_checkout', {
    id,
    checkout: { line_items, buyer: ucpBuyer, fulfillment: { methods: [{ id: 'shipping_1', groups }] } },
  })
  expect(ready).toMatchObject({ status: 'ready_for_complete' })
  const token = await buyer.issueToken(7452, host)
  const credential = { type: 'token', token }
  const instruments = [{ id: 'one', handler_id: 'processor_token', type: 'card', credential }]
  const paying = { id, checkout: { payment: { instruments } } }
  expect(await call('complete_checkout', paying)).toMatchObject({ code: -32602 })
  const key = randomUUID()
  const done = await call('complete_checkout', paying, key)
  expect(done).toMatchObject({ status: 'completed' })
  expect(await call('complete_checkout', paying, key)).toEqual(done)
  expect(await buyer.tokenState(token)).toEqual({ status: 'charged', captured: 7452 })
  const order = await call('get_order', { id: (done.order as Json).id })
  expect(order).toMatchObject({ checkout_id: id, attribution: { service_attribution_id: 'search-1' } })
})

test('what goes wrong has the codes of the protocol', async () => {
  const nobody = { name: 'get_checkout', arguments: { id: 'x' } }
  expect(await rpc('tools/call', nobody)).toMatchObject({ error: { code: -32001 } })
  expect(await call('get_checkout', { id: 'nothing' })).toMatchObject({ ucp: { status: 'error' } })
  expect(await call('buy_everything', {})).toMatchObject({ code: -32602 })
  expect(await rpc('resources/list')).toMatchObject({ error: { code: -32601 } })
  expect(await call('create_checkout', { checkout: { line_items: [] } })).toMatchObject({ code: -32602 })
})
