import type { ChannelItem, OfferRefusalCode } from '../../domain/buying/channels/port.ts'
import type { Call } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { EgressFault } from '../../platform/egress/fault.ts'
import {
  type CatalogEndpoint,
  type CatalogQuestion,
  catalogReleases,
  catalogRequest,
} from '../../protocols/ucp/ask-catalog.ts'
import { readCatalogAnswer } from '../../protocols/ucp/read-catalog-answer.ts'
import { type ReadProduct, readCatalogProduct } from '../../protocols/ucp/read-catalog-product.ts'
import { type MessageSigner, signMessage } from '../../protocols/ucp/sign-message.ts'
import type { Business } from './businesses.ts'

/** The id by which a checkout takes an item. */
type FoundItem =
  | { readonly kind: 'found'; readonly id: string }
  | { readonly kind: 'refused'; readonly code: OfferRefusalCode; readonly message: string | null }
  | { readonly kind: 'elsewhere'; readonly why: string }
  | { readonly kind: 'unavailable' }

type Means = {
  readonly egress: Egress
  readonly publicUrl: string
  readonly signer: () => Promise<MessageSigner>
  readonly newRequestId: () => string
}

const lookup = 'dev.ucp.shopping.catalog.lookup'
const bytesMax = 1_048_576
const variantsMax = 250

/** An item that names a variant by its id is taken as it is: the id is what a search there has shown. */
export async function findItem(
  means: Means,
  business: Business,
  item: ChannelItem,
  remaining: () => Call,
): Promise<FoundItem> {
  if (item.variant?.id !== undefined) return { kind: 'found', id: item.variant.id }
  const found = await readProduct(means, business, item.url, remaining)
  return found.kind === 'product' ? chosenOf(found.product, item) : found
}

/** What is sold at an address, with all its variants. */
export async function readProduct(
  means: Means,
  business: Business,
  url: string,
  remaining: () => Call,
): Promise<
  { readonly kind: 'product'; readonly product: ReadProduct } | Exclude<FoundItem, { kind: 'found' }>
> {
  const version = catalogReleases.find((one) => one === business.endpoint.release)
  if (version === undefined || !business.capabilities.has(lookup))
    return { kind: 'elsewhere', why: 'The shop does not say over UCP what is sold at an address.' }
  const at = { ...business.endpoint, version }
  const found = await ask(means, at, { kind: 'lookup', body: { ids: [url] } }, remaining())
  if (found.kind !== 'payload') return found
  const product = productAt(listOf(found.payload.products), url)
  if (product === null) return notFound
  if (product.options.length === 0 && product.variants.length === 1) return { kind: 'product', product }
  // A lookup shows one variant of it, as a shop would in its window.
  const whole = await ask(means, at, { kind: 'product', body: { id: product.id } }, remaining())
  if (whole.kind !== 'payload') return whole
  return {
    kind: 'product',
    product: readCatalogProduct(whole.payload.product, { variantsMax })?.product ?? product,
  }
}

async function ask(
  { egress, publicUrl, newRequestId, signer }: Means,
  at: CatalogEndpoint,
  question: CatalogQuestion,
  call: Call,
): Promise<
  | { readonly kind: 'payload'; readonly payload: Readonly<Record<string, unknown>> }
  | Extract<FoundItem, { kind: 'refused' | 'unavailable' }>
> {
  const request = catalogRequest(at, question, { publicUrl, requestId: newRequestId() })
  const message = { kind: 'request', method: 'POST', ...request, body: Buffer.from(request.body) } as const
  const signature = signMessage(message, await signer(), { now: new Date() })
  try {
    const { status, headers, body } = await egress.request({
      url: request.url,
      method: 'POST',
      headers: { ...request.headers, ...signature },
      body: request.body,
      mode: call.mode,
      timeoutMs: call.timeoutMs,
      maxResponseBytes: bytesMax,
    })
    const contentType = String(headers['content-type'] ?? '')
    const answer = readCatalogAnswer(at.transport, { status, contentType, body })
    if ('payload' in answer) return { kind: 'payload', payload: answer.payload }
    return answer.fault === 'refused' ? notFound : { kind: 'unavailable' }
  } catch (error) {
    if (error instanceof EgressFault) return { kind: 'unavailable' }
    throw error
  }
}

const notFound = { kind: 'refused', code: 'product_not_found', message: null } as const

function productAt(offered: readonly unknown[], page: string): ReadProduct | null {
  const products = offered.flatMap((one) => readCatalogProduct(one, { variantsMax })?.product ?? [])
  const there = products.find(({ url }) => url !== null && isSamePage(url, page))
  return there ?? (products.length === 1 ? (products[0] ?? null) : null)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 10) : []
}

/** The variant that was asked for. */
export function chosenOf(product: ReadProduct, item: Pick<ChannelItem, 'variant'>): FoundItem {
  const fitting = product.variants.filter((variant) => fits(variant, item.variant))
  if (fitting.length === 0) return notFound
  const [only, ...others] = fitting
  if (!only || others.length > 0)
    return { kind: 'refused', code: 'variant_required', message: choicesOf(product) }
  return only.availability.available
    ? { kind: 'found', id: only.id }
    : { kind: 'refused', code: 'product_out_of_stock', message: null }
}

type Variant = ReadProduct['variants'][number]

function fits(variant: Variant, wanted: ChannelItem['variant']): boolean {
  if (wanted?.id !== undefined) return variant.id === wanted.id
  if (wanted?.sku !== undefined) return variant.sku === wanted.sku
  return (wanted?.selections ?? []).every(({ name, value }) =>
    variant.options.some((option) => isSameWord(option.name, name) && isSameWord(option.label, value)),
  )
}

function choicesOf({ options }: ReadProduct): string | null {
  // As pages are quoted.
  const named = options.map(({ name, values }) => `${name} (${values.join(', ')})`)
  return named.length === 0 ? null : `Choose ${named.join(' and ')}.`.slice(0, 255)
}

function isSameWord(left: string, right: string): boolean {
  return left.trim().toLowerCase() === right.trim().toLowerCase()
}

function isSamePage(left: string, right: string): boolean {
  const [a, b] = [URL.parse(left), URL.parse(right)]
  if (a === null || b === null) return false
  const path = (url: URL) => url.pathname.replace(/\/+$/, '')
  return a.host === b.host && path(a) === path(b)
}
