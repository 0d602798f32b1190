import type { ShopPrice } from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import { choicesAbout, choicesOf, guestOf, openersOf } from '../reading/choices-of.ts'
import { deliveryOptions } from '../reading/delivery-options.ts'
import { assignFields } from '../reading/field-of.ts'
import { kindOf } from '../reading/page-kind.ts'
import { refusalOf } from '../reading/page-says.ts'
import type { Action, PageSnapshot } from '../reading/page-snapshot.ts'
import { paymentMethods } from '../reading/payment-methods.ts'
import { saysDeliveryLater } from '../reading/total-rows.ts'
import { askOrRefuse } from './ask-buyer.ts'
import { askWhatIsTold } from './ask-told.ts'
import { asksWhoBuys, needsSomebody } from './asks-who-buys.ts'
import { controlFor } from './card-fields.ts'
import { cardMethodOf } from './card-method.ts'
import { clearWay, pressThrough } from './clear-way.ts'
import { fillBuyer } from './fill-fields.ts'
import { look, lookAtCart } from './look-at-cart.ts'
import { helpOn, isGivenUp, nameLacking } from './page-help.ts'
import { readBack, type Unproven } from './prove-step.ts'
import { wallOf } from './put-into-cart.ts'
import { refusedBy } from './refused-by-page.ts'
import { refused, type ShopTask, shows } from './shop-task.ts'
import { signIn } from './sign-in.ts'
import { keyOfAction, sentBy, stateOf, TakenSteps } from './step-state.ts'
import { knownTotal, summaryOf } from './summary.ts'
import { tryPromo } from './try-promo.ts'
import { wantedDelivery } from './wanted-delivery.ts'
import { isOfFilled, leadsToItself, waysOn } from './ways-on.ts'
import { answerOf, fieldsNamed, withReason } from './why-stuck.ts'

const stepsMax = 60
/** The ways of delivery, and the sums with them, often come from the network a while after the address was typed. */
const looksMax = 10
const lookMs = 200

/** `asks_buyer`: where nobody buys yet, the way ends at the page that asks who does. */
type Arrival =
  | { readonly kind: 'payment' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'asks_buyer' }
  | ShopPrice

type At = { readonly page: PageSnapshot; readonly state: string; readonly taken: TakenSteps }

/** From the cart to the page where the payment is chosen: what a page asks for is filled in, and its way on is pressed. */
export async function goToPayment(task: ShopTask): Promise<Arrival> {
  let taken = new TakenSteps()
  let before: PageSnapshot | null = null
  let answers: readonly string[] = []
  let looks = 0
  for (let step = 0; step < stepsMax; step++) {
    const page = await task.tab.read()
    const state = stateOf(page)
    const barred = barredBy(task, page)
    if (taken.isToBeLookedAtAgain(state)) {
      await task.tab.guarded(task.tab.traffic.change(lookMs))
      continue
    }
    taken.judge(state)
    answers = answerOf({ before, page }, answers)
    before = null
    // What stands there while a page draws itself is no wall yet.
    if (barred?.kind === 'sign_in' && taken.may(state, 'wall')) {
      taken.take(state, 'wall')
      continue
    }
    if (barred?.kind === 'sign_in') {
      const stopped = await signIn(task, page, barred)
      if (stopped !== null) return stopped
      continue
    }
    if (barred !== null) return withReason(barred, { page, answers })
    await look(task, page)
    // guard nobody-passes-the-page-that-asks-who-buys: a way that nobody buys on ends there
    if (task.isNobodys && asksWhoBuys(page)) return { kind: 'asks_buyer' }
    const at = { page, state, taken }
    const done = await trySomething(task, at)
    if (typeof done === 'object') return done
    if (done) continue
    if (isPaymentPage(task, at)) {
      if (looks === looksMax || !isMoreToCome(task, page)) return { kind: 'payment' }
      looks += 1
      await task.tab.guarded(task.tab.traffic.change(lookMs))
      continue
    }
    if (await lookAtCart(task, page)) continue
    const moved = await moveOn(task, { ...at, answers })
    if (typeof moved === 'object') return moved
    if (moved) {
      before = page
      continue
    }
    const said = refusedBy(task, page)
    if (!isGivenUp(said) || !(await helpOn(task, 'go_to_payment'))) return withReason(said, { page, answers })
    taken = new TakenSteps()
  }
  return withReason(refused('merchant_unsupported'), { page: await task.tab.read(), answers })
}

