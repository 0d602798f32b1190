import type { ShopOffer, ShopPlaced } from '../../channels/browser/shopping-words.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { type Errand, hintOf, shows } from './errand.ts'
import { judgePage } from './final-reading.ts'
import { kindOf, orderNumberOf, refusalOf, totalsOf } from './read-page.ts'
import { VisitEnded } from './tab.ts'

/** How long the answer to an order, and a page that says that it is being processed, is waited for. */
const answerMs = 20_000
const lookMs = 250

/** Reads what became of an order: it is waited for, and never asked for again. */
export async function readOutcome(
  errand: Errand,
  about: { offer: ShopOffer; before: string },
): Promise<ShopPlaced> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), answerMs)
  const { promise, resolve } = Promise.withResolvers<ShopPlaced>()
  late.signal.addEventListener('abort', () => resolve(noConfirmation))
  try {
    return await Promise.race([watch(errand, about, late.signal), promise])
  } finally {
    clearTimeout(timer)
    late.abort()
  }
}

const noConfirmation: ShopPlaced = { kind: 'unknown', why: 'no confirmation was read in time' }

async function watch(
  errand: Errand,
  about: { offer: ShopOffer; before: string },
  late: AbortSignal,
): Promise<ShopPlaced> {
  const { tab } = errand
  let isShown = false
  while (!late.aborted) {
    await tab.settled(answerMs)
    const page = await tab.read()
    if (late.aborted) break
    if (!isShown && tab.traffic.navigations() > errand.navigations) {
      isShown = true
      await shows(errand, 'after_submit')
    }
    const outcome = outcomeOf(errand, page, about)
    if (outcome?.kind === 'placed')
      await shows(errand, 'confirmation', totalsOf(page, hintOf(errand, page)).totalText)
    if (outcome !== null) return outcome
    await tab.traffic.change(lookMs)
  }
  return noConfirmation
}

/** What a page says of an order; null: nothing yet. */
function outcomeOf(
  errand: Errand,
  page: PageSnapshot,
  { offer, before }: { offer: ShopOffer; before: string },
): ShopPlaced | null {
  const typed = (
    code: Extract<ShopPlaced, { kind: 'refused' }>['code'],
    message: string | null,
  ): ShopPlaced => ({
    kind: 'refused',
    code,
    message,
    isTyped: true,
  })
  if (page.url.startsWith('chrome-error:'))
    return { kind: 'unknown', why: errand.tab.traffic.failure() ?? 'the connection broke' }
  const said = refusalOf(page)
  switch (kindOf(page)) {
    case 'confirmation':
      return {
        kind: 'placed',
        orderId: orderNumberOf(page),
        orderUrl: page.url.startsWith('https:') ? page.url : null,
      }
    case 'challenge':
      return typed('payment_authentication_failed', said?.message ?? null)
    case 'processing':
      return null
    case 'empty_cart':
      return typed('product_out_of_stock', said?.message ?? null)
    case 'error':
      return { kind: 'unknown', why: 'the page shows an error' }
    default:
  }
  if (said?.isDecline === true) return typed('payment_declined', said.message)
  const verdict = judgePage(errand, page, { offer, isElsewhere: false })
  if (verdict.kind === 'differs' && verdict.why !== 'payment')
    return typed('price_changed', said?.message ?? null)
  if (said !== null && page.url === before) return typed('order_rejected_by_merchant', said.message)
  return null
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
