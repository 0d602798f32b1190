import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { protocolSchemas } from '../../../test/protocol-schemas.ts'
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

const later = {
  fulfillment: 'schemas/shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout',
  discount: 'schemas/shopping/discount.json#/$defs/dev.ucp.shopping.checkout',
  order: 'schemas/shopping/order.json',
}
const schemas: Readonly<Record<string, typeof later & { profile: string }>> = {
  '2026-08-25': { ...later, profile: 'schemas/profile.json#/$defs/business_schema' },
  '2026-04-08': { ...later, profile: 'discovery/profile_schema.json#/$defs/business_profile' },
  '2026-01-23': {
    ...later,
    fulfillment: 'schemas/shopping/fulfillment.json#/$defs/checkout',
    discount: 'schemas/shopping/discount.json#/$defs/checkout',
    profile: 'discovery/profile_schema.json#/$defs/business_profile',
  },
  '2026-01-11': {
    fulfillment: 'schemas/shopping/fulfillment_resp.json#/$defs/checkout',
    discount: 'schemas/shopping/discount_resp.json#/$defs/checkout',
    order: 'schemas/shopping/order.json',
    profile: 'discovery/profile_schema.json',
  },
}

test.each(Object.keys(schemas))(
  '%s: what the shop says is valid by the schemas of the protocol',
  async (release) => {
    const check = protocolSchemas(release)
    const names = schemas[release]
    if (names === undefined) throw new Error('A release without names')
    const { body: profile } = await buyer.ask('GET', `/.well-known/ucp/${release}`)
    if (release !== '2026-08-25') expect(check(names.profile, profile)).toBeNull()
    else expect(check(names.profile, buyer.profile)).toBeNull()

    const asked = { release, sku: 'refunded' }
    const discounts = { discounts: { codes: ['WELCOME10', 'NOTHING'] } }
    const made = await buyer.create('refunded', asked, discounts)
    const ready = await buyer.choose(made, 'standard', asked, discounts)
    const done = await buyer.complete(ready, await buyer.issueToken(2970), asked)
    for (const { body } of [made, ready, done]) {
      expect(check(names.fulfillment, body)).toBeNull()
      expect(check(names.discount, body)).toBeNull()
      // A schema that takes anything would say nothing.
      for (const name of [names.fulfillment, names.discount])
        expect(check(name, { ...body, totals: [{ amount: 'much' }] })).not.toBeNull()
    }
    const { id } = done.body.order as { id: string }
    for (const days of [1, 6]) {
      await strangers.passDays('ucp', days)
      expect(check(names.order, (await buyer.ask('GET', `/orders/${id}`, undefined, asked)).body)).toBeNull()
    }
    const cancelled = { release, sku: 'cancelled' }
    const bought = await buyer.choose(await buyer.create('cancelled', cancelled), 'standard', cancelled)
    const placed = await buyer.complete(bought, await buyer.issueToken(3240), cancelled)
    await strangers.passDays('ucp', 1)
    const other = (placed.body.order as { id: string }).id
    expect(check(names.order, (await buyer.ask('GET', `/orders/${other}`, undefined, asked)).body)).toBeNull()
    const escalates = { release, sku: 'escalates-at-create' }
    expect(check(names.fulfillment, (await buyer.create('escalates-at-create', escalates)).body)).toBeNull()
  },
)

test.each(['2026-08-25', '2026-04-08'])(
  '%s: its catalog and its refusals are valid, too',
  async (release) => {
    const check = protocolSchemas(release)
    const ask = async (path: string, body: object) =>
      (await buyer.ask('POST', `/catalog/${path}`, body, { release })).body
    const found = await ask('search', { query: 'teapot', pagination: { limit: 1 } })
    expect(check('schemas/shopping/catalog_search.json#/$defs/search_response', found)).toBeNull()
    const looked = await ask('lookup', { ids: ['prod_teapot', 'kettle', 'nothing'] })
    expect(check('schemas/shopping/catalog_lookup.json#/$defs/lookup_response', looked)).toBeNull()
    const product = await ask('product', { id: 'teapot-small-sage' })
    expect(check('schemas/shopping/catalog_lookup.json#/$defs/get_product_response', product)).toBeNull()
    const line_items = [{ item: { id: 'kettle' }, quantity: 1 }]
    const cart = (
      await buyer.ask('POST', '/carts', { line_items, discounts: { codes: ['WELCOME10'] } }, { release })
    ).body
    expect(check('schemas/shopping/cart.json', cart)).toBeNull()
    expect(check('schemas/shopping/cart.json', { ...cart, totals: [] })).not.toBeNull()
    const error =
      release >= '2026-08-25'
        ? 'schemas/common/types/error_response.json'
        : 'schemas/shopping/types/error_response.json'
    expect(check(error, (await buyer.create('sold-out', { release })).body)).toBeNull()
  },
)
