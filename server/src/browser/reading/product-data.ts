import { decimalsOf } from './currency-marks.ts'
import { isNode, isType, listOf, type Node, nodesOf, productNodes, textOf } from './json-ld.ts'
import { readAmount } from './money-text.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import type { Availability, Price, ProductVariant } from './product.ts'

/** What structured data says of a product: null where it does not. */
export type ProductData = {
  readonly title: string | null
  readonly sku: string | null
  readonly price: Price | null
  readonly availability: Availability | null
  readonly variants: readonly ProductVariant[]
  readonly isSubscription: boolean
  readonly minimumQuantity: number | null
}

/** The product of the page in JSON-LD: the one of its own address, else the first with a price. */
export function productOfJsonLd({ jsonLd, url, language }: PageSnapshot): ProductData | null {
  const nodes = productNodes(jsonLd)
  const own = nodes.filter((node) => isOfAddress(node, url))
  const list = own.length > 0 ? own : nodes
  const node =
    list.find((one) => nodesOf(one.hasVariant).length > 0) ??
    list.find((one) => nodesOf(one.offers).length > 0) ??
    list[0]
  return node === undefined ? null : readProduct(node, language)
}

function isOfAddress(node: Node, url: string): boolean {
  const own = textOf(node.url) ?? textOf(node['@id'])
  if (own === null || !URL.canParse(own, url)) return false
  return new URL(own, url).pathname === new URL(url).pathname
}

function readProduct(node: Node, language: string): ProductData {
  const offers = offersOf(node)
  const variants = variantsOf(node, offers, language)
  return {
    title: textOf(node.name),
    sku: textOf(node.sku),
    price: samePrice(
      offers.map((offer) => priceOf(offer, language)),
      variants,
    ),
    availability: availabilityOf(offers, variants),
    variants,
    isSubscription: offers.some(isRecurring),
    minimumQuantity: minimumOf(offers),
  }
}

/** Offers of an aggregate are offers of their own. */
function offersOf(node: Node): Node[] {
  return nodesOf(node.offers).flatMap((offer) => {
    const inner = nodesOf(offer.offers)
    return inner.length > 0 ? inner : [offer]
  })
}

function variantsOf(node: Node, offers: readonly Node[], language: string): ProductVariant[] {
  const names = listOf(node.variesBy).flatMap((name) => textOf(name)?.split('/').at(-1) ?? [])
  const variants = nodesOf(node.hasVariant).map((variant) => readVariant(variant, names, language))
  if (variants.length > 0) return variants
  if (offers.length < 2) return []
  return offers.map((offer) => readVariant({ ...itemOf(offer), offers: [offer] }, names, language))
}

function itemOf(offer: Node): Node {
  const [item] = nodesOf(offer.itemOffered)
  return { sku: offer.sku, name: offer.name, url: offer.url, ...item }
}

const optionNames = ['color', 'size', 'material', 'pattern', 'model']

function readVariant(node: Node, names: readonly string[], language: string): ProductVariant {
  const offers = offersOf(node)
  const [offer] = offers
  const url = textOf(node.url) ?? textOf(offer?.url)
  const own = [...new Set([...names, ...optionNames])].flatMap((name) => {
    const value = textOf(node[name]) ?? nameOf(node[name])
    return value === null ? [] : [{ name, value }]
  })
  const additional = nodesOf(node.additionalProperty).flatMap((property) => {
    const [name, value] = [textOf(property.name), textOf(property.value)]
    return name === null || value === null ? [] : [{ name, value }]
  })
  return {
    id: textOf(node.productID) ?? variantInAddress(url),
    sku: textOf(node.sku) ?? textOf(offer?.sku),
    title: textOf(node.name),
    options: [...own, ...additional.filter(({ name }) => !own.some((one) => one.name === name))],
    price: samePrice(
      offers.map((one) => priceOf(one, language)),
      [],
    ),
    availability: availabilityOf(offers, []),
  }
}

function nameOf(value: unknown): string | null {
  return isNode(value) ? textOf(value.name) : null
}

function variantInAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url, 'https://shop.invalid')) return null
  return new URL(url, 'https://shop.invalid').searchParams.get('variant')
}

/** One price for all offers, else none. */
function samePrice(prices: readonly (Price | null)[], variants: readonly ProductVariant[]): Price | null {
  const all = prices.length > 0 ? prices : variants.map(({ price }) => price)
  const [first] = all
  if (first === undefined || first === null) return null
  return all.every((one) => one?.amount === first.amount && one.currency === first.currency) ? first : null
}

