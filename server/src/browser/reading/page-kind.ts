import { rankActions } from './action-of.ts'
import { guestOf, isOptionalPassword } from './choices-of.ts'
import { assignFields } from './field-of.ts'
import type { Control, PageSnapshot } from './page-snapshot.ts'
import { productOfJsonLd, productOfMicrodata } from './product-data.ts'
import type { Field, Intent, StateWord } from './words/shop-words.ts'
import { findWords } from './words/words.ts'

export type PageKind =
  | 'product'
  | 'cart'
  | 'checkout'
  | 'payment'
  | 'review'
  | 'confirmation'
  | 'processing'
  | 'sign_in'
  | 'captcha'
  | 'not_found'
  | 'error'
  | 'empty_cart'
  | 'unknown'

/** What a page is, and what says so. Text of the page decides nothing alone where a field or a button says more. */
export function kindOf(snapshot: PageSnapshot): {
  readonly kind: PageKind
  readonly reasons: readonly string[]
} {
  const signs = signsOf(snapshot)
  for (const [kind, judge] of judges) {
    const reasons = judge(signs)
    if (reasons.length > 0) return { kind, reasons }
  }
  return { kind: 'unknown', reasons: [] }
}

type Signs = {
  readonly snapshot: PageSnapshot
  /** What headings and title say. */
  readonly headed: ReadonlySet<StateWord>
  /** What its text says, line by line, in lines that are no paragraphs. */
  readonly said: ReadonlySet<StateWord>
  /** There is little else on the page than this. */
  readonly isShort: boolean
  readonly has: (...fields: Field[]) => boolean
  /** The only field that is there to be typed into, beside those of a search and a newsletter; null: there are more, or none. */
  readonly onlyField: Control | null
  readonly can: (intent: Intent) => boolean
}

function signsOf(snapshot: PageSnapshot): Signs {
  const { language, text, headings, title } = snapshot
  const assigned = assignFields(snapshot)
  const fields = new Set(assigned.values())
  const typed = snapshot.controls.filter(
    ({ kind, ref }) => kind === 'text' && !/^(?:search|newsletter)$/.test(assigned.get(ref) ?? ''),
  )
  const states = (lines: readonly string[]) =>
    new Set(lines.flatMap((line) => findWords('states', line, language).map(({ key }) => key)))
  const able = new Map<Intent, boolean>()
  return {
    snapshot,
    headed: states([title.slice(0, 300), ...headings.slice(0, 20).map((heading) => heading.slice(0, 300))]),
    said: states(
      text
        .slice(0, 20_000)
        .split('\n')
        .filter((line) => line.length <= 300),
    ),
    isShort: text.length < 1_500,
    onlyField: (typed.length === 1 ? typed[0] : null) ?? null,
    has: (...wanted) => wanted.some((field) => fields.has(field)),
    can: (intent) => {
      const known = able.get(intent) ?? rankActions(snapshot, intent).length > 0
      able.set(intent, known)
      return known
    },
  }
}

type Judge = (signs: Signs) => string[]

const judges: readonly [PageKind, Judge][] = [
  ['captcha', isCaptcha],
  ['confirmation', isConfirmation],
  ['payment', isPayment],
  ['processing', isProcessing],
  ['not_found', (signs) => stated(signs, 'not_found')],
  ['empty_cart', isEmptyCart],
  ['error', (signs) => stated(signs, 'error')],
  ['sign_in', isSignIn],
  ['review', isReview],
  ['checkout', isCheckout],
  ['product', isProduct],
  ['cart', isCart],
]

const captchaHosts =
  /(?:^|\.)(?:hcaptcha\.com|recaptcha\.net|challenges\.cloudflare\.com|arkoselabs\.com|funcaptcha\.com|captcha-delivery\.com|geetest\.com)$/u

function isCaptcha({ snapshot, headed, said, isShort, has }: Signs): string[] {
  const frame = snapshot.frames.some(
    ({ origin, title, isVisible }) =>
      isVisible &&
      ((URL.canParse(origin) && captchaHosts.test(new URL(origin).hostname)) ||
        /captcha|challenge/iu.test(title)),
  )
  const isSaid = headed.has('captcha') || said.has('captcha')
  // A badge in a corner of a checkout asks nobody for anything.
  if (has('card_number', 'line1', 'city')) return []
  if (headed.has('captcha') && isShort) return ['its heading asks for a human']
  if (frame && (isSaid || isShort)) return ['a frame asks for a human']
  return isSaid && isShort ? ['its text asks for a human'] : []
}

function isConfirmation({ headed, said, isShort, can, has }: Signs): string[] {
  if (has('card_number', 'card_code') || can('place_order') || can('add_to_cart')) return []
  if (headed.has('confirmation')) return ['its heading confirms an order']
  if (!said.has('confirmation')) return []
  return said.has('order_number') || isShort ? ['its text confirms an order'] : []
}

