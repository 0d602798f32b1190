import type {
  Offer,
  ShopPlaced,
  ShopPlaceRefusalCode,
  ShopPrice,
} from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import { kindOf } from '../reading/page-kind.ts'
import { refusalOf } from '../reading/page-says.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { orUnknown, placedBy, readOutcome } from './after-order.ts'
import { buttonOf, type CardForm, type FoundCard, findCardForm, originsOf } from './card-form.ts'
import { cardMethodOf } from './card-method.ts'
import { pressThrough } from './clear-way.ts'
import { fillBuyer } from './fill-fields.ts'
import { judgePage } from './final-reading.ts'
import { keepStanding } from './page-script.ts'
import { pressWhenAgreed } from './press-agreed.ts'
import { isBug, runPriceTask } from './price-task.ts'
import { whyNoCard, whyNotTyped } from './prove-card.ts'
import { proveStep } from './prove-step.ts'
import { orderAfterReview } from './review-after-card.ts'
import type { ShopTask } from './shop-task.ts'
import { typeCard } from './type-card.ts'
import type { CardToType, FetchCard } from './visit.ts'

/** How many pages lie between the summary and the fields of the card, at most. */
const pagesMax = 4
const frameLooksMax = 20
const frameLookMs = 200

/** From the summary to what the page says of the order. */
export async function runPlaceTask(task: ShopTask, offer: Offer, fetchCard: FetchCard): Promise<ShopPlaced> {
  try {
    const ready = await reachCard(task, offer)
    if ('kind' in ready) return ready
    const card = await fetchCard(ready.origin)
    if (card === null) return untyped('merchant_unavailable', null)
    return await orUnknown(typeAndOrder(task, { ...ready, offer, card }))
  } catch (error) {
    if (isBug(error)) throw error
    return untyped('merchant_unavailable', null)
  }
}

/** From the first digit on what was ordered is known from the page alone. */
async function typeAndOrder(
  task: ShopTask,
  about: Ready & { readonly offer: Offer; readonly card: CardToType },
): Promise<ShopPlaced> {
  const { tab } = task
  const before = tab.page.url()
  task.navigations = tab.traffic.navigations()
  tab.visit.closeHosts()
  let wrong: string | null = null
  try {
    await keepStanding(tab.page.mainFrame())
    await typeCard(task, about.form, about.card)
    await tab.settled()
    wrong = await whyNotTyped(task, about.form, about.card)
  } catch (error) {
    // A page that leaves while the card is typed has been submitted by itself.
    if (tab.traffic.navigations() === task.navigations) throw error
    return readOutcome(task, { offer: about.offer, before })
  }
  await tab.visit.at('page.typed')
  // A page that has left has been submitted by itself, and is read for what it says.
  const isThere = tab.traffic.navigations() === task.navigations && tab.page.url() === before
  if (wrong !== null && isThere)
    return { kind: 'refused', code: 'merchant_unsupported', message: wrong, isTyped: true }
  return order(task, { ...about, before })
}

function untyped(code: ShopPlaceRefusalCode, message: string | null): ShopPlaced {
  return { kind: 'refused', code, message, isTyped: false }
}

type Ready = {
  readonly form: CardForm
  readonly origin: string
  readonly isElsewhere: boolean
  /** The button of the card leads to a page that orders. */
  readonly isReviewLater: boolean
}

/** Goes to where the card is typed. Nothing is typed yet, and what cannot be paid so is refused. */
async function reachCard(task: ShopTask, offer: Offer): Promise<Ready | ShopPlaced> {
  const { tab } = task
  const rebuilt = await rebuild(task, offer)
  if (rebuilt !== null) return rebuilt
  for (let count = 0; count < pagesMax; count++) {
    const paying = await chooseCard(task)
    if (paying !== null) return paying
    await fillBuyer(task, await tab.read())
    const page = await tab.read()
    const isElsewhere = isAway(task, page.url)
    if (kindOf(page).kind === 'confirmation') return placedBy(page)
    const verdict = judgePage(task, page, { offer, isElsewhere })
    if (verdict.kind === 'unread')
      return untyped('merchant_changed', refusalOf(page)?.sentence ?? 'The page shows no total.')
    if (verdict.kind === 'differs') return untyped(codeOf[verdict.why], verdict.says)
    const found = await waitForCardForm(task, page)
    if (found !== null) return judgeForm(task, page, { ...found, isElsewhere })
    if (hasPaymentFrame(page)) return untyped('merchant_unsupported', 'The fields for the card did not come.')
    const moved = await goToPaymentPage(task, page, { offer, isElsewhere })
    if (moved !== null) return moved
  }
  return untyped('merchant_unsupported', 'No fields for a card were found.')
}

/** The frame of a payment company comes later than the page around it. */
async function waitForCardForm(task: ShopTask, page: PageSnapshot): Promise<FoundCard | null> {
  for (let looks = 0; looks < frameLooksMax; looks++) {
    const found = await findCardForm(task)
    if (found !== null || !hasPaymentFrame(page)) return found
    await task.tab.guarded(task.tab.traffic.change(frameLookMs))
  }
  return null
}

/** Whether the card is meant to be typed into a frame: its own button orders nothing without it. */
function hasPaymentFrame(page: PageSnapshot): boolean {
  const own = new URL(page.url).origin
  return (
    kindOf(page).kind === 'payment' &&
    page.frames.some(({ isVisible, origin }) => isVisible && origin !== own)
  )
}