function priceOf(offer: Node, language: string): Price | null {
  const parts = nodesOf(offer.priceSpecification)
  const spec =
    parts.find((part) => !isType(part, 'UnitPriceSpecification') || !isNode(part.referenceQuantity)) ??
    parts[0]
  const [low, high] = [textOf(offer.lowPrice), textOf(offer.highPrice)]
  const text = textOf(offer.price) ?? textOf(spec?.price) ?? (low === high ? low : null)
  const currency = textOf(offer.priceCurrency) ?? textOf(spec?.priceCurrency)
  return text === null ? null : readPrice(text, currency, language)
}

/** Structured prices have a point and no groups; where a shop writes them as its page does, they are read as on its page. */
function readPrice(text: string, currency: string | null, language: string): Price | null {
  const code = currency?.trim().toUpperCase() ?? null
  if (code !== null && !/^[A-Z]{3}$/u.test(code)) return null
  const plain = /^(\d{1,12})(?:\.(\d{1,8}))?$/u.exec(text.trim())
  if (plain === null || code === null) {
    const read = readAmount(text, { currency: code, language })
    return read?.currency ? { amount: read.amount, currency: read.currency } : null
  }
  const decimals = decimalsOf(code)
  const fraction = plain[2] ?? ''
  if (!/^0*$/u.test(fraction.slice(decimals))) return null
  return { amount: BigInt(`${plain[1]}${fraction.slice(0, decimals).padEnd(decimals, '0')}`), currency: code }
}

function availabilityOf(offers: readonly Node[], variants: readonly ProductVariant[]): Availability | null {
  const all =
    variants.length > 0
      ? variants.map(({ availability }) => availability)
      : offers.map((offer) => readAvailability(textOf(offer.availability)))
  return (['in', 'limited', 'out'] as const).find((one) => all.includes(one)) ?? null
}

function readAvailability(text: string | null): Availability | null {
  const word =
    text
      ?.toLowerCase()
      .replace(/^.*[/:]/u, '')
      .replace(/[\s_-]/gu, '') ?? ''
  if (
    /^(?:instock|onlineonly|preorder|presale|backorder|madetoorder|available|availablefororder)$/u.test(word)
  )
    return 'in'
  if (word === 'limitedavailability') return 'limited'
  return /^(?:outofstock|soldout|discontinued|instoreonly|oos|reserved|pending)$/u.test(word) ? 'out' : null
}

function isRecurring(offer: Node): boolean {
  const parts = [offer, ...nodesOf(offer.priceSpecification)]
  return parts.some(
    (part) =>
      part.billingDuration !== undefined ||
      part.billingIncrement !== undefined ||
      nodesOf(part.referenceQuantity).some(({ unitCode }) => unitCode === 'MON' || unitCode === 'ANN'),
  )
}

function minimumOf(offers: readonly Node[]): number | null {
  const values = offers.flatMap((offer) =>
    nodesOf(offer.eligibleQuantity).flatMap(({ minValue }) => textOf(minValue) ?? []),
  )
  const numbers = values.filter((text) => /^\d{1,4}$/u.test(text)).map(Number)
  return numbers.length === 0 ? null : Math.max(...numbers)
}

/** Microdata, whose properties are named `offers.price`. */
export function productOfMicrodata({ microdata, language }: PageSnapshot): ProductData | null {
  const item = microdata.find(({ type }) => /schema\.org\/(?:Individual)?Product(?:Group)?$/u.test(type))
  if (item === undefined) return null
  const all = (name: string) => item.properties.filter((one) => one.name === name).map(({ value }) => value)
  const get = (name: string) => textOf(all(name)[0])
  const amounts = [...all('offers.price'), ...all('offers.offers.price')]
  const currency = get('offers.priceCurrency') ?? get('offers.offers.priceCurrency')
  const prices = amounts.map((amount) => readPrice(amount, currency, language))
  return {
    title: get('name'),
    sku: get('sku') ?? get('offers.sku'),
    price: samePrice(prices, []),
    availability: readAvailability(get('offers.availability')),
    variants: [],
    isSubscription: false,
    minimumQuantity: null,
  }
}

/** Open Graph, and what shops add to it. */
export function productOfMeta({ meta, language }: PageSnapshot): ProductData {
  const get = (...names: string[]) =>
    textOf(
      names.flatMap((name) =>
        meta.filter((one) => one.name.toLowerCase() === name).map(({ content }) => content),
      ),
    )
  const amount = get('product:price:amount', 'og:price:amount', 'product:sale_price:amount')
  const currency = get('product:price:currency', 'og:price:currency')
  return {
    title: get('og:title', 'twitter:title'),
    sku: get('product:retailer_item_id', 'product:sku'),
    price: amount === null ? null : readPrice(amount, currency, language),
    availability: readAvailability(get('product:availability', 'og:availability')),
    variants: [],
    isSubscription: false,
    minimumQuantity: null,
  }
}
