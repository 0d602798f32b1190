import { rankActions } from '../reading/action-of.ts'
import { choicesOf } from '../reading/choices-of.ts'
import { kindOf } from '../reading/page-kind.ts'
import type { Action, PageSnapshot } from '../reading/page-snapshot.ts'
import type { Intent } from '../reading/words/shop-words.ts'
import type { ShopTask } from './shop-task.ts'

const intents = [
  'decline_offer',
  'keep_address',
  'as_guest',
  'checkout',
  'continue',
  'view_cart',
] as const satisfies readonly Intent[]

/** So many of one kind are tried, the likeliest first. */
const ofOneKind = 3

/** What leads one step further and orders nothing, the likeliest first. */
export function waysOn(task: ShopTask, page: PageSnapshot): Action[] {
  const filled = filledForms(task, page)
  const fields = new Set(page.controls.map(({ ref }) => ref))
  const choosesInWindow = choicesOf(page).some(
    ({ isInDialog, about }) => isInDialog && (about === 'delivery' || about === 'payment'),
  )
  const isOfGoods = kindOf(page).kind === 'product'
  const ways = intents.flatMap((intent, order) =>
    // Who has been asked who buys is past the cart.
    (intent === 'view_cart' && task.isIntroduced ? [] : rankActions(page, intent))
      // Beside the goods, what goes on sends a review of them, or a question.
      .filter(
        ({ ref, isInDialog }) => !fields.has(ref) && !(isOfGoods && intent === 'continue' && !isInDialog),
      )
      .slice(0, ofOneKind)
      .map((action) => ({ action, rank: rankOf(action, { intent, order, filled, choosesInWindow, page }) })),
  )
  return [...new Set(ways.sort((a, b) => a.rank - b.rank).map(({ action }) => action))]
}

/** The button of what was filled in. It is pressed before anything that its form has to be known for. */
export function isOfFilled(task: ShopTask, page: PageSnapshot, { role, form }: Action): boolean {
  return role !== 'link' && filledForms(task, page).has(form)
}

type About = {
  readonly intent: (typeof intents)[number]
  readonly order: number
  readonly filled: ReadonlySet<number | null>
  readonly choosesInWindow: boolean
  readonly page: PageSnapshot
}

/** The button of what was filled in comes before all that only leads on, and a link to the page itself is the last resort. */
function rankOf(action: Action, { intent, order, filled, choosesInWindow, page }: About): number {
  if (leadsToItself(action, page)) return 100 + order
  if (choosesInWindow && action.isInDialog) return 0
  const isOfForm = action.role !== 'link' && (intent === 'continue' || intent === 'checkout')
  return isOfForm && filled.has(action.form) ? 20 : 10 * (order + 1) + (order > 2 ? 10 : 0)
}

/** A link to the page that it stands on, or to a part of it. */
export function leadsToItself({ role, href }: Action, { url }: PageSnapshot): boolean {
  return role === 'link' && href !== '' && isSamePage(href, url)
}

/** The same page, or parts of it. */
export function isSamePage(one: string, other: string): boolean {
  return withoutPart(one) === withoutPart(other)
}

function withoutPart(address: string): string {
  return address.split('#')[0]?.replace(/\/$/u, '') ?? ''
}

/** The forms that something of the buyer's was typed into, as the page stands. */
function filledForms(task: ShopTask, page: PageSnapshot): Set<number | null> {
  const typed = new Set([...task.typed.values()].map(({ entry }) => entry.control.ref))
  return new Set(page.controls.filter(({ ref }) => typed.has(ref)).map(({ form }) => form))
}
