/** Digits of every script that Intl knows, the ones that have no one character for each left out. */
const digitOf: ReadonlyMap<string, string> = new Map(
  Intl.supportedValuesOf('numberingSystem').flatMap((numberingSystem) => {
    const digits = [
      ...new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(9876543210),
    ]
    return digits.length === 10 ? digits.map((digit, at): [string, string] => [digit, String(9 - at)]) : []
  }),
)

/**
 * A text with the digits 0 to 9. Spaces that do not break are kept as a mark of groups. Two raised digits are cents; other such digits belong
 * to no number.
 */
export function plainDigits(text: string): string {
  return text
    .replaceAll('¦', ' ')
    .replace(/[\u200e\u200f\u061c\u2066-\u2069]/gu, '')
    .replace(/\p{Nd}/gu, (digit) => digitOf.get(digit) ?? digit)
    .replace(/(?<=\d)٬(?=\d{3})/gu, '’')
    .replace(/(?<=\d)،(?=\d)/gu, ',')
    .replace(/(?<=\d)[⁰¹²³⁴-⁹]{2}(?![⁰¹²³⁴-⁹])/gu, '¦$&')
    .replace(/(?<!¦[⁰¹²³⁴-⁹]?)[⁰¹²³⁴-⁹]|[₀-₉¼-¾⅐-⅞]/gu, 'z')
    .replace(/(?<=\d)[\u00a0\u202f\u2007\u2009](?=\d{3}(?!\d))/gu, '’')
    .normalize('NFKC')
    .replace(/\s/gu, ' ')
}

type Habits = {
  readonly decimal: '.' | ',' | null
  readonly groupsBySpace: boolean
  /** Words for thousands and more: `1.5 million`, `150 ribu`. */
  readonly multiples: RegExp
}

const habits = new Map<string, Habits>()

/** A page names any language, and each is looked up once. */
const habitsMax = 500

function habitsOf(language: string): Habits {
  const known = habits.get(language)
  if (known !== undefined) return known
  if (habits.size >= habitsMax) habits.clear()
  const found = readHabits(language)
  habits.set(language, found)
  return found
}

function readHabits(language: string): Habits {
  const locale = localeOf(language)
  const written = locale === null ? [] : new Intl.NumberFormat(locale).formatToParts(1234567.5)
  const decimal = written.find(({ type }) => type === 'decimal')?.value
  const group = written.find(({ type }) => type === 'group')?.value ?? ''
  const words = ['en', ...(locale === null ? [] : [locale])].flatMap(multiplesOf)
  const any = [...new Set(words)]
    .map((word) => word.normalize('NFKC').replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&'))
    .join('|')
  return {
    // In South Africa both are written.
    decimal: (decimal === '.' || decimal === ',') && language !== 'en-za' ? decimal : null,
    groupsBySpace: /^\s$/u.test(group) || /^(?:es|pt|da|no)(?:-|$)/u.test(language),
    multiples: new RegExp(`^ ?(?:${any})(?![\\p{L}\\p{M}])`, 'iu'),
  }
}

/** Null where a page names no language, or one that Intl has no data for. */
function localeOf(language: string): string | null {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? null
  } catch {
    return null
  }
}

function multiplesOf(locale: string): string[] {
  return (['short', 'long'] as const).flatMap((compactDisplay) => {
    const format = new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay })
    return [1e3, 2e3, 1e5, 1e6, 5e6, 1e7, 1e9].flatMap((number) =>
      format
        .formatToParts(number)
        .flatMap(({ type, value }) => (type === 'compact' && value.trim() !== '' ? [value.trim()] : [])),
    )
  })
}

/** Whether what follows a number makes more of it. */
export function isMultiplied(after: string, language: string): boolean {
  return (
    habitsOf(language).multiples.test(after.slice(0, 24)) ||
    /^ ?(?:k|lakhs?|crores?|تومان)(?!\p{L})/iu.test(after)
  )
}

export function groupsBySpace(language: string): boolean {
  return habitsOf(language).groupsBySpace
}

/** Null where it is not known. */
export function decimalSeparatorOf(language: string, currency: string | null): '.' | ',' | null {
  // Arabic with digits from 0 to 9 has a point from Egypt to the Gulf, and a comma in the Maghreb.
  if (language === 'ar') return ['MAD', 'DZD', 'TND', 'LYD'].includes(currency ?? '') ? null : '.'
  return habitsOf(language).decimal
}
