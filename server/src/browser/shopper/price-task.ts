import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { productOf } from '../reading/product-of.ts'
import { askOrRefuse } from './ask-buyer.ts'
import { unconfirmed } from './confirm-names.ts'
import { fillBuyer } from './fill-fields.ts'
import { goToPayment } from './go-to-payment.ts'
import { offerOf } from './make-offer.ts'
import { openCart } from './open-cart.ts'
import { readBack } from './prove-step.ts'
import { putIntoCart } from './put-into-cart.ts'
import { refused, type ShopTask, shows, stateAtFirst, unavailable } from './shop-task.ts'
import { goodsOn, knownTotal, summaryOf } from './summary.ts'
import { ShopUnavailable, VisitEnded } from './tab.ts'

/** A session that expires is begun anew, once. */
export const attempts = 2

/** From the pages of the items to the summary before the payment. */
export async function runPriceTask(task: ShopTask): Promise<ShopPrice> {
  return orWhyNot(task, () => walk(task))
}

/** What a way is, or why it broke off. */
export async function orWhyNot<T>({ tab }: ShopTask, walking: () => Promise<T>): Promise<T | ShopPrice> {
  const refusalsBefore = tab.visit.refusals().length
  try {
    return await walking()
  } catch (error) {
    if (isBug(error)) throw error
    if (error instanceof VisitEnded) return unavailable('the visit was ended')
    // Where the way leads to a place that is not allowed, asking again changes nothing.
    const refusals = tab.visit.refusals().slice(refusalsBefore)
    if (refusals.some((one) => one.startsWith('navigation'))) return refused('merchant_unsupported')
    if (error instanceof ShopUnavailable) return unavailable(error.message)
    return unavailable(error instanceof Error ? error.message : 'the page could not be read')
  }
}

/** What only a mistake of ours throws is not blamed on a shop. */
export function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
}

async function walk(task: ShopTask): Promise<ShopPrice> {
  if (!isTypable(task.request.buyer.email))
    return refused(
      'merchant_unsupported',
      'The e-mail address of the buyer has letters before its @ that forms of shops do not take.',
    )
  for (let attempt = 1; ; attempt++) {
    const stopped = await reachCart(task)
    if (stopped !== null) return stopped
    const arrival = await goToPayment(task)
    if (arrival.kind === 'asks_buyer') throw new TypeError('somebody buys, and the way ended for nobody')
    const said = arrival.kind === 'payment' ? await readOffer(task) : arrival
    if (said.kind === 'refused' && unconfirmed(task).length > 0 && attempt < attempts) {
      await beginWithoutReader(task)
      continue
    }
    if (said.kind !== 'expired') return said
    if (attempt === attempts) return sessionExpired
    task.promo = null
    task.help?.seen.clear()
  }
}

/**
 * What a reader has named, and the shop never shows, a person is asked: nobody else can tell. The checkout is gone through once more by a visitor
 * who has never been there, because what stands in the cart would be put into it again.
 */
async function beginWithoutReader(task: ShopTask): Promise<void> {
  await task.tab.forgetShop()
  task.tab.names.forgetAll()
  task.help = null
  for (const known of [task.typed, task.confirmed, task.pressed]) known.clear()
  Object.assign(task, stateAtFirst(task.request))
}

export const sessionExpired = refused('merchant_unsupported', 'The session of the shop has expired.')

/** The domain has a spelling in ASCII; what stands before it has none. */
function isTypable(email: string): boolean {
  return /^[\x21-\x7e]+$/u.test(email.slice(0, email.lastIndexOf('@')))
}

/** Null: the goods are in the cart, as far as the shop says. */
async function reachCart(task: ShopTask): Promise<ShopPrice | null> {
  const { startAt, items } = task.request
  if (startAt !== null) return openCart(task, startAt)
  for (const item of items) {
    const stopped = await putIntoCart(task, item)
    if (stopped !== null) return stopped
  }
  return null
}

/** The form whose button orders; null where that stands in none. */
function formOfOrder(page: PageSnapshot): number | null {
  return rankActions(page, 'place_order')[0]?.form ?? null
}

/** Null: all is as it was meant, with what was answered on the way. */
async function proveReview(task: ShopTask): Promise<ShopPrice | null> {
  for (;;) {
    const before = await task.tab.read()
    const unproven = await readBack(task, { form: formOfOrder(before), isReview: true })
    if (unproven === null) return null
    const asked = await askOrRefuse(task, unproven)
    if (asked !== 'answered') return asked
    await fillBuyer(task, await task.tab.read())
  }
}

export async function readOffer(task: ShopTask): Promise<ShopPrice> {
  const stopped = await proveReview(task)
  if (stopped !== null) return stopped
  const page = await task.tab.read()
  const shown = summaryOf(task, page)
  const summary = shown ?? knownTotal(task)
  task.isTotalLater = shown === null
  await shows(task, 'payment', shown?.text ?? null)
  if (summary === null)
    return refused('merchant_unsupported', 'The shop shows no total before it asks for a card.')
  // The pages of the items say it otherwise, and nobody was there.
  if (task.request.startAt !== null && productOf(page).isSubscription)
    return refused('merchant_unsupported', 'It is a subscription.')
  const made = offerOf(task, page, summary)
  if ('kind' in made) return made
  task.isShownAtPayment = goodsOn(task, page).kind === 'wanted'
  task.isPriced = true
  return { kind: 'offer', offer: made, promo: task.promo }
}
