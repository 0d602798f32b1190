import { getAlpha2Codes } from 'i18n-iso-countries/index.js'
import type { SuiteData } from './suite-data.ts'

/** One operation of the merchant, by its id; rejects where it is refused. */
export type Ask = <Answer>(operation: string, args: Arguments) => Promise<Answer>
type Arguments = {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

/** What the suite calls the variants of the merchant, and its rate cards. */
type SeededNames = {
  readonly variants: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string>>
}

type List<One> = { readonly data: readonly One[] }
type Item = { id: string; handle: string | null; variants: { id: string }[] }
type Card = { id: string; status: string; metadata: Record<string, string> }
type Promotion = { id: string; status: string; code: string | null; arms: { kind: string; value: number }[] }

const page = { limit: '200' }
/** Goods that are sent for nothing have this label. */
const freeLabel = 'free-shipping'
const cardKey = 'ucp_conformance'

/** Makes a merchant the shop that the suite expects, by the operations of every merchant. What is there already is completed. */
export async function seedShop(ask: Ask, slug: string, data: SuiteData): Promise<SeededNames> {
  const domain = `${slug}.example`
  await ask('v1_update_merchant', {
    body: {
      slug,
      domain,
      name: 'Flower shop of the UCP suite',
      currency: data.currency,
      tax_basis_points: 0,
    },
  })
  const variants = await seedItems(ask, domain, data)
  const options = await seedRateCards(ask, data)
  await seedCodes(ask, data)
  return { variants, options }
}

async function seedItems(ask: Ask, domain: string, data: SuiteData): Promise<Record<string, string>> {
  const known = await ask<List<Item>>('v1_list_merchant_catalog_items', { query: page })
  const free = new Set(data.freeShipping.flatMap(({ products }) => products))
  const variants: Record<string, string> = {}
  for (const product of data.products) {
    const before = known.data.find(({ handle }) => handle === handleOf(product.id))
    const [variant] = before?.variants ?? []
    const body = {
      handle: handleOf(product.id),
      title: product.title,
      url: `https://${domain}/${product.id}`,
      media: [{ url: product.imageUrl }],
      variants: [
        {
          ...(variant ? { id: variant.id } : {}),
          sku: product.id,
          price: product.price,
          currency: data.currency,
          quantity: product.stock,
          fulfillment_label: free.has(product.id) ? freeLabel : null,
        },
      ],
    }
    const item = before
      ? await ask<Item>('v1_update_merchant_catalog_item', { path: { item_id: before.id }, body })
      : await ask<Item>('v1_create_merchant_catalog_item', { body })
    await ask('v1_publish_merchant_catalog_item', { path: { item_id: item.id } })
    variants[product.id] = item.variants[0]?.id ?? ''
  }
  return variants
}

function handleOf(id: string): string {
  return id.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

/** A country with a rate of its own for a level does not get the default one of that level. */
async function seedRateCards(ask: Ask, data: SuiteData): Promise<Record<string, string>> {
  const known = await ask<List<Card>>('v1_list_rate_cards', { query: page })
  const options: Record<string, string> = {}
  for (const rate of data.shipping) {
    const others = data.shipping.filter(({ level, country }) => level === rate.level && country !== null)
    const terms = {
      name: rate.title,
      rate: rate.level === 'standard' ? standardRate(rate.price, data) : { kind: 'flat', amount: rate.price },
      zones: zonesOf(
        rate.country,
        others.flatMap(({ country }) => country ?? []),
      ),
      timing: {},
      metadata: { [cardKey]: rate.id },
    }
    const before = known.data.find(
      ({ metadata, status }) => metadata[cardKey] === rate.id && status !== 'archived',
    )
    const card = before
      ? await ask<Card>('v1_update_rate_card', {
          path: { rate_card_id: before.id },
          body: { ...terms, status: 'active' },
        })
      : await ask<Card>('v1_create_rate_card', {
          body: { ...terms, fulfillment_type: 'shipping', currency: data.currency, status: 'active' },
        })
    options[card.id] = rate.id
  }
  return options
}

function zonesOf(country: string | null, apart: readonly string[]): { country: string }[] {
  if (country !== null) return [{ country }]
  if (apart.length === 0) return []
  return Object.keys(getAlpha2Codes()).flatMap((code) => (apart.includes(code) ? [] : [{ country: code }]))
}

/** Where shipping is free, it is a price of shipping here, and no discount: it adds to nothing and is used up by nobody. */
function standardRate(price: number, { freeShipping }: SuiteData): object {
  const hasFreeGoods = freeShipping.some(({ products }) => products.length > 0)
  const otherwise = hasFreeGoods
    ? { kind: 'tiered', basis: 'label', tiers: [{ label: freeLabel, amount: 0 }, { amount: price }] }
    : { kind: 'flat', amount: price }
  const thresholds = freeShipping.flatMap(({ minSubtotal }) => minSubtotal ?? [])
  return thresholds.length === 0
    ? otherwise
    : { kind: 'free_above', threshold_amount: Math.min(...thresholds), otherwise }
}

async function seedCodes(ask: Ask, data: SuiteData): Promise<void> {
  const known = await ask<List<Promotion>>('v1_list_promotions', { query: { ...page, status: 'active' } })
  for (const { code, kind, value, title } of data.codes) {
    const given = kind === 'percent' ? value * 100 : value
    const before = known.data.filter((one) => one.code === code)
    const isThere = before.some(({ arms: [arm] }) => arm?.kind === kind && arm.value === given)
    if (isThere) continue
    for (const { id } of before) await ask('v1_end_promotion', { path: { promotion_id: id } })
    const { id } = await ask<Promotion>('v1_create_promotion', {
      body: { name: title, code, currency: data.currency, arms: [{ kind, value: given, ttl_minutes: 60 }] },
    })
    await ask('v1_publish_promotion', { path: { promotion_id: id } })
  }
}

/** What the shop knows besides what every merchant has. */
export function suiteShop(names: SeededNames, data: SuiteData) {
  return {
    names,
    addresses: data.addresses.map((one) => ({
      id: one.id,
      email: one.email,
      address: {
        recipient_name: one.name,
        line1: one.street,
        line2: null,
        city: one.city,
        state: one.state,
        postal_code: one.postalCode,
        country: one.country,
      },
    })),
  }
}
