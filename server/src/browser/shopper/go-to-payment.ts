import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import type { Action, PageSnapshot } from '../reading/page-snapshot.ts'
import { clearWay, pressThrough } from './clear-way.ts'
import { type Errand, hintOf, refused, shows } from './errand.ts'
import { fillBuyer, toggle } from './fill-fields.ts'
import { wallOf } from './put-into-cart.ts'
import {
  cardFieldsOf,
  deliveriesOf,
  kindOf,
  paymentMethodsOf,
  promoFieldOf,
  refusalOf,
  totalsOf,
} from './read-page.ts'
import { wantedDelivery } from './wanted-delivery.ts'

const stepsMax = 30
/** How often the same page may be there after something was pressed. */
const sameMax = 3

export type Arrival = { readonly kind: 'payment' } | { readonly kind: 'expired' } | ShopPrice

/** From the cart to the page where the payment is chosen: what a page asks for is filled in, and its way on is pressed. */
export async function goToPayment(errand: Errand): Promise<Arrival> {
  const passed = new Map<string, number>()
  for (let step = 0; step < stepsMax; step++) {
    const page = await errand.tab.read()
    const barred = barredBy(errand, page)
    if (barred !== null) return barred
    await look(errand, page)
    if (await trySomething(errand, page)) continue
    if (isPaymentPage(errand, page)) return { kind: 'payment' }
    const count = (passed.get(page.url + page.text) ?? 0) + 1
    passed.set(page.url + page.text, count)
    const way = count > sameMax ? undefined : wayOn(page)
    if (way === undefined) {
      if (count <= sameMax && (await clearWay(errand))) continue
      return stuckAt(page)
    }
    if (!(await pressThrough(errand, way.ref))) return stuckAt(page)
  }
  return refused('merchant_unsupported')
}

/** What the page shows of the cart. */
async function look(errand: Errand, page: PageSnapshot): Promise<void> {
  const { lines, totalText } = totalsOf(page, hintOf(errand, page))
  if (lines.length === 0) return
  if (errand.lines.length === 0) await shows(errand, 'cart', totalText)
  errand.lines = lines
}

function barredBy(errand: Errand, page: PageSnapshot): Arrival | null {
  const kind = kindOf(page)
  if (kind === 'expired') return { kind: 'expired' }
  // What was never in the cart is not sold out: it could not be put there.
  if (kind === 'empty_cart')
    return refused(
      errand.lines.length > 0 ? 'product_out_of_stock' : 'merchant_unsupported',
      refusalOf(page)?.message ?? null,
    )
  if (kind === 'not_found') return refused('merchant_unsupported')
  return wallOf(page)
}

function stuckAt(page: PageSnapshot): ShopPrice {
  const said = refusalOf(page)
  return refused(said?.code ?? 'merchant_unsupported', said?.message ?? null)
}

/** What this page asks for. True: something was done, and the page may have changed. */
async function trySomething(errand: Errand, page: PageSnapshot): Promise<boolean> {
  if (await tryPromo(errand, page)) return true
  if (await fillBuyer(errand, page)) {
    await shows(errand, 'address')
    return true
  }
  return chooseDelivery(errand, page)
}

async function tryPromo(errand: Errand, page: PageSnapshot): Promise<boolean> {
  const code = errand.request.promoCode
  const place = code === null || errand.promo !== null ? null : promoFieldOf(page)
  if (code === null || place === null) return false
  const before = totalsOf(page, hintOf(errand, page))
  await errand.tab.type(place.field.ref, code)
  errand.promo = { isTaken: false, message: null }
  if (!(await pressThrough(errand, place.apply.ref))) return true
  const after = await errand.tab.read()
  const now = totalsOf(after, hintOf(errand, after))
  const isTaken = now.discount > before.discount || (now.total ?? 0n) < (before.total ?? 0n)
  errand.promo = { isTaken, message: isTaken ? null : (refusalOf(after)?.message ?? null) }
  return true
}

async function chooseDelivery(errand: Errand, page: PageSnapshot): Promise<boolean> {
  const { fulfillment } = errand.request
  const wanted = wantedDelivery(deliveriesOf(page, hintOf(errand, page)), fulfillment)
  if (wanted === null || wanted.isSelected) return false
  if (wanted.control !== null) {
    if (wanted.control.kind !== 'select') return toggle(errand, wanted.control)
    await errand.tab.select(wanted.control.ref, wanted.value)
    await errand.tab.settled()
    return true
  }
  return wanted.action !== null && pressThrough(errand, wanted.action.ref)
}

/** Where a card is typed or chosen: the summary before the payment. Nothing on it is pressed. */
function isPaymentPage(errand: Errand, page: PageSnapshot): boolean {
  if (cardFieldsOf(page).number !== null) return true
  const hasTotal = totalsOf(page, hintOf(errand, page)).total !== null
  if (!hasTotal) return false
  if (paymentMethodsOf(page).length > 0) return true
  if (page.frames.some(({ isVisible, title }) => isVisible && /card|payment|karte|zahlung/i.test(title)))
    return true
  return rankActions(page, 'place_order').length > 0 && wayOn(page) === undefined
}

/** What leads one step further, and orders nothing. */
function wayOn(page: PageSnapshot): Action | undefined {
  for (const intent of [
    'decline_offer',
    'keep_address',
    'as_guest',
    'checkout',
    'continue',
    'view_cart',
  ] as const) {
    const [found] = rankActions(page, intent)
    if (found !== undefined) return found
  }
  return undefined
}
