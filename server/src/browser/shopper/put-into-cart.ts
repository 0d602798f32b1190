import type { ShopItem, ShopPrice } from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { clearWay, pressThrough, refuseCookies } from './clear-way.ts'
import { type Errand, hintOf, refused, shows, unavailable } from './errand.ts'
import { kindOf, productOf, quantityField, refusalOf, variantMoves } from './read-page.ts'

const movesMax = 8

/** Goes to the page of an item, chooses what is wanted of it, and puts it into the cart. Null: it is in there, as far as the page says. */
export async function putIntoCart(errand: Errand, item: ShopItem): Promise<ShopPrice | null> {
  const stopped = await openProduct(errand, item)
  if (stopped !== null) return stopped
  const chosen = await chooseVariant(errand, item)
  if (chosen !== null) return chosen
  const page = await errand.tab.read()
  const unfit = unfitOf(errand, page)
  if (unfit !== null) return unfit
  await shows(errand, 'product')
  const typed = await setQuantity(errand, page, item.quantity)
  return addOnce(errand, typed ? 1 : item.quantity)
}

async function openProduct(errand: Errand, item: ShopItem): Promise<ShopPrice | null> {
  const { tab } = errand
  const status = await tab.open(item.url)
  await refuseCookies(errand)
  const page = await tab.read()
  if (status === 404 || status === 410) return refused('product_not_found')
  const wall = wallOf(page)
  if (wall !== null) return wall
  if (status >= 500) return unavailable(`the page of the product answered ${status}`)
  const product = productOf(page, hintOf(errand, page))
  errand.titles.set(item.id, product.title ?? page.title)
  return null
}

/** What bars the way on any page. */
export function wallOf(page: PageSnapshot): ShopPrice | null {
  switch (kindOf(page)) {
    case 'captcha':
      return refused('captcha_blocked')
    case 'sign_in':
      return { kind: 'sign_in', isRefused: false, message: null }
    case 'not_found':
      return refused('product_not_found')
    default:
      return null
  }
}

function unfitOf(errand: Errand, page: PageSnapshot): ShopPrice | null {
  const { currency, stock, recurring } = productOf(page, hintOf(errand, page))
  if (recurring !== null) return refused('merchant_unsupported', recurring)
  if (stock === 'out') return refused('product_out_of_stock')
  if (currency !== null && currency !== errand.request.currency) return refused('unsupported_currency')
  return null
}

/** One choice at a time: each can show others, and change what the next ones mean. */
async function chooseVariant(errand: Errand, item: ShopItem): Promise<ShopPrice | null> {
  for (let count = 0; count < movesMax; count++) {
    const page = await errand.tab.read()
    const next = variantMoves(page, item.variant)
    switch (next.kind) {
      case 'ready':
        return null
      case 'required':
        return refused('variant_required', next.message)
      case 'sold_out':
        return refused('product_out_of_stock', next.message)
      case 'choose':
        await errand.tab.select(next.ref, next.value)
        await errand.tab.settled()
        break
      case 'press':
        if (!(await pressThrough(errand, next.ref))) return refused('merchant_unsupported')
        break
      default:
        return next satisfies never
    }
  }
  return refused('variant_required')
}

async function setQuantity(errand: Errand, page: PageSnapshot, quantity: number): Promise<boolean> {
  const field = quantityField(page)
  if (field === null) return quantity === 1
  if (field.kind === 'select') {
    const option = field.options.find(
      ({ value, text }) => Number(value) === quantity || Number(text) === quantity,
    )
    if (option === undefined) return quantity === 1
    await errand.tab.select(field.ref, option.value)
  } else await errand.tab.type(field.ref, String(quantity))
  return true
}

/** Where the page has no field for the quantity, one is added after the other. */
async function addOnce(errand: Errand, times: number): Promise<ShopPrice | null> {
  const { tab } = errand
  for (let count = 0; count < times; count++) {
    const page = await tab.read()
    const [add] = rankActions(page, 'add_to_cart')
    if (add === undefined) {
      if (await clearWay(errand)) continue
      return refused('merchant_unsupported', refusalOf(page)?.message ?? null)
    }
    if (!(await pressThrough(errand, add.ref))) return refused('merchant_unsupported')
    const after = await tab.read()
    const said = refusalOf(after)
    if (said !== null && rankActions(after, 'add_to_cart').length > 0) return refused(said.code, said.message)
    // The cart is shown, and its own quantity is set there.
    if (rankActions(after, 'add_to_cart').length === 0) return null
  }
  return null
}
