import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Offer,
  ShopPrice,
  ShopRequest,
  ShopStop,
  ShopWay,
  ShopWayAnswer,
  ShopWayRequest,
} from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import { guestOf } from '../reading/choices-of.ts'
import { deliveryOptions } from '../reading/delivery-options.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { productOf } from '../reading/product-of.ts'
import { countryOf, currencyOf, demoBuyer, nobody } from './demo-buyers.ts'
import { goToPayment } from './go-to-payment.ts'
import { productOn } from './look-task.ts'
import { attempts, isBug, orWhyNot, readOffer, sessionExpired } from './price-task.ts'
import { putIntoCart } from './put-into-cart.ts'
import { openShopTask, type ShopTask, type Summary } from './shop-task.ts'
import { goodsOn, summaryOf } from './summary.ts'
import { openTab, type Tab } from './tab.ts'
import type { Visit } from './visit.ts'
import { wantedDelivery } from './wanted-delivery.ts'
import { WayNotes } from './way-notes.ts'
import { stepsOf } from './way-steps.ts'
import { withReason } from './why-stuck.ts'

/** How a way ended: with an offer, at the page that asks who buys or how it is paid, or before that. */
type Ended =
  | ShopPrice
  | { readonly kind: 'asks_buyer' }
  | { readonly kind: 'payment' }
  /** Something did not get into the cart. */
  | { readonly kind: 'not_in_cart' }
  | { readonly kind: 'late' }

/** How far it is by now. `stops`: why an item is not in the cart, by its id. */
type Progress = { readonly stops: Map<string, ShopStop>; isInCart: boolean }

/** Goes from the pages of the items towards the payment: as nobody, who types nothing, or as a buyer who is made up. It orders nothing. */
export async function runWayTask(
  visit: Visit,
  request: ShopWayRequest,
  longestMs: number,
): Promise<ShopWayAnswer> {
  const late = sleep(longestMs, { kind: 'late' } as const, { ref: false })
  const isNobodys = request.buyer === 'nobody'
  const where = await firstOf(shopAt(visit, request), late)
  if ('kind' in where) return tooLate
  const buyer = demoBuyer(where.country)
  const asked = shopRequestOf(request, { ...where, buyer: isNobodys ? nobody : buyer })
  const notes = new WayNotes()
  const opened = await openShopTask(visit, asked, { isNobodys })
  const task = { ...opened, tab: notes.over(opened.tab, { isNobodys }) }
  const progress: Progress = { stops: new Map(), isInCart: false }
  const ended = await firstOf(
    orWhyNot(task, () => walk(task, progress)),
    late,
  )
  if (ended.kind === 'late' && task.pages.size === 0) return tooLate
  if (ended.kind === 'unavailable' || ended.kind === 'no_room') return ended
  const { currency } = request
  const items = request.items.map(({ id }) => {
    const page = task.pages.get(id)
    const product = page === undefined ? null : productOn(page, currency)
    return { product, stop: progress.stops.get(id) ?? null }
  })
  const steps = stepsOf(notes, shopRequestOf(request, { ...where, buyer }))
  const reached = reachedBy(task, ended, progress)
  return {
    kind: 'way',
    items,
    currency: asked.currency,
    country: isNobodys ? null : where.country,
    mayBeGuest: mayBeGuest(notes, { reached, steps, stops: [stopOf(ended), ...progress.stops.values()] }),
    reached,
    stop: ended.kind === 'late' ? null : (withPlace(stopOf(ended), notes.last) ?? stuckAt(steps.at(-1))),
    isLate: ended.kind === 'late',
    sums: sumsOf(task, notes.last, ended),
    deliveries: deliveriesOn(task, notes),
    steps,
  }
}

const tooLate: ShopWayAnswer = { kind: 'unavailable', why: 'the shop did not answer in time' }

/** What is still under way when its time is over ends with its visit, and nobody hears how. */
function firstOf<A, B>(work: Promise<A>, late: Promise<B>): Promise<A | B> {
  work.catch(() => undefined)
  return Promise.race([work, late])
}

type Where = { readonly country: string; readonly currency: string }

/** Where a shop sells and what it is paid in. Where the currency is known and nobody buys, that is all that has to be known. */
async function shopAt(visit: Visit, { items, currency, buyer }: ShopWayRequest): Promise<Where> {
  if (currency !== null && buyer === 'nobody') return { country: 'US', currency }
  const tab = await openTab(visit)
  const [first] = items
  const page = first === undefined ? null : await pageAt(tab, first.url)
  if (page === null) return { country: 'US', currency: currency ?? 'USD' }
  const { price, variants } = productOf(page, currency)
  const said =
    currency ?? price?.currency ?? variants.find((one) => one.price !== null)?.price?.currency ?? null
  const country = countryOf(page, said)
  return { country, currency: said ?? currencyOf(country) }
}

/** Null: it cannot be read, for reasons that the way will come across as well. */
async function pageAt(tab: Tab, url: string): Promise<PageSnapshot | null> {
  try {
    await tab.open(url)
    return await tab.read()
  } catch (error) {
    if (isBug(error)) throw error
    return null
  }
}

