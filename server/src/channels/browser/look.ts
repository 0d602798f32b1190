import type {
  Looked,
  LookerDeclaration,
  LookItem,
  LookProblem,
  LookRequest,
  ShopLooker,
  Sight,
} from '../../domain/buying/looks/port.ts'
import type { BrowserPort } from './browser-port.ts'
import { chosenAtPage, pageVariantId } from './page-variant-id.ts'
import type { OfferRefusalCode, ShopProduct } from './shopping-words.ts'

/** `browser` null: this installation has none. */
type LookerParts = { readonly browser?: BrowserPort | null }

/** The pages of products, read by a browser in a process of its own. */
export const browserLooks = {
  name: 'browser',
  // As with what is bought there.
  modes: ['test'],
  open: ({ browser }) => (browser ? createBrowserLooker(browser) : null),
} as const satisfies LookerDeclaration<LookerParts>

type SeenItem = Sight['items'][number]
type SeenProduct = NonNullable<SeenItem['product']>

/**
 * Reads the pages of the items. What delivery and tax cost stands behind the forms for a name and an address, which nobody fills in before
 * a purchase is allowed; so it is not known.
 */
function createBrowserLooker(browser: BrowserPort): ShopLooker {
  return async (request, call) => {
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(call.timeoutMs)])
    const items: SeenItem[] = []
    // One page after the other: a browser has places for few.
    for (const item of request.items) {
      const seen = await lookAtPage(
        browser,
        { request, item },
        { mode: call.mode, share: call.share, signal },
      )
      if ('kind' in seen) return seen
      items.push(seen)
    }
    const currencies = new Set(
      items.flatMap(({ product }) => product?.variants.map(({ price }) => price.currency) ?? []),
    )
    const [currency] = currencies
    return {
      kind: 'seen',
      sight: {
        items,
        currency: currencies.size === 1 && currency !== undefined ? currency : null,
        money: null,
        deliveries: [],
        isPayable: true,
      },
    }
  }
}

async function lookAtPage(
  browser: BrowserPort,
  { request, item }: { request: LookRequest; item: LookItem },
  call: Parameters<BrowserPort['product']>[1],
): Promise<SeenItem | Exclude<Looked, { kind: 'seen' }>> {
  const { site } = request
  const merchantDomain = new URL(site).hostname
  const said = await browser.product(
    { url: item.url, site, merchantDomain, moreHosts: [], currency: request.currency },
    call,
  )
  switch (said.kind) {
    case 'product': {
      const product = productOf(said.product, item.url)
      const chosen = product === null ? null : chosenOf(product, item, request)
      if (chosen !== null && chosen.problem !== 'product_not_found') return { product, ...chosen }
      // What the page sells without a price that is sure is not missing there.
      return isUnclear(said.product, item)
        ? { product, ...none, problem: null, unclear: { title: said.product.title.slice(0, 255) } }
        : { product, ...none, problem: 'product_not_found' }
    }
    case 'refused':
      return { product: null, ...none, problem: problemOf(said.code) }
    case 'no_room':
    case 'not_sent':
      return { kind: 'no_room' }
    case 'lost':
      // Its browser has ended, where it is not the time for the look that has.
      return { kind: call.signal.aborted ? 'unavailable' : 'no_room' }
    case 'unavailable':
      return said
    default:
      return said satisfies never
  }
}

const none = { variantId: null, unitAmount: null }

/** What is wanted may be among what has no price that is sure, or among choices whose prices the page does not tell. */
function isUnclear({ variants, options }: ShopProduct, item: LookItem): boolean {
  const wanted = chosenAtPage(item.variant)
  const open = variants.filter(({ unitAmount }) => unitAmount === null)
  return (
    (variants.length === 0 && options.length > 0) ||
    open.some(({ sku, selections }) =>
      fits({ sku, options: selections.map(({ name, value }) => ({ name, label: value })) }, wanted),
    )
  )
}

/** Null: nothing of it has a price. */
function productOf(read: ShopProduct, url: string): SeenProduct | null {
  const { title, description, images, options } = read
  const variants = read.variants.slice(0, variantsMax).flatMap((variant) => variantOf(read, variant) ?? [])
  if (variants.length === 0) return null
  return {
    id: url,
    title: title.slice(0, 255),
    description: description.slice(0, 4_000),
    handle: null,
    url,
    categories: [],
    media: images
      .filter((image) => URL.parse(image)?.protocol === 'https:')
      .slice(0, 10)
      .map((image) => ({ type: 'image', url: image, alt_text: null })),
    options: options.map(({ name, values }) => ({ name, values: [...values] })),
    variants,
    sellerName: null,
  }
}

const variantsMax = 100

/** The most that an amount of ours can be, in minor units. */
const amountMax = 1_000_000_000_000n

function variantOf(
  { title, currency }: ShopProduct,
  { sku, selections, unitAmount, isAvailable }: ShopProduct['variants'][number],
): SeenProduct['variants'][number] | null {
  const id = pageVariantId({ sku, selections })
  if (id === null || unitAmount === null || currency === null || !/^[A-Z]{3}$/.test(currency)) return null
  if (unitAmount < 0n || unitAmount > amountMax) return null
  const words = selections.map(({ value }) => value).join(', ')
  return {
    id,
    title: (words || title).slice(0, 255),
    description: selections.map(({ name, value }) => `${name}: ${value}`).join(', '),
    sku,
    barcodes: [],
    price: { amount: Number(unitAmount), currency },
    availability: { available: isAvailable, status: isAvailable ? 'in_stock' : 'out_of_stock' },
    options: selections.map(({ name, value }) => ({ name, label: value })),
  }
}

/** Which of the variants is meant, and why it cannot be bought. */
function chosenOf(
  { variants }: SeenProduct,
  item: LookItem,
  { aim, currency }: LookRequest,
): Omit<SeenItem, 'product'> {
  const wanted = chosenAtPage(item.variant)
  const fitting = variants.filter((variant) => fits(variant, wanted))
  const [only, ...others] = fitting
  if (aim === 'product' && (!only || others.length > 0)) return { ...none, problem: null }
  if (!only) return { ...none, problem: 'product_not_found' }
  if (others.length > 0) return { ...none, problem: 'variant_required' }
  const seen = { variantId: only.id, unitAmount: only.price.amount }
  if (!only.availability.available) return { ...seen, problem: 'product_out_of_stock' }
  const isOther = currency !== null && only.price.currency !== currency
  return { ...seen, problem: isOther ? 'unsupported_currency' : null }
}

function fits(
  { sku, options }: Pick<SeenProduct['variants'][number], 'sku' | 'options'>,
  wanted: LookItem['variant'],
): boolean {
  if (wanted?.selections !== undefined)
    return wanted.selections.every(({ name, value }) =>
      options.some((option) => isSameWord(option.name, name) && isSameWord(option.label, value)),
    )
  return wanted?.sku === undefined || wanted.sku === sku
}

function isSameWord(left: string, right: string): boolean {
  return left.trim().toLowerCase() === right.trim().toLowerCase()
}

function problemOf(code: OfferRefusalCode): LookProblem {
  switch (code) {
    case 'price_changed':
    case 'merchant_changed':
    case 'merchant_unavailable':
      return 'merchant_unsupported'
    default:
      return code
  }
}
