import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import { deliveryOptions } from '../reading/delivery-options.ts'
import { kindOf } from '../reading/page-kind.ts'
import { refusalOf, sentenceOf } from '../reading/page-says.ts'
import type { Action, PageSnapshot } from '../reading/page-snapshot.ts'
import { paymentMethods } from '../reading/payment-methods.ts'
import { saysDeliveryLater } from '../reading/total-rows.ts'
import { controlFor } from './card-fields.ts'
import { clearWay, pressThrough } from './clear-way.ts'
import { fillBuyer } from './fill-fields.ts'
import { newLines } from './new-lines.ts'
import { helpOn, isGivenUp } from './page-help.ts'
import { proveStep } from './prove-step.ts'
import { wallOf } from './put-into-cart.ts'
import { refusedBy } from './refused-by-page.ts'
import { refused, type ShopTask, shows } from './shop-task.ts'
import { signIn } from './sign-in.ts'
import { goodsOn, summaryOf } from './summary.ts'
import { wantedDelivery } from './wanted-delivery.ts'

const stepsMax = 50
/** How often the same page may be there after something was pressed. */
const sameMax = 3
/** The ways of delivery, and the sums with them, often come from the network a while after the address was typed. */
const looksMax = 20
const lookMs = 200

type Arrival = { readonly kind: 'payment' } | { readonly kind: 'expired' } | ShopPrice

/** From the cart to the page where the payment is chosen: what a page asks for is filled in, and its way on is pressed. */
export async function goToPayment(task: ShopTask): Promise<Arrival> {
  const passed = new Map<string, number>()
  let looks = 0
  for (let step = 0; step < stepsMax; step++) {
    const page = await task.tab.read()
    const barred = barredBy(task, page)
    if (barred?.kind === 'sign_in') {
      const stopped = await signIn(task, page, barred)
      if (stopped !== null) return stopped
      continue
    }
    if (barred !== null) return barred
    await look(task, page)
    if (await trySomething(task, page)) continue
    if (isPaymentPage(task, page)) {
      if (looks === looksMax || !isMoreToCome(task, page)) return { kind: 'payment' }
      looks += 1
      await task.tab.guarded(task.tab.traffic.change(lookMs))
      continue
    }
    const count = (passed.get(page.url + page.text) ?? 0) + 1
    passed.set(page.url + page.text, count)
    const way = count > sameMax ? undefined : wayOn(page)
    if (way === undefined) {
      if (count <= sameMax && (await clearWay(task))) continue
    } else {
      const why = await whyNotLeave(task, way)
      if (why !== null) return refused('merchant_unsupported', why)
      if (await pressThrough(task, way.ref)) continue
    }
    const said = refusedBy(page)
    if (!isGivenUp(said) || !(await helpOn(task, 'go_to_payment'))) return said
    passed.clear()
  }
  return refused('merchant_unsupported')
}

/** What the page shows of the cart. */
async function look(task: ShopTask, page: PageSnapshot): Promise<void> {
  const goods = goodsOn(task, page)
  if (goods.kind === 'hidden' || summaryOf(task, page) === null) return
  if (task.goods === null) await shows(task, 'cart', summaryOf(task, page)?.text)
  task.goods = goods
}

function barredBy(task: ShopTask, page: PageSnapshot): Arrival | null {
  const { kind } = kindOf(page)
  // What was never in the cart is not sold out: it could not be put there.
  if (kind === 'empty_cart')
    return task.goods === null
      ? refusedBy(page)
      : refused('product_out_of_stock', refusalOf(page)?.sentence ?? null)
  if (refusalOf(page, ['session_expired']) !== null && kind !== 'payment') return { kind: 'expired' }
  if (kind === 'not_found') return refused('merchant_unsupported')
  return wallOf(page)
}

/** What this page asks for. True: something was done, and the page may have changed. */
async function trySomething(task: ShopTask, page: PageSnapshot): Promise<boolean> {
  if (await tryPromo(task, page)) return true
  if (await fillBuyer(task, page)) {
    await shows(task, 'address')
    return true
  }
  return chooseDelivery(task, page)
}

/** Once: a code that the shop refuses costs nothing but the discount. */
async function tryPromo(task: ShopTask, page: PageSnapshot): Promise<boolean> {
  const { promoCode } = task.request
  if (promoCode === null || task.promo !== null) return false
  const field = controlFor(page, 'promo_code')
  const [opener] = rankActions(page, 'have_code')
  if (field === null) return opener !== undefined && !task.hasOpenedPromo && openPromo(task, opener)
  const [apply] = rankActions(page, 'apply_code')
  if (apply === undefined) return false
  const before = summaryOf(task, page)
  await task.tab.type(field.ref, promoCode)
  task.promo = { isTaken: false, message: null }
  if (!(await pressThrough(task, apply.ref))) return true
  const after = await task.tab.read()
  const now = summaryOf(task, after)
  const isTaken =
    (now?.parts?.discount ?? 0n) > (before?.parts?.discount ?? 0n) ||
    (now !== null && before !== null && now.total < before.total)
  const message = isTaken
    ? sentenceOf(after, 'code_taken')
    : (refusalOf(after, ['code_refused'])?.sentence ?? newLines(page, after)[0] ?? null)
  task.promo = { isTaken, message }
  return true
}

function openPromo(task: ShopTask, opener: Action): Promise<boolean> {
  task.hasOpenedPromo = true
  return pressThrough(task, opener.ref)
}

async function chooseDelivery(task: ShopTask, page: PageSnapshot): Promise<boolean> {
  const { fulfillment, currency } = task.request
  const wanted = wantedDelivery(deliveryOptions(page, currency), fulfillment)
  if (wanted === null || wanted.isSelected) return false
  if (wanted.value === null) return pressThrough(task, wanted.ref)
  await task.tab.select(wanted.ref, wanted.value)
  await task.tab.settled()
  return true
}

/** Where a card is typed or chosen: the summary before the payment. Nothing on it is pressed. */
function isPaymentPage(task: ShopTask, page: PageSnapshot): boolean {
  const { kind } = kindOf(page)
  if (summaryOf(task, page) === null) return false
  if (kind === 'payment' || paymentMethods(page).length > 0) return true
  return (kind === 'review' || rankActions(page, 'place_order').length > 0) && wayOn(page) === undefined
}

/** Whether the summary is not the last one: it has no price of the delivery, or costs nothing although the goods do. */
function isMoreToCome(task: ShopTask, page: PageSnapshot): boolean {
  const { currency, fulfillment } = task.request
  const hasPrice = task.goods?.lines.some(({ amount }) => (amount ?? 0n) > 0n) === true
  if (hasPrice && summaryOf(task, page)?.total === 0n) return true
  return fulfillment.method === 'ship' && saysDeliveryLater(page, { currency, language: page.language })
}

/** What a button sends is read back before it is pressed. */
async function whyNotLeave(task: ShopTask, { role, form }: Action): Promise<string | null> {
  return role === 'link' && form === null ? null : proveStep(task, { form })
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