const codeOf = {
  price: 'price_changed',
  goods: 'merchant_changed',
  payment: 'merchant_unsupported',
} as const satisfies Record<string, ShopPlaceRefusalCode>

/** The page of `price` where it is still open; otherwise the way is gone once more, and must lead to the same offer. */
async function rebuild(task: ShopTask, offer: Offer): Promise<ShopPlaced | null> {
  if (task.isPriced) return null
  const priced = await runPriceTask(task)
  switch (priced.kind) {
    case 'offer':
      return priced.offer.total > offer.total ? untyped('price_changed', 'The total has risen.') : null
    case 'unavailable':
      return untyped('merchant_unavailable', priced.why)
    case 'needs_input':
      return untyped('merchant_changed', priced.message)
    case 'sign_in':
      return untyped('merchant_auth_failed', null)
    case 'no_room':
      return priced
    case 'refused':
      return untyped(whenPlacing(priced.code), priced.message)
    default:
      return priced satisfies never
  }
}

function whenPlacing(code: Extract<ShopPrice, { kind: 'refused' }>['code']): ShopPlaceRefusalCode {
  switch (code) {
    case 'product_not_found':
    case 'product_out_of_stock':
    case 'insufficient_stock':
      return 'product_out_of_stock'
    case 'price_changed':
    case 'merchant_changed':
      return code
    case 'unsupported_currency':
      return 'price_changed'
    default:
      return 'merchant_unsupported'
  }
}

async function chooseCard(task: ShopTask): Promise<ShopPlaced | null> {
  const found = cardMethodOf(await task.tab.read())
  if (found.kind === 'none') return untyped('merchant_unsupported', found.label)
  if (found.kind === 'chosen') return null
  const { ref, value } = found.method
  if (value === null)
    return (await pressThrough(task, ref))
      ? null
      : untyped('merchant_unsupported', 'A card cannot be chosen.')
  await task.tab.select(ref, value)
  await task.tab.settled()
  return null
}

/** Whether the page is not the shop's own. */
function isAway({ request }: ShopTask, url: string): boolean {
  const host = new URL(url).hostname
  return host !== request.merchantDomain && !host.endsWith(`.${request.merchantDomain}`)
}

/** Whether a card may be typed into this form, and a button is there that sends it where it may go. */
async function judgeForm(
  task: ShopTask,
  page: PageSnapshot,
  { form, pages, isElsewhere }: FoundCard & { readonly isElsewhere: boolean },
): Promise<Ready | ShopPlaced> {
  const { visit } = task.tab
  const button = buttonOf(page, form)
  const why =
    whyNoCard(form, pages) ?? (await proveStep(task, { form: button?.action.form ?? null, isReview: true }))
  if (why !== null) return untyped('merchant_unsupported', why)
  if (button === undefined) return untyped('merchant_unsupported', 'No button that orders was found.')
  if (task.isTotalLater && button.isLast)
    return untyped('merchant_unsupported', 'The shop would be paid before it shows a total.')
  const { formAction } = button.action
  const action = formAction === '' ? [] : [new URL(formAction).origin]
  const origins = originsOf(form)
  const stranger = [...origins, ...action].find((origin) => !visit.mayTakeCard(origin))
  if (stranger !== undefined)
    return untyped('merchant_unsupported', `No card may be sent to ${URL.parse(stranger)?.hostname}.`)
  const [origin] = originsOf({ number: form.number })
  // One grant is good for one origin.
  if (origin === undefined || origins.length !== 1)
    return untyped('merchant_unsupported', 'The card is asked for in parts, by several hosts.')
  return { form, origin, isElsewhere, isReviewLater: !button.isLast }
}

/** Where the summary has no field for a card, its button leads to a page that has one. */
async function goToPaymentPage(
  task: ShopTask,
  page: PageSnapshot,
  { offer, isElsewhere }: { offer: Offer; isElsewhere: boolean },
): Promise<ShopPlaced | null> {
  const [button] = [...rankActions(page, 'continue'), ...rankActions(page, 'place_order')]
  if (button === undefined) return untyped('merchant_unsupported', 'No fields for a card were found.')
  const why = await proveStep(task, { form: button.form, isReview: true })
  if (why !== null) return untyped('merchant_unsupported', why)
  const pressed = await pressWhenAgreed(task, { offer, isElsewhere, choose: () => button })
  if (pressed.kind !== 'pressed')
    return pressed.kind === 'refused' ? { ...pressed, isTyped: false } : untyped('merchant_changed', null)
  await task.tab.settled()
  return null
}

/** The last reading and the last click. */
async function order(
  task: ShopTask,
  {
    offer,
    form,
    before,
    isElsewhere,
    isReviewLater,
  }: Ready & { readonly offer: Offer; readonly before: string },
): Promise<ShopPlaced> {
  const cardPage = isReviewLater ? await task.tab.read() : null
  const choose = (page: PageSnapshot) => buttonOf(page, form)?.action
  const pressed = await pressWhenAgreed(task, { offer, isElsewhere, choose, before })
  if (pressed.kind === 'refused') return pressed
  if (cardPage !== null && pressed.kind === 'pressed') return orderAfterReview(task, { offer, cardPage })
  await task.tab.visit.at('page.clicked')
  return readOutcome(task, { offer, before })
}
