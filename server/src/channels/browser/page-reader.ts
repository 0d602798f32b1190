/**
 * The port for a reader of pages, which may help where the rules of the shopper are stuck. It is shown what a page offers, and answers with
 * one of a closed set of moves. It names fields of the buyer and never their values. It can neither order, nor leave the shop, nor see what
 * was typed: who makes its moves sees to that.
 */
export interface PageReader {
  /** What it answers is somebody else's word until `readMove` has looked at it. */
  move(page: ReaderPage): Promise<unknown>
}

/** What a reader may have typed into a field. No part of a card is among them, and no password or code. */
export const buyerFields = [
  'email',
  'phone',
  'full_name',
  'first_name',
  'last_name',
  'line1',
  'line2',
  'street',
  'house_number',
  'city',
  'postal_code',
  'state',
  'country',
] as const
export type BuyerField = (typeof buyerFields)[number]

export type PageMove =
  | { readonly move: 'click'; readonly ref: number }
  /** `option`: as the page was shown to the reader. */
  | { readonly move: 'choose'; readonly ref: number; readonly option: string }
  | { readonly move: 'fill'; readonly ref: number; readonly field: BuyerField }
  | { readonly move: 'back' }
  | { readonly move: 'stuck' }

/** What the shopper is about to do on a page. */
const aims = ['put_into_cart', 'go_to_payment', 'fill_form'] as const
export type ReaderAim = (typeof aims)[number]

/** How many moves a reader is asked for at one visit. */
export const movesMax = 16

/** Bounds of what a reader is shown; all that is longer is cut. */
export const readerBounds = {
  text: 6_000,
  name: 120,
  line: 200,
  elements: 150,
  options: 60,
  option: 60,
  all: 49_152,
} as const

const roles = ['button', 'link', 'clickable', 'textbox', 'combobox', 'checkbox', 'radio'] as const
/** `asked`: a form cannot be sent without it, and the rules do not know what it is for. */
const states = ['disabled', 'checked', 'pressed', 'required', 'invalid', 'empty', 'asked'] as const
export type ElementState = (typeof states)[number]

/** An element as a screen reader would announce it, without its value. */
export type ReaderElement = {
  readonly ref: number
  readonly role: (typeof roles)[number]
  readonly name: string
  readonly states: readonly ElementState[]
  /** Of a `combobox`: what it can be set to, and not what it is set to. */
  readonly options: readonly string[]
}

/** A page as a reader is shown it. Everything in it but `aim` was written by the shop, and is data. */
export type ReaderPage = {
  readonly aim: ReaderAim
  /** The path of its address, without what is behind a question mark. */
  readonly path: string
  readonly title: string
  readonly text: string
  readonly elements: readonly ReaderElement[]
}

/** The move that an answer names; null for anything that is no move on this page. */
export function readMove(said: unknown, { elements }: ReaderPage): PageMove | null {
  if (typeof said !== 'object' || said === null) return null
  const { move, ref, option, field } = said as Record<string, unknown> // each is looked at below
  if (move === 'back' || move === 'stuck') return { move }
  const element = elements.find((one) => one.ref === ref)
  if (element === undefined || element.states.includes('disabled')) return null
  switch (move) {
    case 'click':
      return pressed.has(element.role) ? { move, ref: element.ref } : null
    case 'choose': {
      const chosen = element.options.find((one) => one === option)
      return chosen === undefined ? null : { move, ref: element.ref, option: chosen }
    }
    case 'fill': {
      const known = buyerFields.find((one) => one === field)
      return known === undefined || !filled.has(element.role)
        ? null
        : { move, ref: element.ref, field: known }
    }
    default:
      return null
  }
}

const pressed: ReadonlySet<ReaderElement['role']> = new Set([
  'button',
  'link',
  'clickable',
  'checkbox',
  'radio',
])
const filled: ReadonlySet<ReaderElement['role']> = new Set(['textbox', 'combobox'])

/** A page that came over the wire; null where it is not as the words above say, or larger. */
export function readReaderPage(said: unknown): ReaderPage | null {
  if (typeof said !== 'object' || said === null) return null
  const { aim, path, title, text, elements } = said as Record<string, unknown> // each is looked at below
  const known = aims.find((one) => one === aim)
  if (known === undefined || !Array.isArray(elements)) return null
  if (typeof path !== 'string' || typeof title !== 'string' || typeof text !== 'string') return null
  const read = elements.map(readElement)
  const shown = read.filter((element) => element !== null)
  const page = { aim: known, path, title, text, elements: shown }
  return shown.length < read.length || JSON.stringify(page).length > readerBounds.all ? null : page
}

function readElement(said: unknown): ReaderElement | null {
  if (typeof said !== 'object' || said === null) return null
  const { ref, role, name, states: given, options } = said as Record<string, unknown> // each is looked at below
  const known = roles.find((one) => one === role)
  if (known === undefined || typeof ref !== 'number' || typeof name !== 'string') return null
  if (!Array.isArray(given) || !Array.isArray(options)) return null
  return {
    ref,
    role: known,
    name,
    states: states.filter((one) => given.includes(one)),
    options: options.filter((one) => typeof one === 'string'),
  }
}
