import { assignFields } from './field-of.ts'
import type { Action, PageSnapshot } from './page-snapshot.ts'
import type { Intent } from './words/shop-words.ts'
import { findWords, type Match, tokensOf } from './words/words.ts'

/** The actions of a page that do this, the likeliest first. What is disabled or belongs to the navigation is not among them. */
export function rankActions(snapshot: PageSnapshot, intent: Intent): Action[] {
  const sameShop = originOf(snapshot.url)
  return snapshot.actions
    .filter((action) => !action.isDisabled && !isOnlyNavigation(action, intent))
    .map((action) => ({ action, score: scoreOf(action, intent, snapshot) }))
    .filter(({ score }) => score > 0)
    .map(({ action, score }) => ({
      action,
      score: score + weightOf(action, intent, snapshot) - (leadsAway(action, sameShop) ? 15 : 0),
    }))
    .sort((a, b) => b.score - a.score)
    .map(({ action }) => action)
}

/**
 * What an action does by its name; null where no word says it. Where a name says two things, the graver one: `Save and pay` orders.
 */
export function intentOf(action: Action, language = ''): Intent | null {
  const said = saidBy(action, language)
  if (isCross(action.name)) return action.form === null || action.isInDialog ? 'close' : 'remove'
  const longest = Math.max(0, ...said.matches.map(({ length }) => length))
  const best = said.matches.filter(({ length }) => length === longest)
  if (longest === 0 || longest / said.size < leastShare) return null
  return gravest.find((intent) => best.some(({ key }) => key === intent)) ?? best[0]?.key ?? null
}

/** A phrase that is a smaller part of a name than this is not what the name says: `Read how our checkout has changed since May`. */
const leastShare = 0.3

/** Where a name says several things with phrases of the same length, what comes first here counts. */
const gravest: readonly Intent[] = [
  'other',
  'place_order',
  'buy_now',
  'subscribe',
  'remove',
  'add_to_cart',
  'checkout',
]

/** What is weak is said beside many other things. */
const weak: ReadonlySet<Intent> = new Set(['continue', 'close', 'accept_cookies', 'view_cart'])

/** 0: the action does not do this. */
function scoreOf(action: Action, intent: Intent, snapshot: PageSnapshot): number {
  if (isCross(action.name)) return isClosing(action, intent) ? 60 : 0
  const { matches, size } = saidBy(action, snapshot.language)
  const own = matches.filter(({ key }) => key === intent)
  const length = Math.max(0, ...own.map((match) => match.length))
  const others = matches.filter(({ key }) => key !== intent)
  if (length > 0) {
    if (isOutweighed(intent, length, others) || length / size < leastShare) return 0
    const isFirst = own.some(({ start }) => start === 0)
    return 40 + (100 * length) / size + (isFirst ? 10 : 0) + (length >= size ? 30 : 0)
  }
  if (intent === 'add_to_cart' && isSplitAdd(action.name, snapshot.language)) return 90
  return others.length === 0 ? scoreOfPlace(action, intent, snapshot) : 0
}

function isOutweighed(intent: Intent, length: number, others: readonly Match<Intent>[]): boolean {
  return others.some(
    (other) =>
      other.length > length ||
      (other.length === length &&
        ((weak.has(intent) && !weak.has(other.key) && other.key !== 'sign_in') || other.key === 'other')),
  )
}

/** A name that no word is known of may still lead where only one thing is done: `/cart/add`. */
function scoreOfPlace(action: Action, intent: Intent, snapshot: PageSnapshot): number {
  const places = placesOf.get(intent)
  const path = pathOf(action.href || action.formAction)
  if (places?.test(path) === true && !(intent === 'add_to_cart' && action.role === 'link')) return 25
  if (!isOnlyWayOn(action, snapshot)) return 0
  // What goes on from the fields of a card pays.
  return intent === (asksForCard(action, snapshot) ? 'place_order' : 'continue') ? 15 : 0
}

const cartWords =
  '(?:cart|bag|basket|trolley|warenkorb|panier|carrito|cesta|carrello|winkelwagen|winkelmand|carrinho|koszyk|varukorg|kundvagn|kurv)'
