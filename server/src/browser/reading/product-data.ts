import { decimalsOf } from './currency-marks.ts'
import { isNode, isType, listOf, type Node, nodesOf, productNodes, textOf } from './json-ld.ts'
import { type AmountHint, readAmount } from './money-text.ts'
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
export function productOfJsonLd({ jsonLd, url }: PageSnapshot, hint: AmountHint): ProductData | null {
  const nodes = productNodes(jsonLd)
  const own = nodes.filter((node) => isOfAddress(node, url))
  const list = own.length > 0 ? own : nodes
  const node =
    list.find((one) => nodesOf(one.hasVariant).length > 0) ??
    list.find((one) => nodesOf(one.offers).length > 0) ??
    list[0]
  return node === undefined ? null : readProduct(node, hint)
}

function isOfAddress(node: Node, url: string): boolean {
  const own = textOf(node.url) ?? textOf(node['@id'])
  if (own === null || !URL.canParse(own, url)) return false
  return new URL(own, url).pathname === new URL(url).pathname
}

function readProduct(node: Node, hint: AmountHint): ProductData {
  const offers = offersOf(node)
  const variants = variantsOf(node, offers, hint)
  return {
    title: textOf(node.name),
    sku: textOf(node.sku),
    price: samePrice(
      offers.map((offer) => priceOf(offer, hint)),
      variants,
    ),
    availability: availabilityOf(offers, variants),
    variants,
    isSubscription: offers.some(isRecurring),
    minimumQuantity: minimumOf(offers),
  }
}

/** Offers of an aggregate are offers of their own. What is used, or for some buyers alone, is not meant where something else is offered. */
function offersOf(node: Node): Node[] {
  const offers = nodesOf(node.offers).flatMap((offer) => {
    const inner = nodesOf(offer.offers)
    return inner.length > 0 ? inner : [offer]
  })
  const open = offers.filter(isForEverybody)
  const all = open.length > 0 ? open : offers
  const fresh = all.filter((offer) => !isUsed(offer))
  return fresh.length > 0 ? fresh : all
}

function isUsed(offer: Node): boolean {
  const condition = textOf(offer.itemCondition) ?? textOf(itemOf(offer).itemCondition) ?? ''
  return /(?:used|refurbished|damaged)(?:condition)?$/iu.test(condition)
}

function variantsOf(node: Node, offers: readonly Node[], hint: AmountHint): ProductVariant[] {
  const names = listOf(node.variesBy).flatMap((name) => textOf(name)?.split('/').at(-1) ?? [])
  const variants = nodesOf(node.hasVariant).map((variant) => readVariant(variant, names, hint))
  if (variants.length > 0) return variants
  if (offers.length < 2) return []
  const made = offers.map((offer) => readVariant({ ...itemOf(offer), offers: [offer] }, names, hint))
  // Nobody can name a variant without a name: these are other sellers, or other conditions.
  return made.every(
    ({ sku, title, id, options }) => sku === null && title === null && id === null && options.length === 0,
  )
    ? []
    : made
}

function itemOf(offer: Node): Node {
  const [item] = nodesOf(offer.itemOffered)
  return { sku: offer.sku, name: offer.name, url: offer.url, ...item }
}

const optionNames = ['color', 'size', 'material', 'pattern', 'model']