/** Presses the likeliest way on that has not been found to lead nowhere. False: there is none left. */
async function moveOn(
  task: ShopTask,
  at: At & { readonly answers: readonly string[] },
): Promise<boolean | Arrival> {
  const { page, state, taken } = at
  const [way] = openWays(task, at)
  // The shop has said what is wrong with what it was sent.
  const isTold =
    fieldsNamed(page, at.answers).length > 0 && waysOn(task, page).some((action) => isSent(at, action))
  if (isTold && (way === undefined || !isOfFilled(task, page, way) || isSent(at, way)))
    return askWhatIsTold(task, page, at.answers)
  if (way === undefined) {
    if (!taken.may(state, 'clear')) return false
    taken.take(state, 'clear')
    return clearWay(task)
  }
  if (task.isNobodys && needsSomebody(page, way)) return { kind: 'asks_buyer' }
  const unproven = task.isNobodys ? null : await whyNotLeave(task, way)
  if (unproven !== null) {
    if (await nameLacking(task, unproven)) return true
    const asked = await askOrRefuse(task, unproven)
    return asked === 'answered' ? true : asked
  }
  taken.take(state, keyOfAction(way))
  const form = sentBy(page, way)
  if (form !== null) taken.send(form)
  // What is gone by then is looked for again.
  await pressThrough(task, way.ref)
  return true
}

/** The ways on that have not been found to lead nowhere; what was sent as it stands comes last. */
function openWays(task: ShopTask, at: At): Action[] {
  const open = waysOn(task, at.page).filter((action) => at.taken.may(at.state, keyOfAction(action)))
  return [...open.filter((action) => !isSent(at, action)), ...open.filter((action) => isSent(at, action))]
}

function isSent({ page, taken }: At, action: Action): boolean {
  const form = sentBy(page, action)
  return form !== null && taken.isSent(form)
}

function barredBy(task: ShopTask, page: PageSnapshot): Arrival | null {
  const { kind } = kindOf(page)
  // What was never in the cart is not sold out: it could not be put there.
  if (kind === 'empty_cart')
    return task.goods === null
      ? refusedBy(task, page)
      : refused('product_out_of_stock', refusalOf(page)?.sentence ?? null)
  if (refusalOf(page, ['session_expired']) !== null && kind !== 'payment') return { kind: 'expired' }
  if (kind === 'not_found') return refused('merchant_unsupported')
  return wallOf(page)
}

/** What this page asks for. True: something was done, and the page may have changed. */
async function trySomething(task: ShopTask, at: At): Promise<boolean | ShopPrice> {
  const { page } = at
  if (await tryPromo(task, page)) return true
  if (await chooseGuest(task, at)) return true
  // Beside the goods a page asks who reviews them, or who wants to hear of them.
  const isToBeFilled = !task.isNobodys && kindOf(page).kind !== 'product'
  if (isToBeFilled && (await fillBuyer(task, page))) {
    await shows(task, 'address')
    return true
  }
  if (await chooseDelivery(task, at)) return true
  const payment = await choosePayment(task, at)
  return payment === false ? openChoice(task, at) : payment
}

async function choose(
  task: ShopTask,
  { state, taken }: At,
  wanted: { readonly ref: number; readonly value: string | null; readonly label: string },
): Promise<boolean> {
  if (!taken.may(state, wanted.label)) return false
  taken.take(state, wanted.label)
  if (wanted.value === null) {
    await pressThrough(task, wanted.ref)
    return true
  }
  await task.tab.select(wanted.ref, wanted.value)
  await task.tab.settled()
  return true
}