function isPayment({ has, snapshot, can, headed, said }: Signs): string[] {
  if (has('card_number', 'card_code', 'card_expiry')) return ['it has fields of a card']
  const frame = snapshot.frames.some(
    ({ origin, title, isVisible }) =>
      isVisible &&
      origin !== originOf(snapshot.url) &&
      /pay|card|secure|karte|zahl|carte|tarjeta|carta|kaart|cart[aã]o|kart|kort|カード/iu.test(title),
  )
  const isAbout = headed.has('payment') || said.has('payment')
  if (frame && isAbout) return ['a frame of another origin takes the card']
  const methods = snapshot.controls.some(
    ({ kind, label }) =>
      kind === 'radio' &&
      findWords('payments', label.slice(0, 200), snapshot.language).some(({ key }) => key !== 'method'),
  )
  return methods && can('place_order') && !has('line1', 'street')
    ? ['it lets one choose how to pay, and order']
    : []
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}

function isProcessing({ headed, said, isShort, snapshot, can }: Signs): string[] {
  if (snapshot.controls.some(({ kind }) => kind === 'text') || can('place_order') || can('add_to_cart'))
    return []
  if (headed.has('processing')) return ['its heading asks to wait']
  return said.has('processing') && isShort ? ['its text asks to wait'] : []
}

/** A state of the whole page: in its heading, or the only thing that it says. */
function stated({ headed, said, isShort, can, has }: Signs, state: StateWord): string[] {
  if (can('add_to_cart') || can('place_order') || has('line1', 'street', 'card_number')) return []
  if (headed.has(state)) return [`its heading says ${state}`]
  return said.has(state) && isShort && !can('checkout') ? [`its text says ${state}`] : []
}

function isEmptyCart({ headed, said, can, has }: Signs): string[] {
  if (has('line1', 'street') || can('place_order')) return []
  if (headed.has('empty_cart')) return ['its heading says that the cart is empty']
  // A drawer that is empty is on every page of a shop.
  return said.has('empty_cart') && !can('add_to_cart') ? ['its text says that the cart is empty'] : []
}

function isSignIn({ snapshot, has, can, headed, said, onlyField }: Signs): string[] {
  if (has('line1', 'street', 'city') || can('as_guest') || can('add_to_cart')) return []
  if (guestOf(snapshot) !== null || isOptionalPassword(snapshot)) return []
  if (has('password') && (can('sign_in') || headed.has('sign_in_needed')))
    return ['it asks for a password, and has no way for guests']
  if (has('one_time_code')) return ['it asks for a code']
  if (can('checkout')) return []
  const isSaid = headed.has('sign_in_needed') || said.has('sign_in_needed')
  if (isSaid && !has('email')) return ['it says that one has to sign in']
  // Guests are asked for an email address, too, but for that of a customer no more than where the password comes on the next page.
  if (onlyField === null || headed.has('checkout')) return []
  return isSaid || /\busername\b/.test(onlyField.autocomplete)
    ? ['it asks for the name of a customer, and for nothing else']
    : []
}

function isReview({ can, has, headed }: Signs): string[] {
  if (!can('place_order') || has('line1', 'street', 'city')) return []
  return [
    headed.has('review')
      ? 'its heading is of a review, and it can order'
      : 'it can order, and asks for nothing',
  ]
}

function isCheckout({ has, can, headed, snapshot }: Signs): string[] {
  if (has('line1', 'street', 'city', 'postal_code') && !can('add_to_cart')) return ['it asks for an address']
  if (can('add_to_cart')) return []
  const isThere =
    headed.has('checkout') || /checkout|kasse|caisse|zamowienie|afrekenen/u.test(pathOf(snapshot.url))
  if (isThere && (can('continue') || can('as_guest') || has('email'))) return ['it is a step of the checkout']
  return []
}

function isProduct({ can, snapshot, headed }: Signs): string[] {
  const hint = { currency: null, language: snapshot.language }
  const isDescribed = productOfJsonLd(snapshot, hint) !== null || productOfMicrodata(snapshot, hint) !== null
  const isCartPage = /\/(?:cart|bag|basket|warenkorb|panier|carrito|carrello|koszyk|varukorg)\/?$/u.test(
    pathOf(snapshot.url),
  )
  if (isCartPage) return []
  if (can('add_to_cart')) return ['it can add to the cart']
  if (isDescribed) return ['its data describes a product']
  return can('buy_now') && !headed.has('cart') && !can('checkout') ? ['it can buy at once'] : []
}

function isCart({ can, headed, snapshot }: Signs): string[] {
  const isThere =
    headed.has('cart') ||
    /(?:cart|bag|basket|warenkorb|panier|carrito|carrello|winkelwagen|carrinho|koszyk|varukorg)/u.test(
      pathOf(snapshot.url),
    )
  if (can('checkout') && (isThere || snapshot.rows.length > 0)) return ['it leads to the checkout']
  return isThere ? ['it is called a cart'] : []
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.toLowerCase() : ''
}
