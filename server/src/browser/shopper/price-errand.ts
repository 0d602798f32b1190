import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { productOf } from '../reading/product-of.ts'
import { type Errand, refused, shows, unavailable } from './errand.ts'
import { goToPayment } from './go-to-payment.ts'
import { offerOf } from './make-offer.ts'
import { openCart } from './open-cart.ts'
import { proveStep } from './prove-step.ts'
import { putIntoCart } from './put-into-cart.ts'
import { goodsOn, summaryOf } from './summary.ts'
import { ShopUnavailable, VisitEnded } from './tab.ts'

/** A session that expires is begun anew, once. */
const attempts = 2

/** From the pages of the items to the summary before the payment. */
export async function priceErrand(errand: Errand): Promise<ShopPrice> {
  const refusalsBefore = errand.tab.visit.refusals().length
  try {
    return await walk(errand)
  } catch (error) {
    if (isBug(error)) throw error
    if (error instanceof VisitEnded) return unavailable('the visit was ended')
    // Where the way leads to a place that is not allowed, asking again changes nothing.
    if (
      errand.tab.visit
        .refusals()
        .slice(refusalsBefore)
        .some((one) => one.startsWith('navigation'))
    )
      return refused('merchant_unsupported')
    if (error instanceof ShopUnavailable) return unavailable(error.message)
    return unavailable(error instanceof Error ? error.message : 'the page could not be read')
  }
}

/** What only a mistake of ours throws is not blamed on a shop. */
export function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
}

async function walk(errand: Errand): Promise<ShopPrice> {
  if (!isTypable(errand.request.buyer.email))
    return refused(
      'merchant_unsupported',
      'The e-mail address of the buyer has letters before its @ that forms of shops do not take.',
    )
  for (let attempt = 1; ; attempt++) {
    const stopped = await reachCart(errand)
    if (stopped !== null) return stopped
    const arrival = await goToPayment(errand)
    if (arrival.kind === 'payment') return readOffer(errand)
    if (arrival.kind !== 'expired') return arrival
    if (attempt === attempts) return refused('merchant_unsupported', 'The session of the shop has expired.')
    errand.promo = null
    errand.help?.seen.clear()
  }
}

/** The domain has a spelling in ASCII; what stands before it has none. */
function isTypable(email: string): boolean {
  return /^[\x21-\x7e]+$/u.test(email.slice(0, email.lastIndexOf('@')))
}

/** Null: the goods are in the cart, as far as the shop says. */
async function reachCart(errand: Errand): Promise<ShopPrice | null> {
  const { startAt, items } = errand.request
  if (startAt !== null) return openCart(errand, startAt)
  for (const item of items) {
    const stopped = await putIntoCart(errand, item)
    if (stopped !== null) return stopped
  }
  return null
}

/** The form whose button orders; null where that stands in none. */
function formOfOrder(page: PageSnapshot): number | null {
  return rankActions(page, 'place_order')[0]?.form ?? null
}

async function readOffer(errand: Errand): Promise<ShopPrice> {
  const why = await proveStep(errand, { form: formOfOrder(await errand.tab.read()), isReview: true })
  if (why !== null) return refused('merchant_unsupported', why)
  const page = await errand.tab.read()
  const summary = summaryOf(errand, page)
  await shows(errand, 'payment', summary?.text ?? null)
  if (summary === null) return refused('merchant_unsupported')
  // The pages of the items say it otherwise, and nobody was there.
  if (errand.request.startAt !== null && productOf(page).isSubscription)
    return refused('merchant_unsupported', 'It is a subscription.')
  const made = offerOf(errand, page, summary)
  if ('kind' in made) return made
  errand.isShownAtPayment = goodsOn(errand, page).kind === 'wanted'
  errand.isPriced = true
  return { kind: 'offer', offer: made, session: null }
}
