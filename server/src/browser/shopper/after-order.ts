import type { Offer, ShopPlaced, ShopPlaceRefusalCode } from '../../channels/browser/shopping-words.ts'
import { rankActions } from '../reading/action-of.ts'
import { kindOf } from '../reading/page-kind.ts'
import { orderNumberOf, type RefusalKind, refusalOf } from '../reading/page-says.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { controlFor } from './card-fields.ts'
import { judgePage } from './final-reading.ts'
import { type ShopTask, shows } from './shop-task.ts'
import { summaryOf } from './summary.ts'
import { VisitEnded } from './tab.ts'

/** How long the answer to an order, and a page that says that it is being processed, is waited for. */
const answerMs = 20_000
const lookMs = 250

/** Reads what became of an order: it is waited for, and never asked for again. */
export async function readOutcome(
  task: ShopTask,
  about: { offer: Offer; before: string },
): Promise<ShopPlaced> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), answerMs)
  const { promise, resolve } = Promise.withResolvers<ShopPlaced>()
  late.signal.addEventListener('abort', () => resolve(noConfirmation))
  try {
    return await Promise.race([watch(task, about, late.signal), promise])
  } finally {
    clearTimeout(timer)
    late.abort()
  }
}

const noConfirmation: ShopPlaced = { kind: 'unknown', why: 'no confirmation was read in time' }

async function watch(
  task: ShopTask,
  about: { offer: Offer; before: string },
  late: AbortSignal,
): Promise<ShopPlaced> {
  const { tab } = task
  let isShown = false
  while (!late.aborted) {
    await tab.settled(answerMs)
    const page = await tab.read()
    if (late.aborted) break
    if (!isShown && tab.traffic.navigations() > task.navigations) {
      isShown = true
      await shows(task, 'after_submit')
    }
    const outcome = outcomeOf(task, page, about)
    if (outcome?.kind === 'placed') await shows(task, 'confirmation', summaryOf(task, page)?.text)
    if (outcome !== null) return outcome
    await tab.traffic.change(lookMs)
  }
  return noConfirmation
}

/** What a page says of an order; null: nothing yet. */
function outcomeOf(
  task: ShopTask,
  page: PageSnapshot,
  { offer, before }: { offer: Offer; before: string },
): ShopPlaced | null {
  if (page.url.startsWith('chrome-error:'))
    return { kind: 'unknown', why: task.tab.traffic.failure() ?? 'the connection broke' }
  const { kind } = kindOf(page)
  const said = refusalOf(page, saidOfOrders)
  const typed = (code: ShopPlaceRefusalCode): ShopPlaced => ({
    kind: 'refused',
    code,
    message: said?.sentence ?? null,
    isTyped: true,
  })
  if (kind === 'confirmation') return placedBy(page)
  if (kind === 'error') return { kind: 'unknown', why: 'the page shows an error' }
  // The bank asks for what only its customer knows.
  if (controlFor(page, 'one_time_code') !== null) return typed('payment_authentication_failed')
  if (kind === 'processing') return null
  if (kind === 'empty_cart' || said?.kind === 'sold_out') return typed('product_out_of_stock')
  if (said?.kind === 'payment_declined' || said?.kind === 'payment_failed') return typed('payment_declined')
  const isSame = task.tab.traffic.navigations() === task.navigations && page.url === before
  if (isSame && said === null) return null
  // After the button, a page with the number of an order, or of such an address, and no way to order is a confirmation, whatever its words are.
  if (
    said === null &&
    page.url !== before &&
    kind !== 'payment' &&
    rankActions(page, 'place_order').length === 0 &&
    (orderNumberOf(page) !== null || isAddressOfSuccess(page.url))
  )
    return placedBy(page)
  const verdict = judgePage(task, page, { offer, isElsewhere: false })
  // The page of payment once more: it wants something else than was agreed to.
  if (verdict.kind === 'differs' && verdict.why !== 'payment') return typed('price_changed')
  return said?.kind === 'price_changed' ? typed('price_changed') : null
}

/** `checkout/success`, `order-received`, `thank-you`: shops call the page so in English, whatever they speak on it. */
function isAddressOfSuccess(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && success.test(decoded(url.pathname + url.search))
}

const success =
  /(?:^|[/=.&?_-])(?:success|thank[-_]?you|order[-_](?:received|confirmed|confirmation|completed?|placed|success)|checkout[-_/]confirmation)(?:$|[/=.&?_-])/iu

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const saidOfOrders: readonly RefusalKind[] = [
  'payment_declined',
  'payment_failed',
  'sold_out',
  'price_changed',
]

/** What a page of confirmation says. */
export function placedBy(page: PageSnapshot): ShopPlaced {
  const orderUrl = page.url.startsWith('https:') ? page.url : null
  return { kind: 'placed', orderId: orderNumberOf(page), orderUrl }
}

/** Whatever happens after the first digit was typed: what was ordered is not known. */
export async function orUnknown(work: Promise<ShopPlaced>): Promise<ShopPlaced> {
  try {
    return await work
  } catch (error) {
    const why = error instanceof VisitEnded ? 'the visit was ended' : 'the page was lost'
    return { kind: 'unknown', why }
  }
}