function readVariant(node: Node, names: readonly string[], hint: AmountHint): ProductVariant {
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
      offers.map((one) => priceOf(one, hint)),
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

function priceOf(offer: Node, hint: AmountHint): Price | null {
  const specs = nodesOf(offer.priceSpecification)
  const gone = specs.filter(isEarlier).map(({ price }) => textOf(price))
  const open = specs.filter((spec) => !isEarlier(spec) && isForGuests(spec))
  const spec = open.find(({ priceType }) => isPriceType(priceType, 'SalePrice')) ?? open[0]
  const isSale = spec !== undefined && isPriceType(spec.priceType, 'SalePrice')
  const own = isTaxed(offer) && !gone.includes(textOf(offer.price)) ? textOf(offer.price) : null
  const [low, high] = [textOf(offer.lowPrice), textOf(offer.highPrice)]
  const said = isSale ? textOf(spec.price) : (own ?? textOf(spec?.price))
  const text = said ?? (low === high ? low : null)
  const currency = textOf(offer.priceCurrency) ?? textOf(spec?.priceCurrency)
  return text === null ? null : readPrice(text, currency, hint)
}

/** What it cost, or what somebody recommends. */
function isEarlier({ priceType }: Node): boolean {
  const names = [
    'StrikethroughPrice',
    'ListPrice',
    'RegularPrice',
    'MSRP',
    'SRP',
    'InvoicePrice',
    'MinimumAdvertisedPrice',
  ]
  return isPriceType(priceType, ...names)
}

function isPriceType(value: unknown, ...names: string[]): boolean {
  const name = textOf(value)?.replace(/^.*[/:]/u, '')
  return name !== undefined && names.some((one) => one.toLowerCase() === name.toLowerCase())
}

/** One unit, once, with its tax, for whom nothing else is known: no member, no trader, no measure, no delivery, no part of a price. */
function isForGuests(spec: Node): boolean {
  const isOfMeasure = isType(spec, 'UnitPriceSpecification') && isNode(spec.referenceQuantity)
  const isCharge = isType(spec, 'DeliveryChargeSpecification', 'PaymentChargeSpecification')
  return (
    !isOfMeasure &&
    !isCharge &&
    !isRecurring({ priceSpecification: spec }) &&
    isTaxed(spec) &&
    isForEverybody(spec)
  )
}

function isTaxed({ valueAddedTaxIncluded }: Node): boolean {
  return !/^false$/iu.test(String(valueAddedTaxIncluded ?? ''))
}

function isForEverybody(node: Node): boolean {
  const isMany = nodesOf(node.eligibleQuantity).some(({ minValue }) => Number(textOf(minValue) ?? 1) > 1)
  const isTrade = /business|reseller/iu.test(textOf(node.eligibleCustomerType) ?? '')
  return node.validForMemberTier === undefined && !isMany && !isTrade
}

/** Structured prices have a point and no groups; where a shop writes them as its page does, they are read as on its page. 0 is none. */
function readPrice(text: string, currency: string | null, hint: AmountHint): Price | null {
  const said = currency?.trim() ?? ''
  const code = /^[a-zA-Z]{3}$/u.test(said) ? said.toUpperCase() : null
  const isPlain = code !== null && /^\d+(?:\.\d+)?$/u.test(text.trim())
  const amount = isPlain ? readPlain(text.trim(), decimalsOf(code)) : null
  const price = isPlain
    ? amount === null
      ? null
      : { amount, currency: code }
    : readWritten(text, { said, code, hint })
  return price !== null && price.amount > 0n ? price : null
}

function readPlain(text: string, decimals: number): bigint | null {
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d{1,20}))?$/u.exec(text) ?? []
  if (whole === '') return null
  const amount = BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
  if (/^0*$/u.test(fraction.slice(decimals))) return amount
  // Floats of 32 and 64 bits: `19.989999771118164`.
  const rounded = Number(text).toFixed(decimals)
  const isFloat =
    Math.fround(Number(rounded)) === Number(text) || Math.abs(Number(rounded) - Number(text)) < 1e-9
  return fraction.length > decimals + 4 && isFloat ? BigInt(rounded.replace('.', '')) : null
}

/** With the currency's sign in the place of its code, or in the price itself. */
function readWritten(
  text: string,
  { said, code, hint }: { said: string; code: string | null; hint: AmountHint },
): Price | null {
  if (code === null && said !== '' && readAmount(`${said} 1`, hint) === null) return null
  const hasMark = said === '' || code !== null
  if (said === '' && /^[\d.,\s]+$/u.test(text) && hint.currency === null && hint.local == null) return null
  const currency = code ?? hint.currency ?? (said === '' ? (hint.local ?? null) : null)
  const read = readAmount(hasMark ? text : `${said} ${text}`, { ...hint, currency })
  return read?.currency ? { amount: read.amount, currency: read.currency } : null
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
export function productOfMicrodata({ microdata }: PageSnapshot, hint: AmountHint): ProductData | null {
  const item = microdata.find(({ type }) => /schema\.org\/(?:Individual)?Product(?:Group)?$/u.test(type))
  if (item === undefined) return null
  const all = (name: string) => item.properties.filter((one) => one.name === name).map(({ value }) => value)
  const get = (name: string) => textOf(all(name)[0])
  const amounts = [...all('offers.price'), ...all('offers.offers.price')]
  const currency = get('offers.priceCurrency') ?? get('offers.offers.priceCurrency')
  const prices = amounts.map((amount) => readPrice(amount, currency, hint))
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
export function productOfMeta({ meta }: PageSnapshot, hint: AmountHint): ProductData {
  const get = (...names: string[]) =>
    textOf(
      names.flatMap((name) =>
        meta.filter((one) => one.name.toLowerCase() === name).map(({ content }) => content),
      ),
    )
  const amount = get('product:sale_price:amount') ?? get('product:price:amount', 'og:price:amount')
  const currency = get('product:sale_price:currency', 'product:price:currency', 'og:price:currency')
  return {
    title: get('og:title', 'twitter:title'),
    sku: get('product:retailer_item_id', 'product:sku'),
    price: amount === null ? null : readPrice(amount, currency, hint),
    availability: readAvailability(get('product:availability', 'og:availability')),
    variants: [],
    isSubscription: false,
    minimumQuantity: null,
  }
}

/** The one currency that the data of a page names by its code; null for none, and for several. */
export function currencyOfData({ jsonLd, meta, microdata }: PageSnapshot): string | null {
  const texts = [
    ...jsonLd.flatMap((text) =>
      [...text.matchAll(/"priceCurrency"\s*:\s*"([A-Za-z]{3})"/gu)].map(([, code = '']) => code),
    ),
    ...meta.filter(({ name }) => /price:currency$/iu.test(name)).map(({ content }) => content),
    ...microdata.flatMap(({ properties }) =>
      properties.filter(({ name }) => name.endsWith('priceCurrency')).map(({ value }) => value),
    ),
  ]
  const codes = new Set(
    texts.map((text) => text.trim().toUpperCase()).filter((text) => /^[A-Z]{3}$/u.test(text)),
  )
  const [only] = codes
  return codes.size === 1 && only !== undefined ? only : null
}
