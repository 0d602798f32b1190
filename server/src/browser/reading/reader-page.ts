import {
  type ElementState,
  type ReaderAim,
  type ReaderElement,
  type ReaderPage,
  readerBounds,
} from '../../channels/browser/page-reader.ts'
import type { ShopRequest } from '../../channels/browser/shopping-words.ts'
import { visibleText } from '../../core/visible-text.ts'
import type { Action, Control, PageSnapshot } from './page-snapshot.ts'

type About = {
  readonly aim: ReaderAim
  readonly request: ShopRequest
  /** The controls that are asked about, by their `ref`. */
  readonly asked?: ReadonlySet<number>
}

/**
 * A page as a reader is shown it: roles, names and states, and no value of a field. Pages repeat what was typed into them, so the buyer's
 * own words are replaced by the names of their fields wherever they stand, and long numbers by a word.
 */
export function readerPageOf(page: PageSnapshot, { aim, request, asked = nobody }: About): ReaderPage {
  const cut = cutter(withoutBuyer(request))
  const about = {
    aim,
    path: cut(URL.parse(page.url)?.pathname ?? '', readerBounds.line),
    title: cut(page.title, readerBounds.line),
    text: cut(page.text, readerBounds.text),
  }
  const elements: ReaderElement[] = []
  let size = JSON.stringify({ ...about, elements }).length
  for (const element of elementsOf(page, asked).slice(0, readerBounds.elements)) {
    const name = cut(element.name, readerBounds.name)
    const options = element.options.slice(0, readerBounds.options)
    const shown = { ...element, name, options: options.map((one) => cut(one, readerBounds.option)) }
    size += JSON.stringify(shown).length + 1
    if (size > readerBounds.all) break
    elements.push(shown)
  }
  return { ...about, elements }
}

const nobody: ReadonlySet<number> = new Set()

/** The longest of the buyer's words: where a text is cut before they are replaced, a part of one may be left. */
const wordMax = 500

/** A page writes as much as it likes, and only a part of it is looked at. */
function cutter(plain: (text: string) => string): (text: string, longest: number) => string {
  return (text, longest) => {
    const most = 2 * longest + wordMax
    if (text.length <= most) return plain(text).slice(0, longest)
    return plain(text.slice(0, most)).slice(0, -wordMax).slice(0, longest)
  }
}

/** What lies over the page comes first, and what leads around in the shop last. */
function elementsOf({ controls, actions }: PageSnapshot, asked: ReadonlySet<number>): ReaderElement[] {
  const fields = new Set(controls.map(({ ref }) => ref))
  // A field that can be pressed as well is a field: what stands in it is no name.
  const pressable = actions.filter(({ ref }) => !fields.has(ref))
  const places = [
    ...controls.map((control) => ({
      place: control.isInDialog || asked.has(control.ref) ? 0 : 1,
      element: ofControl(control, asked.has(control.ref)),
    })),
    ...pressable.map((action) => ({
      place: action.isInDialog ? 0 : action.isInNavigation ? 2 : 1,
      element: ofAction(action),
    })),
  ]
  return places.sort((a, b) => a.place - b.place).flatMap(({ element }) => element ?? [])
}

function ofControl(control: Control, isAsked: boolean): ReaderElement | null {
  const { ref, kind, type, label, placeholder, near, group, name, options } = control
  // Nobody but code fills in a password, and nobody a file.
  if (kind === 'file' || type === 'password') return null
  // A list that a script draws shows what is chosen, and nothing else before it is opened.
  if (kind === 'list') return null
  const said = [group, label, placeholder, near].filter((text) => text !== '').join(', ')
  return {
    ref,
    role: kind === 'text' ? 'textbox' : kind === 'select' ? 'combobox' : kind,
    name: said || name,
    states: statesOf({
      disabled: control.isDisabled,
      checked: control.isChecked,
      required: control.isRequired,
      invalid: control.isInvalid,
      empty:
        kind === 'text'
          ? control.isEmpty
          : options.some(({ isSelected, value }) => isSelected && value === ''),
      asked: isAsked,
    }),
    options: options.map(({ text }) => text),
  }
}

function ofAction({ ref, role, name, isDisabled, isPressed }: Action): ReaderElement {
  return { ref, role, name, states: statesOf({ disabled: isDisabled, pressed: isPressed }), options: [] }
}

function statesOf(states: Partial<Record<ElementState, boolean>>): ElementState[] {
  return Object.entries(states).flatMap(([state, is]) => (is ? [state as ElementState] : [])) // its own keys
}

/** Shorter words are parts of others, or say nothing of a person. */
const wordMin = 3

/** Where a text repeats what the buyer is called, or where they live, the name of the field stands instead. */
export function withoutBuyer({ buyer, promoCode }: ShopRequest): (text: string) => string {
  const addresses = [buyer.shipTo, buyer.billTo].filter((address) => address !== null)
  const names = [buyer.name, ...addresses.map(({ recipientName }) => recipientName)]
  const words: (readonly [string, string | null])[] = [
    ['email', buyer.email],
    ['phone', buyer.phone],
    ...names.map((name) => ['name', name] as const),
    ...addresses.flatMap(({ line1, line2, city, postalCode }) => [
      ['line1', line1] as const,
      ['line2', line2] as const,
      ['postal_code', postalCode] as const,
      ['city', city] as const,
    ]),
    ...names.flatMap((name) => name.split(/\s+/)).map((name) => ['name', name] as const),
    ['promo_code', promoCode],
  ]
  const replaced = words.flatMap(([field, word]) =>
    word === null || word.trim().length < wordMin ? [] : [{ field, pattern: wordPattern(word.trim()) }],
  )
  return (text) =>
    replaced
      .reduce((rest, { field, pattern }) => rest.replace(pattern, `[${field}]`), visibleText(text))
      .replace(/\d(?:[ .-]?\d){11,}/gu, '[number]')
}

/** As a whole word, in any case, with whatever space a page puts between its parts. */
function wordPattern(word: string): RegExp {
  const parts = word.split(/\s+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])${parts.join('\\s+')}(?![\\p{L}\\p{N}])`, 'giu')
}
