import type { PlannedProduct } from '../plan.ts'

type Answer = { uuid: string; [field: string]: unknown }

/** Fills a new shop as its seller would, through its own API for sellers. */
export async function stockShop(
  url: string,
  admin: { email: string; password: string },
): Promise<PlannedProduct[]> {
  const { accessToken } = await post(url, '/api/user/tokens', admin, null)
  const call = (path: string, body: object) => post(url, path, body, String(accessToken))
  await offerDelivery(call)
  const parcel = await call('/api/packages', { name: 'Parcel', length: 30, width: 20, height: 10 })
  const group = await call('/api/attributeGroups', { group_name: 'Clothes' })
  const shared = {
    status: 1,
    visibility: 1,
    qty: 20,
    manage_stock: 1,
    stock_availability: 1,
    weight: 1,
    package_id: Number(parcel.package_id),
    group_id: Number(group.attribute_group_id),
  }
  const product = (fields: object) => call('/api/products', { ...shared, ...fields })
  const simple = await product({
    name: 'Copper kettle',
    sku: 'KETTLE',
    url_key: 'copper-kettle',
    price: 49.5,
  })
  const shirts = await sellShirts(call, product, shared.group_id)
  return [
    {
      name: 'a simple product',
      path: `/product/${simple.uuid}`,
      price: 4950,
      quantity: 1,
      goods: 'KETTLE',
    },
    {
      name: 'two of a product with variants',
      path: `/product/${shirts}`,
      price: 2600,
      quantity: 2,
      selections: [
        { name: 'Color', value: 'Navy' },
        { name: 'Size', value: 'L' },
      ],
      goods: 'SHIRT-Navy-L',
    },
  ]
}

type Call = (path: string, body: object) => Promise<Answer>

async function offerDelivery(call: Call): Promise<void> {
  const zone = await call('/api/shippingZones', { name: 'Anywhere', countries: ['US', 'DE'] })
  await call(`/api/shippingZones/${zone.uuid}/providers`, { provider_code: 'core' }).catch(ifThere)
  for (const [name, cost] of [
    ['Standard delivery', 5],
    ['Express delivery', 15],
  ] as const) {
    const method = await call('/api/shippingProviders/core/methods', { name })
    await call('/api/shippingProviders/core/rates', { method_id: method.uuid, zone_id: zone.uuid, cost })
  }
}

/** Some releases attach their own provider to a new zone. */
function ifThere(error: unknown): void {
  if (!String(error).includes('already')) throw error
}

/** Two colors in two sizes; L costs more. Answers the product that the page of all of them begins with. */
async function sellShirts(call: Call, product: (fields: object) => Promise<Answer>, group: number) {
  const attribute = (code: string, name: string, values: readonly string[]) =>
    call('/api/attributes', {
      attribute_code: code,
      attribute_name: name,
      type: 'select',
      is_required: 0,
      display_on_frontend: 1,
      sort_order: 1,
      is_filterable: 0,
      groups: [group],
      options: values.map((option_text) => ({ option_text })),
    })
  await attribute('shirt_color', 'Color', ['Navy', 'Sand'])
  await attribute('shirt_size', 'Size', ['M', 'L'])
  const variants = await call('/api/variantGroups', {
    attribute_codes: ['shirt_color', 'shirt_size'],
    attribute_group_id: group,
  })
  const options = new Map(optionsOf(variants))
  let first = ''
  for (const color of ['Navy', 'Sand'])
    for (const size of ['M', 'L']) {
      const shirt = await product({
        name: 'Linen shirt',
        sku: `SHIRT-${color}-${size}`,
        url_key: `linen-shirt-${color}-${size}`.toLowerCase(),
        price: size === 'L' ? 26 : 24,
        variant_group_id: Number(variants.variant_group_id),
        attributes: [
          { attribute_code: 'shirt_color', value: options.get(color) },
          { attribute_code: 'shirt_size', value: options.get(size) },
        ],
      })
      await call(`/api/variantGroups/${variants.uuid}/items`, { product_id: shirt.uuid })
      first ||= shirt.uuid
    }
  return first
}

/** The id of each option, by its text. */
function optionsOf({ attributes }: Answer): [string, string][] {
  if (!Array.isArray(attributes)) throw new Error('the variants have no attributes')
  return attributes.flatMap(({ options }) =>
    options.map((option: Record<string, unknown>): [string, string] => [
      String(option.option_text),
      String(option.attribute_option_id),
    ]),
  )
}

async function post(url: string, path: string, body: object, token: string | null): Promise<Answer> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status} ${text}`)
  return JSON.parse(text).data
}
