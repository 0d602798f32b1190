import type { ShopLook, ShopProduct, ShopProductAnswer } from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import { kindOf } from '../reading/page-kind.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import type { Product } from '../reading/product.ts'
import { productOf } from '../reading/product-of.ts'
import { type VariantGroup, variantGroups } from '../reading/variant-groups.ts'
import { isBug } from './price-task.ts'
import { openTab, ShopUnavailable, VisitEnded } from './tab.ts'
import type { Visit } from './visit.ts'

/** Reads the page of a product, and presses nothing there. */
export async function runLookTask(visit: Visit, { url, currency }: ShopLook): Promise<ShopProductAnswer> {
  try {
    const tab = await openTab(visit)
    const status = await tab.open(url)
    if (status === 404 || status === 410) return refused('product_not_found')
    if (status >= 500) return { kind: 'unavailable', why: `the page of the product answered ${status}` }
    return answerOf(await tab.read(), currency)
  } catch (error) {
    if (isBug(error)) throw error
    if (error instanceof VisitEnded) return { kind: 'unavailable', why: 'the visit was ended' }
    if (visit.refusals().some((one) => one.startsWith('navigation'))) return refused('merchant_unsupported')
    if (error instanceof ShopUnavailable) return { kind: 'unavailable', why: error.message }
    return { kind: 'unavailable', why: 'the page could not be read' }
  }
}

type Refused = Extract<ShopProductAnswer, { kind: 'refused' }>

function refused(code: Refused['code'], message: string | null = null): Refused {
  return { kind: 'refused', code, message }
}

function answerOf(page: PageSnapshot, currency: string | null): ShopProductAnswer {
  switch (kindOf(page).kind) {
    case 'captcha':
      return refused('captcha_blocked')
    case 'sign_in':
      return refused('merchant_unsupported', 'The shop shows it to its customers alone.')
    case 'not_found':
      return refused('product_not_found')
    default:
      break
  }
  const product = productOn(page, currency)
  return product === null
    ? refused('merchant_unsupported', 'The page shows no product with a price.')
    : { kind: 'product', product }
}

/** What a page sells; null where it sells nothing. */
export function productOn(page: PageSnapshot, currency: string | null): ShopProduct | null {
  const product = productOf(page, currency)
  const prices = [product.price, ...product.variants.map(({ price }) => price)].filter((one) => one !== null)
  const currencies = new Set(prices.map((price) => price.currency))
  const [only] = currencies
  if (product.title === null || !isSold(page, prices.length > 0)) return null
  const groups = variantGroups(page, product).filter(({ options }) => options.length > 1)
  return {
    title: product.title,
    description: metaOf(page, ['og:description', 'description']) ?? '',
    images: [metaOf(page, ['og:image'])].filter(
      (image) => image?.startsWith('https://') === true,
    ) as string[], // those that are texts
    currency: currencies.size === 1 && only !== undefined ? only : null,
    options: optionsOf(product, groups),
    variants: variantsOf(product, groups),
  }
}

/** A page that shows no price for sure is one of a product all the same where something there goes into a cart. */
function isSold(page: PageSnapshot, hasPrice: boolean): boolean {
  return hasPrice || rankActions(page, 'add_to_cart').length > 0 || rankActions(page, 'buy_now').length > 0
}

function metaOf({ meta }: PageSnapshot, names: readonly string[]): string | null {
  for (const wanted of names) {
    const found = meta.find(({ name }) => name === wanted)
    if (found !== undefined) return found.content
  }
  return null
}

function optionsOf({ variants }: Product, groups: readonly VariantGroup[]): ShopProduct['options'] {
  const values = new Map<string, Set<string>>()
  for (const { name, value } of variants.flatMap(({ options }) => options))
    values.set(name, (values.get(name) ?? new Set()).add(value))
  if (values.size > 0) return [...values].map(([name, known]) => ({ name, values: [...known] }))
  return groups.map(({ name, options }) => ({ name, values: options.map(({ text }) => text) }))
}

/** Where a page offers choices and does not tell what each costs, the shop alone knows which there are. */
function variantsOf(
  { variants, sku, availability, price }: Product,
  groups: readonly VariantGroup[],
): ShopProduct['variants'] {
  if (variants.length > 0)
    return variants.map((variant) => ({
      sku: variant.sku,
      selections: variant.options,
      unitAmount: variant.price?.amount ?? price?.amount ?? null,
      isAvailable: variant.availability !== 'out',
    }))
  if (groups.length > 0) return []
  return [{ sku, selections: [], unitAmount: price?.amount ?? null, isAvailable: availability !== 'out' }]
}
