import type { Control } from './page-snapshot.ts'
import { findState } from './states.ts'
import { tokensOf } from './words/words.ts'

export type WantedOption = {
  /** ISO 3166-1 alpha-2, and names beyond those that are known. */
  readonly country?: { readonly code: string; readonly names?: readonly string[] }
  /** As an address has it: a code, a name, or both. `country` says whose. */
  readonly state?: {
    readonly code?: string | null
    readonly name?: string | null
    readonly country?: string | null
  }
  readonly month?: number
  /** With its century. */
  readonly year?: number
}

/** The value of the option that means what is wanted; null where none or several do. */
export function chooseOption(control: Pick<Control, 'options'>, wanted: WantedOption): string | null {
  const options = control.options.filter(({ isDisabled }) => !isDisabled)
  if (wanted.country !== undefined) return pick(options, countryTexts(wanted.country))
  if (wanted.state !== undefined) return pick(options, stateTexts(wanted.state))
  if (wanted.month !== undefined) return pick(options, monthTexts(wanted.month))
  if (wanted.year !== undefined) return pick(options, yearTexts(wanted.year))
  return null
}

type Options = Control['options']
type Texts = { readonly codes: readonly string[]; readonly names: readonly string[] }

/** The value or the text is what is wanted; else one option alone begins or ends with it. */
function pick(options: Options, { codes, names }: Texts): string | null {
  const all = new Set([...codes, ...names].map(plain).filter((text) => text !== ''))
  const exact =
    options.find(({ text }) => all.has(plain(text))) ?? options.find(({ value }) => all.has(plain(value)))
  if (exact !== undefined) return exact.value
  const within = options.filter(({ text, value }) => {
    const padded = ` ${plain(text)} `
    const isNamed = names.some((name) => startsOrEnds(padded, plain(name)))
    const isCoded = codes.some(
      (code) => startsOrEnds(padded, plain(code)) || plain(value).endsWith(` ${plain(code)}`),
    )
    return isNamed || isCoded
  })
  return within.length === 1 ? (within[0]?.value ?? null) : null
}

function startsOrEnds(padded: string, text: string): boolean {
  return text !== '' && (padded.startsWith(` ${text} `) || padded.endsWith(` ${text} `))
}

function plain(text: string): string {
  return tokensOf(text.slice(0, 200)).join(' ')
}

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ja']

/** Names of countries that are written beside those that `Intl` has. */
const alsoCalled: Readonly<Record<string, string>> = {
  US: 'usa|united states of america|u s a|vereinigte staaten von amerika|etats unis d amerique|estados unidos de america',
  GB: 'uk|great britain|england|united kingdom of great britain and northern ireland|grossbritannien|grande bretagne',
  NL: 'holland|the netherlands',
  CZ: 'czech republic|tschechische republik',
  KR: 'korea republic of|republic of korea',
  IE: 'republic of ireland',
  TR: 'turkey',
  HK: 'hong kong',
  DE: 'federal republic of germany',
}

/** Which country a text is the name of, and of nothing else; null for any other text. */
export function countryNamed(text: string, language: string): string | null {
  if (findState(null, text) !== null) return null
  const name = plain(text)
  for (const spoken of new Set([language.split('-')[0] ?? '', 'en']))
    if (languages.includes(spoken)) {
      const found = namesIn(spoken).get(name)
      if (found !== undefined) return found
    }
  return null
}

const named = new Map<string, ReadonlyMap<string, string>>()

function namesIn(language: string): ReadonlyMap<string, string> {
  const known = named.get(language)
  if (known !== undefined) return known
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const found = new Map(
    letters
      .flatMap((first) => letters.map((second) => first + second))
      .flatMap((code) => {
        const name = names.of(code)
        // A code that is no longer used has the name of the one that replaced it: `UK`, `DD`.
        const { region = code } = new Intl.Locale(`und-${code}`)
        return name === undefined ? [] : [[plain(name), region] as const]
      }),
  )
  named.set(language, found)
  return found
}

function countryTexts({ code, names = [] }: { code: string; names?: readonly string[] }): Texts {
  const upper = code.toUpperCase()
  const known = /^[A-Z]{2}$/u.test(upper)
    ? languages.flatMap((language) =>
        (['long', 'short'] as const).map((style) =>
          new Intl.DisplayNames(language, { type: 'region', style }).of(upper),
        ),
      )
    : []
  const also = Object.hasOwn(alsoCalled, upper) ? (alsoCalled[upper] ?? '').split('|') : []
  const all = [...names, ...known.filter((name) => name !== undefined && name !== upper), ...also]
  return { codes: [upper], names: all.filter((name) => name !== undefined) }
}

function stateTexts(state: NonNullable<WantedOption['state']>): Texts {
  const given = [state.code, state.name].filter((text) => typeof text === 'string' && text !== '')
  const country = state.country ?? null
  const known = given.map((text) => findState(country, text ?? '')).find((found) => found !== null)
  const code = known?.code ?? state.code ?? ''
  return {
    codes: country === null ? [code] : [code, `${country}-${code}`],
    names: [known?.name ?? '', ...given.map((text) => text ?? '')].filter((text) => text.length > 3),
  }
}

function monthTexts(month: number): Texts {
  const date = new Date(Date.UTC(2000, month - 1, 15))
  const names = languages.flatMap((language) =>
    (['long', 'short'] as const).map((style) =>
      new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' }).format(date),
    ),
  )
  return { codes: [String(month), String(month).padStart(2, '0')], names }
}

function yearTexts(year: number): Texts {
  return { codes: [String(year), String(year % 100).padStart(2, '0')], names: [] }
}