function shopRequestOf(
  { merchantDomain, site, moreHosts, items, fulfillment }: ShopWayRequest,
  { currency, buyer }: Where & Pick<ShopRequest, 'buyer'>,
): ShopRequest {
  return {
    cart: 'look',
    attempt: 1,
    buyer,
    merchantDomain,
    site,
    moreHosts,
    items: items.map((item) => ({ ...item, unitAmount: 0n, title: null })),
    startAt: null,
    currency,
    fulfillment,
    promoCode: null,
  }
}

async function walk(task: ShopTask, progress: Progress): Promise<Ended> {
  for (let attempt = 1; ; attempt++) {
    for (const item of task.request.items) {
      const said = await putIntoCart(task, item)
      if (said?.kind === 'unavailable') return said
      const stop = said === null ? null : withPlace(stopOf(said), await task.tab.read())
      if (stop !== null) progress.stops.set(item.id, stop)
    }
    // A cart without one of them is not what would be bought.
    if (progress.stops.size > 0) return { kind: 'not_in_cart' }
    progress.isInCart = true
    const arrival = await goToPayment(task)
    if (arrival.kind === 'payment' && !task.isNobodys) return readOffer(task)
    if (arrival.kind !== 'expired') return arrival
    if (attempt === attempts) return sessionExpired
  }
}

function stopOf(ended: Ended): ShopStop | null {
  switch (ended.kind) {
    case 'refused':
      return { code: ended.code, message: ended.message }
    case 'sign_in':
    case 'needs_input':
      return { code: ended.kind, message: ended.message }
    default:
      return null
  }
}

/** What is required where the way ends, and what nobody has or is asked for. */
function stuckAt(step: ShopWay['steps'][number] | undefined): ShopStop | null {
  const stuck = step?.controls.find(({ fate }) => fate === 'stuck' || fate === 'secret')
  if (step === undefined || stuck === undefined) return null
  const what =
    stuck.fate === 'secret' ? 'asks for a secret' : 'is required, and the purchase has nothing for it'
  const message = `“${stuck.label}” at ${new URL(step.url).hostname} ${what}.`
  return { code: 'merchant_unsupported', message }
}

/** Where the shop does not say why, the page says where it was. */
function withPlace(stop: ShopStop | null, page: PageSnapshot | null): ShopStop | null {
  if (stop?.code !== 'merchant_unsupported' || page === null) return stop
  return { ...stop, message: withReason({ kind: 'refused', ...stop }, { page, answers: [] }).message }
}

function reachedBy(
  { isIntroduced, isNobodys }: ShopTask,
  { kind }: Ended,
  { isInCart }: Progress,
): ShopWay['reached'] {
  if (!isInCart) return 'product'
  if (kind === 'offer' || kind === 'payment') return 'payment'
  return kind === 'asks_buyer' || (isIntroduced && !isNobodys) ? 'buyer' : 'cart'
}

/** Who is asked for a name without having signed in buys as a guest, unless a password is required there. */
function mayBeGuest(notes: WayNotes, { reached, steps, stops }: Told): boolean | null {
  if (stops.some((stop) => stop?.code === 'sign_in')) return false
  const pages = notes.steps.flatMap((step) => step.pages)
  if (pages.some((page) => guestOf(page) !== null || rankActions(page, 'as_guest').length > 0)) return true
  if (reached !== 'buyer' && reached !== 'payment') return null
  return !steps.some(({ controls }) =>
    controls.some(({ field, fate }) => fate === 'secret' && field === 'password'),
  )
}

type Told = Pick<ShopWay, 'reached' | 'steps'> & { readonly stops: readonly (ShopStop | null)[] }

/** What the cart costs so far. What a summary does not have a row for is not known. */
function sumsOf(task: ShopTask, page: PageSnapshot | null, ended: Ended): ShopWay['sums'] {
  if (ended.kind === 'offer') return sumsOfOffer(ended.offer)
  const shown = page !== null && goodsOn(task, page).kind === 'wanted' ? summaryOf(task, page) : null
  const summary: Summary | null = shown ?? task.lastSummary?.summary ?? null
  if (summary === null || (summary.currency !== null && summary.currency !== task.request.currency))
    return null
  const { parts, total } = summary
  const known = (part: bigint | undefined) => (part === undefined || part === 0n ? null : part)
  return {
    subtotal: parts === null ? null : parts.subtotal + parts.fees,
    fulfillment: known(parts?.fulfillment),
    tax: parts?.isTaxIncluded === true ? 0n : known(parts?.tax),
    discount: known(parts?.discount),
    total,
  }
}

function sumsOfOffer({ subtotal, fulfillment, tax, discount, total }: Offer): ShopWay['sums'] {
  return { subtotal, fulfillment, tax, discount, total }
}

/** The ways of delivery that a page has shown last. */
function deliveriesOn({ request }: ShopTask, { steps }: WayNotes): ShopWay['deliveries'] {
  const shown = steps
    .flatMap(({ pages }) => pages)
    .map((page) => deliveryOptions(page, request.currency))
    .findLast((options) => options.length > 0)
  if (shown === undefined) return []
  const wanted = wantedDelivery(shown, request.fulfillment)
  return shown.map((one) => ({
    label: one.label,
    amount: one.amount,
    isTaken: one.ref === wanted?.ref && one.value === wanted.value,
  }))
}
