import type { BuyerField, ReaderPage } from '../../channels/browser/page-reader.ts'
import type { ShopRequest } from '../../channels/browser/shopping-words.ts'
import { intentOf, rankActions } from '../reading/action-of.ts'
import { assignFields } from '../reading/field-of.ts'
import { kindOf } from '../reading/page-kind.ts'
import type { Action, Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { paymentMethods } from '../reading/payment-methods.ts'
import { productOf } from '../reading/product-of.ts'
import { readerPageOf } from '../reading/reader-page.ts'
import { variantGroups } from '../reading/variant-groups.ts'
import type { Intent } from '../reading/words/shop-words.ts'
import { findWords } from '../reading/words/words.ts'
import { type Entry, entryFor, unasked } from './buyer-fields.ts'
import { secretFields } from './card-fields.ts'
import type { ShopTask } from './shop-task.ts'
import { summaryOf } from './summary.ts'

/**
 * Whether a reader of pages may be asked here at all. Where a page asks for a payment, or for a proof of a person, each press can order or
 * lie: there the rules are alone.
 */
export function mayAsk({ request, tab }: ShopTask, page: PageSnapshot): boolean {
  if (!isAtShop(request, page.url) || withoutReader.has(kindOf(page).kind)) return false
  const own = new URL(page.url).origin
  const takesCard = page.frames.some(
    ({ origin, isVisible }) =>
      isVisible && origin !== own && URL.canParse(origin) && tab.visit.mayTakeCard(origin),
  )
  return !takesCard && !asksForPayment(page)
}

const withoutReader: ReadonlySet<ReturnType<typeof kindOf>['kind']> = new Set([
  'payment',
  'review',
  'confirmation',
  'processing',
  'sign_in',
  'captcha',
])

function asksForPayment(page: PageSnapshot): boolean {
  if (paymentMethods(page).length > 0) return true
  return [...assignFields(page).values()].some((field) => secretFields.has(field))
}

/** The shop's own hosts, and those that an operator has named for it. Hosts of payment companies are none. */
export function isAtShop(
  { merchantDomain, site, moreHosts }: Pick<ShopRequest, 'merchantDomain' | 'site' | 'moreHosts'>,
  address: string,
): boolean {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:') return false
  const host = url.hostname
  const isOwn = host === merchantDomain || host.endsWith(`.${merchantDomain}`)
  return isOwn || url.origin === site || moreHosts.includes(host)
}

type Pressed = { readonly ref: number; readonly name: string }

/** Whether a reader may have this pressed: what orders, pays or leaves is not, and what has another name by now is not either. */
export function mayPress(task: ShopTask, page: PageSnapshot, pressed: Pressed): boolean {
  if (!mayAsk(task, page) || isOfGoods(page, pressed.ref)) return false
  const shown = readerPageOf(page, { aim: 'go_to_payment', request: task.request })
  if (shown.elements.find(({ ref }) => ref === pressed.ref)?.name !== pressed.name) return false
  const control = page.controls.find(({ ref }) => ref === pressed.ref)
  const action = page.actions.find(({ ref }) => ref === pressed.ref)
  if (control !== undefined && !mayCheck(page, control)) return false
  // A box of the browser's own is no button, whatever a script makes of it.
  if (action === undefined) return control !== undefined
  return mayFollow(task, action) && !mayOrder(task, page, action)
}

function mayCheck(page: PageSnapshot, { ref, kind, label, isDisabled }: Control): boolean {
  const field = assignFields(page).get(ref)
  const isWanted = field === undefined || !unasked.has(field)
  const isBox = kind === 'checkbox' || kind === 'radio'
  return !isDisabled && isWanted && isBox && !saysToOrder(label, page)
}

function saysToOrder(text: string, { language }: PageSnapshot): boolean {
  return findWords('actions', text.slice(0, 200), language).some(({ key }) => ordering.has(key))
}

/** A link or a form that leads elsewhere is not followed; where it leads by a script, the guard of the visit sees. */
function mayFollow({ request }: ShopTask, { role, href, formAction, isDisabled }: Action): boolean {
  if (isDisabled || (formAction !== '' && !isAtShop(request, formAction))) return false
  return role !== 'link' || href === '' || href.startsWith('javascript:') || isAtShop(request, href)
}

/**
 * Whether to press this could order. Its words say so; or no word is known, and the shop knows by now who buys and shows what all of it
 * costs, so that it could be the last button of a page that says so in its own way.
 */
function mayOrder(task: ShopTask, page: PageSnapshot, action: Action): boolean {
  const intent = intentOf(action, page.language)
  if (intent !== null && ordering.has(intent)) return true
  // A link may be about buying; a button that speaks of it does it.
  if (action.role !== 'link' && saysToOrder(action.name, page)) return true
  if (rankActions(page, 'place_order').some(({ ref }) => ref === action.ref)) return true
  return intent === null && task.isIntroduced && summaryOf(task, page) !== null
}

/** `other` leads to wallets and lenders. */
const ordering: ReadonlySet<Intent> = new Set(['place_order', 'buy_now', 'subscribe', 'pay_by_card', 'other'])

/** Which of the goods, and how many, was said by the buyer and chosen by the rules. */
function isOfGoods(page: PageSnapshot, ref: number): boolean {
  if (assignFields(page).get(ref) === 'quantity') return true
  const { kind } = kindOf(page)
  if (kind !== 'product') return false
  return variantGroups(page, productOf(page)).some(({ options }) => options.some((one) => one.ref === ref))
}

/** What a field is filled with; null where the reader may not have it filled, or the buyer has no such thing. */
export function typedBy(
  { request }: ShopTask,
  page: PageSnapshot,
  { ref, field }: { ref: number; field: BuyerField },
): Entry | null {
  const control = openControl(page, ref)
  return control === null ? null : entryFor(page, request, { control, field })
}

/** Which option is chosen; null where it may not be, or is not there any more. */
export function chosenBy(
  task: ShopTask,
  page: PageSnapshot,
  { ref, option, shown }: { ref: number; option: string; shown: ReaderPage },
): Entry | null {
  const control = openControl(page, ref)
  if (control?.kind !== 'select' || isOfGoods(page, ref)) return null
  const position = shown.elements.find((one) => one.ref === ref)?.options.indexOf(option) ?? -1
  const now = readerPageOf(page, { aim: shown.aim, request: task.request })
  if (now.elements.find((one) => one.ref === ref)?.options[position] !== option) return null
  const chosen = control.options[position]
  if (chosen === undefined || chosen.isDisabled || saysToOrder(chosen.text, page)) return null
  return {
    control,
    text: chosen.value,
    field: assignFields(page).get(ref) ?? 'search',
    others: [],
    isOfGoods: false,
  }
}

function openControl(page: PageSnapshot, ref: number): Control | null {
  const control = page.controls.find((one) => one.ref === ref)
  if (control === undefined || control.isDisabled || control.type === 'password') return null
  const field = assignFields(page).get(ref)
  return field !== undefined && secretFields.has(field) ? null : control
}
