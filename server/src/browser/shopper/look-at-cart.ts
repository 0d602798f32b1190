import { rankActions } from '../reading/action-of.ts'
import { kindOf } from '../reading/page-kind.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { saysDelivery } from '../reading/total-rows.ts'
import { controlFor } from './card-fields.ts'
import { noteConfirmed } from './confirm-names.ts'
import { type ShopTask, shows } from './shop-task.ts'
import { goodsOn, knownTotal, summaryOf } from './summary.ts'
import { isSamePage, leadsToItself } from './ways-on.ts'

/** The card is asked for before anybody has said what all of it costs: the cart says it, once. True: it was looked at. */
export async function lookAtCart(task: ShopTask, page: PageSnapshot): Promise<boolean> {
  const { cartUrl } = task
  if (cartUrl === null || task.hasLookedAtCart || isSamePage(cartUrl, page.url)) return false
  if (controlFor(page, 'card_number') === null || summaryOf(task, page) !== null) return false
  if (knownTotal(task) !== null) return false
  task.hasLookedAtCart = true
  await task.tab.open(cartUrl)
  await look(task, await task.tab.read())
  await task.tab.open(page.url)
  return true
}

/** What the page shows of the cart. */
export async function look(task: ShopTask, page: PageSnapshot): Promise<void> {
  task.cartUrl = cartLinkOn(page) ?? task.cartUrl
  noteConfirmed(task, page)
  const goods = goodsOn(task, page)
  const summary = summaryOf(task, page)
  // A cart need not have a total, and what has one shows what is in it.
  if (goods.kind === 'hidden' || (summary === null && kindOf(page).kind !== 'cart')) return
  if (task.goods === null) await shows(task, 'cart', summary?.text)
  task.goods = goods
  if (summary === null) return
  task.lastSummary = {
    summary,
    isWithDelivery: task.delivery !== null,
    saysDelivery: saysDelivery(page, { currency: task.request.currency, language: page.language }),
  }
}

/** Where a link to the cart leads, if it is another page of the shop. */
function cartLinkOn(page: PageSnapshot): string | null {
  const link = rankActions(page, 'view_cart').find(
    (action) => action.role === 'link' && action.href !== '' && !leadsToItself(action, page),
  )
  const isOwn = link !== undefined && URL.parse(link.href)?.origin === URL.parse(page.url)?.origin
  return isOwn ? link.href : null
}
