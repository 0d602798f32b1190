/**
 * What our frame and the page of the payment processor say to each other. `hello` and `begin` go between the windows, with exact origins;
 * everything after them through the port that `begin` brings. No message has a field for anything of a card.
 */
const version = 1

/** The page's first word. */
type CardPageHello = {
  readonly prokura_cards: typeof version
  readonly kind: 'hello'
  readonly nonce: string
}

export type CardPageBegin = {
  readonly publishableKey: string
  readonly clientSecret: string
  readonly locale: string
  readonly look: CardPageLook
}

/** How the processor's own fields look. */
export type CardPageLook = { readonly isDark: boolean; readonly variables: Readonly<Record<string, string>> }

type CardPageConnect = CardPageBegin & {
  readonly prokura_cards: typeof version
  readonly kind: 'begin'
  readonly nonce: string
}

/** What our frame wants of the page: that it takes what was entered. */
export type ToCardPage = { readonly kind: 'confirm' }

export type FromCardPage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'change'; readonly complete: boolean }
  /** The processor has the card, and its bank has agreed. */
  | { readonly kind: 'entered' }
  /** Something is missing, and is marked there. */
  | { readonly kind: 'incomplete' }
  /** The sentence is the processor's, for the person. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The processor's fields cannot be shown. */
  | { readonly kind: 'failed' }

export function cardPageHello(nonce: string): CardPageHello {
  return { prokura_cards: version, kind: 'hello', nonce }
}

export function cardPageConnect(nonce: string, begin: CardPageBegin): CardPageConnect {
  return { prokura_cards: version, kind: 'begin', nonce, ...begin }
}

export function readCardPageHello(data: unknown): CardPageHello | null {
  const { prokura_cards, kind, nonce } = fieldsOf(data)
  return prokura_cards === version && kind === 'hello' && isText(nonce) ? cardPageHello(nonce) : null
}

export function readCardPageConnect(data: unknown): CardPageConnect | null {
  const { prokura_cards, kind, nonce, publishableKey, clientSecret, locale, look } = fieldsOf(data)
  if (prokura_cards !== version || kind !== 'begin') return null
  if (!isText(nonce) || !isText(publishableKey) || !isText(clientSecret) || !isText(locale)) return null
  const { isDark, variables } = fieldsOf(look)
  const texts = Object.entries(fieldsOf(variables)).flatMap(([name, value]) =>
    isText(value) ? [[name, value]] : [],
  )
  const shown = { isDark: isDark === true, variables: Object.fromEntries(texts) }
  return cardPageConnect(nonce, { publishableKey, clientSecret, locale, look: shown })
}

export function readToCardPage(data: unknown): ToCardPage | null {
  const { kind } = fieldsOf(data)
  return kind === 'confirm' ? { kind } : null
}

export function readFromCardPage(data: unknown): FromCardPage | null {
  const { kind, height, complete, message } = fieldsOf(data)
  if (kind === 'ready' || kind === 'entered' || kind === 'incomplete' || kind === 'failed') return { kind }
  if (kind === 'height')
    return typeof height === 'number' && height >= 0 && height <= heightMax ? { kind, height } : null
  if (kind === 'change') return typeof complete === 'boolean' ? { kind, complete } : null
  return kind === 'refused' && isText(message) ? { kind, message: message.slice(0, messageMax) } : null
}

/** More pixels than any form has. */
const heightMax = 5_000
const messageMax = 500

function fieldsOf(data: unknown): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
    ? (data as Record<string, unknown>) // its fields are checked by who reads them
    : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
