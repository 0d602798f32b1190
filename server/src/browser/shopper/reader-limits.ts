import type { BuyerField, ReaderPage } from '../../channels/browser/page-reader.ts'
import type { ShopRequest } from '../../channels/browser/shopping-words.ts'
import { isAboutPeople } from '../../core/about-people.ts'
import { intentOf, rankActions } from '../reading/action-of.ts'
import { choicesOf } from '../reading/choices-of.ts'
import { addressPurposes, assignFields } from '../reading/field-of.ts'
import { readAmounts } from '../reading/money-text.ts'
import { mayBeCalled, namesOn, sameAs } from '../reading/named-fields.ts'
import { kindOf } from '../reading/page-kind.ts'
import type { Action, Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { paymentMethods } from '../reading/payment-methods.ts'
import { productOf } from '../reading/product-of.ts'
import { readerPageOf } from '../reading/reader-page.ts'
import { variantGroups } from '../reading/variant-groups.ts'
import type { Field, Intent } from '../reading/words/shop-words.ts'
import { findWords } from '../reading/words/words.ts'
import { requestAt } from './answered-fields.ts'
import { buyerEntries, type Entry, unasked } from './buyer-fields.ts'
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

function mayCheck(page: PageSnapshot, control: Control): boolean {
  const { ref, kind, label, near, name, form, isDisabled } = control
  const field = assignFields(page).get(ref)
  const isWanted = field === undefined || !unasked.has(field)
  const isBox = kind === 'checkbox' || kind === 'radio'
  if (isDisabled || !isWanted || !isBox || saysToOrder(label, page)) return false
  const group = page.controls.filter((one) => one.kind === 'radio' && one.name === name && one.form === form)
  const others = kind === 'radio' ? group.map((one) => `${one.label} ${one.near}`) : ['']
  return isOpenChoice(page, control) && !costsMore(`${label} ${near}`, others, page)
}

/**
 * What the rules understand they choose themselves: how it comes, how it is paid, what the buyer's own data say. What is about a person or a place
 * is a person's to say: another place is another parcel.
 */
function isOpenChoice(page: PageSnapshot, { ref, kind }: Control): boolean {
  if (kind === 'select' && assignFields(page).has(ref)) return false
  const choice = choicesOf(page).find(({ controls }) => controls.some((one) => one.ref === ref))
  if (choice === undefined) return true
  const about = choice.name.slice(0, 300)
  const isOfPerson = findWords('fields', about, page.language).some(({ key }) => ofPersons.has(key))
  const isPlace = isAboutPeople(about) || choice.alternatives.some(({ text }) => isPlaceLike(text))
  // guard readers-choose-no-places: where the goods go, no reader chooses
  return choice.about === 'other' && !isOfPerson && !isPlace
}

/** Points where parcels wait have an address, or a code. */
function isPlaceLike(text: string): boolean {
  return /\p{N}{4}|\p{N}.*,|,.*\p{N}/u.test(text.slice(0, 200)) && !/\p{Sc}/u.test(text)
}

const ofPersons: ReadonlySet<Field | 'other'> = new Set(['salutation', 'date_of_birth'])

/** A reader chooses what costs least: nobody has asked for more. */
function costsMore(text: string, others: readonly string[], { language }: PageSnapshot): boolean {
  const priceOf = (one: string) =>
    readAmounts(one.slice(0, 200), { currency: null, language })[0]?.amount ?? 0n
  return others.some((other) => priceOf(other) < priceOf(text))
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

/**
 * Lets a reader say what a field is for: one that the rules do not understand, within what is read of it all the same. The buyer has something
 * that fits it, and nothing else on the page is for the same. False: it stays unknown, and a person may be asked.
 */
export function nameField(
  task: ShopTask,
  page: PageSnapshot,
  { ref, field: said }: { ref: number; field: BuyerField },
): boolean {
  const control = openControl(page, ref)
  if (control === null) return false
  const known = assignFields(page).get(ref)
  // A street without a field for its number has the number in it.
  const field = said === 'street' ? 'line1' : said
  if (known !== undefined) return known === said || known === field
  const about = { language: page.language, isCityKnown: isCityKnown(page, control) }
  if (!mayBeCalled(control, field, about) || isGivenElsewhere(task, field)) return false
  const { names } = task.tab
  names.call(page, control, field)
  const now = names.putOn({ ...page })
  const isFilled = buyerEntries(now, requestAt(task, now)).some((entry) => entry.control.ref === ref)
  if (!isFilled) names.forget(page, control)
  return isFilled
}

/** The rules have found the city of the same address. */
function isCityKnown(page: PageSnapshot, { ref, form }: Control): boolean {
  const [fields, purposes, names] = [assignFields(page), addressPurposes(page), namesOn(page)]
  return page.controls.some(
    (one) =>
      one.form === form &&
      purposes.get(one.ref) === purposes.get(ref) &&
      fields.get(one.ref) === 'city' &&
      !names.has(one.ref),
  )
}

/** The shop has it by now, from a field that says so. */
function isGivenElsewhere({ typed }: ShopTask, field: Field): boolean {
  const same = sameAs(field)
  return [...typed.values()].some(({ entry }) => same.includes(entry.field) && !entry.isNamed)
}

/** Which option is chosen; null where it may not be, or is not there any more. */
export function chosenBy(
  task: ShopTask,
  page: PageSnapshot,
  { ref, option, shown }: { ref: number; option: string; shown: ReaderPage },
): Entry | null {
  const control = openControl(page, ref)
  if (control?.kind !== 'select' || isOfGoods(page, ref) || !isOpenChoice(page, control)) return null
  const position = shown.elements.find((one) => one.ref === ref)?.options.indexOf(option) ?? -1
  const now = readerPageOf(page, { aim: shown.aim, request: task.request })
  if (now.elements.find((one) => one.ref === ref)?.options[position] !== option) return null
  const chosen = control.options[position]
  if (chosen === undefined || chosen.isDisabled || saysToOrder(chosen.text, page)) return null
  const others = control.options.filter(({ value }) => value !== '').map(({ text }) => text)
  if (costsMore(chosen.text, others, page)) return null
  return {
    control,
    text: chosen.value,
    field: 'search',
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