/** Where guests may buy, it is bought as one, and nobody asked for an account. */
async function chooseGuest(task: ShopTask, at: At): Promise<boolean> {
  const guest = guestOf(at.page)
  if (guest !== null && !guest.isChosen && (await choose(task, at, guest))) return true
  const fields = assignFields(at.page)
  const box = at.page.controls.find(({ ref, isChecked }) => isChecked && fields.get(ref) === 'create_account')
  return box !== undefined && choose(task, at, { ref: box.ref, value: null, label: box.label })
}

async function chooseDelivery(task: ShopTask, at: At): Promise<boolean> {
  const { fulfillment, currency } = task.request
  const wanted = wantedDelivery(deliveryOptions(at.page, currency), fulfillment)
  if (wanted === null) return false
  task.delivery = wanted.amount
  return !wanted.isSelected && choose(task, at, wanted)
}

/** Where the page only asks how to pay, and orders nothing, a card is chosen. */
async function choosePayment(task: ShopTask, at: At): Promise<boolean | ShopPrice> {
  const [choice] = choicesAbout(at.page, 'payment')
  if (choice === undefined) return false
  if (!choice.isInDialog && rankActions(at.page, 'place_order').length > 0) return false
  const found = cardMethodOf(at.page)
  if (found.kind === 'none' && choice.isInDialog)
    return refused('merchant_unsupported', `The shop offers only: ${found.label}`)
  return found.kind === 'open' && choose(task, at, found.method)
}

/** Opens the ways of delivery or of payment that nobody has chosen from. */
async function openChoice(task: ShopTask, at: At): Promise<boolean> {
  if (choicesOf(at.page).some(({ isInDialog, about }) => isInDialog && about !== 'other')) return false
  const [way] = openWays(task, at)
  // The shop has to know where the goods go before it says how.
  if (way !== undefined && isOfFilled(task, at.page, way) && !isSent(at, way)) return false
  const opener = openersOf(at.page).find(
    ({ action, isChosen }) => !isChosen && !action.isDisabled && at.taken.may(at.state, keyOfAction(action)),
  )
  if (opener === undefined) return false
  at.taken.take(at.state, keyOfAction(opener.action))
  await pressThrough(task, opener.action.ref)
  return true
}

/** Where a card is typed or chosen: the summary before the payment. Nothing on it is pressed. */
function isPaymentPage(task: ShopTask, at: At): boolean {
  const { page } = at
  const { kind } = kindOf(page)
  const isInWindow = choicesAbout(page, 'payment').some(({ isInDialog }) => isInDialog)
  if (isInWindow) return false
  // The total comes after the card, and is known before.
  if (summaryOf(task, page) === null)
    return controlFor(page, 'card_number') !== null && knownTotal(task) !== null
  if (kind === 'payment' || paymentMethods(page).length > 0) return true
  const isLast = kind === 'review' || rankActions(page, 'place_order').length > 0
  return isLast && openWays(task, at).every((action) => leadsToItself(action, page))
}

/** Whether the summary is not the last one: it has no price of the delivery, or costs nothing although the goods do. */
function isMoreToCome(task: ShopTask, page: PageSnapshot): boolean {
  const { currency, fulfillment } = task.request
  const hasPrice = task.goods?.lines.some(({ amount }) => (amount ?? 0n) > 0n) === true
  if (hasPrice && summaryOf(task, page)?.total === 0n) return true
  return fulfillment.method === 'ship' && saysDeliveryLater(page, { currency, language: page.language })
}

/** What a button sends is read back before it is pressed. */
async function whyNotLeave(task: ShopTask, { role, form }: Action): Promise<Unproven | null> {
  return role === 'link' && form === null ? null : readBack(task, { form })
}
