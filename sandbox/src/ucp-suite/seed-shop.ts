import { BadRequest } from '../fields.ts'
import type { AskAsMerchant } from './merchant.ts'
import type { SuiteData } from './suite-data.ts'

/** What the suite calls the things of a kind, and their ids in the shop. What neither knows stays as it is. */
type Names = { idOf(name: string): string; nameOf(id: string): string }

export type SuiteNames = { readonly variants: Names; readonly options: Names }

type List<One> = { readonly data: readonly One[] }
type Item = { id: string; handle: string | null; variants: { id: string }[] }
type Card = { id: string; status: string; metadata: Record<string, string> }
type Promotion = { id: string; status: string; code: string | null; arms: { kind: string; value: number }[] }

const page = 'limit=200'
/** Goods that are sent for nothing have this label. */
const freeLabel = 'free-shipping'
const cardKey = 'ucp_suite'

/** Makes a merchant the shop that the suite expects, by the operations of every merchant. What is there already is completed. */
export async function seedShop(ask: AskAsMerchant, slug: string, data: SuiteData): Promise<SuiteNames> {
  const { slug: before } = await ask<{ slug: string | null }>('GET', '/v1/merchant')
  // Its orders will confirm themselves, so it must not be somebody's shop.
  if (before !== null && before !== slug)
    throw new BadRequest(`The account of --key is the merchant ${before}. Use an account of the suite's own.`)
  const domain = `${slug}.example`
  const name = 'Flower shop of the UCP suite'
  const body = { slug, domain, name, currency: data.currency, tax_basis_points: 0 }
  await ask('POST', '/v1/merchant', { body })
  const variants = await seedItems(ask, domain, data)
  const options = await seedRateCards(ask, data)
  await seedCodes(ask, data)
  return { variants: namesOf(variants), options: namesOf(options) }
}

function namesOf(ids: readonly (readonly [name: string, id: string])[]): Names {
  const byName = new Map(ids)
  const byId = new Map(ids.map(([name, id]) => [id, name]))
  return { idOf: (name) => byName.get(name) ?? name, nameOf: (id) => byId.get(id) ?? id }
}

async function seedItems(ask: AskAsMerchant, domain: string, data: SuiteData): Promise<[string, string][]> {
  const known = await ask<List<Item>>('GET', `/v1/merchant/catalog_items?${page}`)
  const free = new Set(data.freeShipping.flatMap(({ products }) => products))
  const variants: [string, string][] = []
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
      ? await ask<Item>('POST', `/v1/merchant/catalog_items/${before.id}`, { body })
      : await ask<Item>('POST', '/v1/merchant/catalog_items', { body })
    await ask('POST', `/v1/merchant/catalog_items/${item.id}/publish`)
    variants.push([product.id, item.variants[0]?.id ?? ''])
  }
  return variants
}

function handleOf(id: string): string {
  return id.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

/** A country with a rate of its own for a level does not get the default one of that level. */
async function seedRateCards(ask: AskAsMerchant, data: SuiteData): Promise<[string, string][]> {
  const known = await ask<List<Card>>('GET', `/v1/rate_cards?${page}`)
  const options: [string, string][] = []
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
      ? await ask<Card>('POST', `/v1/rate_cards/${before.id}`, { body: { ...terms, status: 'active' } })
      : await ask<Card>('POST', '/v1/rate_cards', {
          body: { ...terms, fulfillment_type: 'shipping', currency: data.currency, status: 'active' },
        })
    options.push([rate.id, card.id])
  }
  return options
}

function zonesOf(country: string | null, apart: readonly string[]): { country: string }[] {
  if (country !== null) return [{ country }]
  if (apart.length === 0) return []
  return countries.filter((code) => !apart.includes(code)).map((country) => ({ country }))
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

async function seedCodes(ask: AskAsMerchant, data: SuiteData): Promise<void> {
  const known = await ask<List<Promotion>>('GET', `/v1/promotions?${page}&status=active`)
  for (const { code, kind, value, title } of data.codes) {
    const given = kind === 'percent' ? value * 100 : value
    const before = known.data.filter((one) => one.code === code)
    const isThere = before.some(({ arms: [arm] }) => arm?.kind === kind && arm.value === given)
    if (isThere) continue
    for (const { id } of before) await ask('POST', `/v1/promotions/${id}/end`)
    const { id } = await ask<Promotion>('POST', '/v1/promotions', {
      body: { name: title, code, currency: data.currency, arms: [{ kind, value: given, ttl_minutes: 60 }] },
    })
    await ask('POST', `/v1/promotions/${id}/publish`)
  }
}

/** ISO 3166-1, and Kosovo: all that a rate card may name. */
const countries = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
  BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
  EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
  HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
  LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
  NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
  TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/)
