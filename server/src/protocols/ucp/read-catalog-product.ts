import { matchesFormat } from '../../schema/formats.ts'
import { isObject } from '../../schema/schema-node.ts'
import { plainDescription, plainLine } from './plain-text.ts'

type Price = { readonly amount: number; readonly currency: string }

const statuses = ['in_stock', 'backorder', 'preorder', 'out_of_stock', 'discontinued'] as const

/** A variant of a product in a catalog of others. Its id is what a checkout there takes. */
type ReadVariant = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly sku: string | null
  readonly barcodes: readonly { readonly type: string; readonly value: string }[]
  readonly price: Price
  readonly availability: { readonly available: boolean; readonly status: (typeof statuses)[number] }
  readonly options: readonly { readonly name: string; readonly label: string }[]
}

/** A product in a catalog of others, checked: plain text, https addresses, prices in money that exists. */
export type ReadProduct = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly handle: string | null
  readonly url: string | null
  readonly categories: readonly string[]
  readonly media: readonly {
    readonly type: 'image' | 'video'
    readonly url: string
    readonly alt_text: string | null
  }[]
  readonly options: readonly { readonly name: string; readonly values: readonly string[] }[]
  readonly variants: readonly ReadVariant[]
  /** What the catalog calls who sells it. */
  readonly sellerName: string | null
}

/** How much of one product is read. */
const most = {
  /** In bytes. An id that is written into ours stays within what requests take. */
  id: 180,
  title: 255,
  description: 4_000,
  word: 255,
  url: 2_048,
  categories: 10,
  media: 10,
  options: 10,
  values: 50,
  barcodes: 5,
}

type Reading = {
  readonly product: ReadProduct
  /** Whether variants were left out, because they cannot be read or are too many. */
  readonly isCut: boolean
}

/** Null: it is no product that can be shown. */
export function readCatalogProduct(value: unknown, { variantsMax }: { variantsMax: number }): Reading | null {
  if (!isObject(value)) return null
  const id = readId(value.id)
  const title = readLine(value.title, most.title)
  if (id === null || title === null || !isObject(value.description)) return null
  const offered = listOf(value.variants)
  const variants = offered.slice(0, variantsMax).flatMap((one) => readVariant(one) ?? [])
  if (variants.length === 0) return null
  const first = offered.find(isObject)
  const product = {
    id,
    title,
    description: plainDescription(value.description, most.description),
    handle: readLine(value.handle, most.word),
    url: readUrl(value.url) ?? readUrl(first?.url),
    categories: listOf(value.categories)
      .slice(0, most.categories)
      .flatMap((one) => (isObject(one) ? (readLine(one.value, most.word) ?? []) : [])),
    media: listOf(value.media)
      .slice(0, most.media)
      .flatMap((one) => readMedia(one) ?? []),
    options: listOf(value.options)
      .slice(0, most.options)
      .flatMap((one) => readOption(one) ?? []),
    variants,
    sellerName: isObject(first?.seller) ? readLine(first.seller.name, most.word) : null,
  }
  return { product, isCut: variants.length < offered.length }
}

function readVariant(value: unknown): ReadVariant | null {
  if (!isObject(value)) return null
  const id = readId(value.id)
  const title = readLine(value.title, most.title)
  const price = readPrice(value.price)
  if (id === null || title === null || price === null || !isObject(value.description)) return null
  return {
    id,
    title,
    description: plainDescription(value.description, most.description),
    sku: readLine(value.sku, most.word),
    barcodes: listOf(value.barcodes)
      .slice(0, most.barcodes)
      .flatMap((one) => {
        const type = isObject(one) ? readLine(one.type, 40) : null
        const code = isObject(one) ? readLine(one.value, most.word) : null
        return type === null || code === null ? [] : [{ type: type.toLowerCase(), value: code }]
      }),
    price,
    availability: readAvailability(value.availability),
    options: listOf(value.options)
      .slice(0, most.options)
      .flatMap((one) => {
        const name = isObject(one) ? readLine(one.name, most.word) : null
        const label = isObject(one) ? readLine(one.label, most.word) : null
        return name === null || label === null ? [] : [{ name, label }]
      }),
  }
}

/** The most that an amount of ours can be, in minor units. */
const amountMax = 1_000_000_000_000

function readPrice(value: unknown): Price | null {
  if (!isObject(value)) return null
  const { amount, currency } = value
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0 || amount > amountMax)
    return null
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency) || !matchesFormat('currency', currency))
    return null
  return { amount, currency }
}

/** A catalog that says nothing of it offers what it shows. */
function readAvailability(value: unknown): ReadVariant['availability'] {
  const said = isObject(value) ? value : {}
  const named = statuses.find((status) => status === said.status)
  const isGone = named === 'out_of_stock' || named === 'discontinued'
  const available = typeof said.available === 'boolean' ? said.available : !isGone
  return { available, status: named ?? (available ? 'in_stock' : 'out_of_stock') }
}

function readMedia(value: unknown): ReadProduct['media'][number] | null {
  if (!isObject(value)) return null
  const type = (['image', 'video'] as const).find((known) => known === value.type)
  const url = readUrl(value.url)
  if (type === undefined || url === null) return null
  return { type, url, alt_text: readLine(value.alt_text, most.word) }
}

function readOption(value: unknown): ReadProduct['options'][number] | null {
  const name = isObject(value) ? readLine(value.name, most.word) : null
  if (!isObject(value) || name === null) return null
  const values = listOf(value.values)
    .slice(0, most.values)
    .flatMap((one) => (isObject(one) ? (readLine(one.label, most.word) ?? []) : []))
  return values.length === 0 ? null : { name, values }
}

/** Kept as it is, since it is sent back. */
function readId(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || !value.isWellFormed()) return null
  return Buffer.byteLength(value) <= most.id ? value : null
}

function readLine(value: unknown, lengthMax: number): string | null {
  if (typeof value !== 'string') return null
  return plainLine(value, lengthMax) || null
}

/** Only what a browser opens as a page of the web. */
function readUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > most.url) return null
  const url = URL.parse(value)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  return url.href.length > most.url ? null : url.href
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
