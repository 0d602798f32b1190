import type { Control } from './page-snapshot.ts'
import { tokensOf } from './words/words.ts'

/** The brands of cards, as lists call them, and the numbers that theirs begin with. */
const brands: readonly { readonly called: RegExp; readonly begins: RegExp }[] = [
  { called: /^visa\b(?! electron)/u, begins: /^4/u },
  { called: /^master ?card\b|^master$|^mc$|^eurocard/u, begins: /^(?:5[1-5]|2[2-7])/u },
  { called: /^american express|^amex|^ae$/u, begins: /^3[47]/u },
  { called: /^discover/u, begins: /^6(?:011|4|5)/u },
  { called: /^diners/u, begins: /^3(?:0|6|8)/u },
  { called: /^jcb/u, begins: /^35/u },
  { called: /^maestro|^switch/u, begins: /^(?:5[06-8]|6)/u },
]

/** Whether a list asks of which brand the card is: no way to pay, and none of its own. */
export function isListOfBrands({ kind, options }: Pick<Control, 'kind' | 'options'>): boolean {
  if (kind !== 'select') return false
  return brands.filter(({ called }) => options.some(({ text }) => called.test(plain(text)))).length >= 2
}

/** The option for a card of this number; null where its brand is not in the list. */
export function optionOfBrand({ options }: Pick<Control, 'options'>, number: string): string | null {
  const own = brands.find(({ begins }) => begins.test(number))
  return options.find(({ text }) => own?.called.test(plain(text)) === true)?.value ?? null
}

function plain(text: string): string {
  return tokensOf(text).join(' ')
}