const placesOf: ReadonlyMap<Intent, RegExp> = new Map([
  [
    'add_to_cart',
    new RegExp(
      `(?:^|[/_.-])${cartWords}s?[/_.-](?:items?[/_.-])?(?:add|create|new|lines?)(?:$|[/_.-])|(?:^|[/_.-])add(?:item)?[/_.-]?(?:to)?[/_.-]?${cartWords}`,
      'u',
    ),
  ],
  ['view_cart', new RegExp(`(?:^|/)${cartWords}/?$`, 'u')],
  [
    'checkout',
    /(?:^|\/)(?:checkout|kasse|caisse|commande|finalizar-compra|cassa|afrekenen|zamowienie|kassa)\/?$/u,
  ],
])

/** The one submit of a form with several texts to fill in. */
function isOnlyWayOn(action: Action, snapshot: PageSnapshot): boolean {
  if (action.form === null || !(action.isSubmit || action.role !== 'link')) return false
  const texts = snapshot.controls.filter(({ form, kind }) => form === action.form && kind === 'text')
  const ways = snapshot.actions.filter(({ form, role }) => form === action.form && role !== 'link')
  return texts.length >= 2 && ways.length === 1
}

function asksForCard({ form }: Action, snapshot: PageSnapshot): boolean {
  const fields = assignFields(snapshot)
  return snapshot.controls.some((one) => one.form === form && fields.get(one.ref) === 'card_number')
}

/** What speaks for an action beside its name. */
function weightOf(action: Action, intent: Intent, snapshot: PageSnapshot): number {
  const size = Math.min(20, Math.log2(action.area + 1))
  const role = action.role === 'link' ? (ofLinks.has(intent) ? 8 : 0) : 10
  const submit = action.isSubmit && ofForms.has(intent) ? 15 : 0
  const dialog = action.isInDialog ? (ofDialogs.has(intent) ? 25 : 5) : 0
  const navigation = action.isInNavigation ? -50 : 0
  const choices = intent === 'add_to_cart' && hasChoices(action, snapshot) ? 20 : 0
  return size + role + submit + dialog + navigation + choices
}

const ofLinks: ReadonlySet<Intent> = new Set([
  'view_cart',
  'checkout',
  'as_guest',
  'continue_shopping',
  'have_code',
])
const ofForms: ReadonlySet<Intent> = new Set([
  'add_to_cart',
  'continue',
  'place_order',
  'apply_code',
  'sign_in',
  'as_guest',
])
const ofDialogs: ReadonlySet<Intent> = new Set([
  'accept_cookies',
  'reject_cookies',
  'close',
  'decline_offer',
  'keep_address',
])

/** The button of the product itself stands with its quantity and its choices, those of recommended goods do not. */
function hasChoices(action: Action, snapshot: PageSnapshot): boolean {
  return action.form !== null && snapshot.controls.some(({ form }) => form === action.form)
}

/** Links of header, footer and menus: they lead to the cart or to the sign-in, and to nothing else that a purchase needs. */
function isOnlyNavigation(action: Action, intent: Intent): boolean {
  return action.isInNavigation && action.role === 'link' && !ofNavigation.has(intent)
}

const ofNavigation: ReadonlySet<Intent> = new Set(['view_cart', 'checkout', 'sign_in', 'continue_shopping'])

function isClosing(action: Action, intent: Intent): boolean {
  return intent === 'close'
    ? action.isInDialog || action.form === null
    : intent === 'remove' && !action.isInDialog && action.form !== null
}

function isCross(name: string): boolean {
  return /^\s*[×✕✖✗✘╳⨯xX]\s*$/u.test(name)
}

/** What the words of a name say. Numbers do not count: `Pay $27.00`. */
function saidBy(action: Action, language: string): { matches: Match<Intent>[]; size: number } {
  const name = action.name.slice(0, 200)
  const size = tokensOf(name).filter((token) => !/^\p{N}+$|^(?:usd|eur|gbp|kr|zl|円)$/u.test(token)).length
  return { matches: findWords('actions', name, language), size: Math.max(1, size) }
}

/** `Add Kettle to cart`: the goods stand between the words. */
function isSplitAdd(name: string, language: string): boolean {
  const [first, ...rest] = tokensOf(name.slice(0, 200))
  if (first === undefined || rest.length > 16) return false
  return rest.some((_, index) =>
    findWords('actions', [first, ...rest.slice(index)].join(' '), language).some(
      ({ key, start, length }) =>
        key === 'add_to_cart' && start === 0 && length > 2 && length === rest.length - index + 1,
    ),
  )
}

function leadsAway(action: Action, origin: string | null): boolean {
  return action.role === 'link' && originOf(action.href) !== origin
}

function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null
}

function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname.toLowerCase() : ''
}
