import { now, plain } from './price-words/current.ts'
import { from, net, usual, was } from './price-words/earlier.ts'
import { other } from './price-words/elsewhere.ts'
import type { PriceWord, PriceWords } from './price-words/price-words.ts'

/** `unknown`: words stand there that nobody here knows. `each`: of one of several that are sold together, or of the only one. */
export type PriceRole = PriceWord | 'each' | 'unknown'

/**
 * What an amount is, by what stands around it: `text` has `¤` in its place. `own` are words that say nothing here, such as those of the
 * product's title.
 */
export function priceRole(text: string, language: string, own: ReadonlySet<string>): PriceRole {
  const line = withoutShares(lower(text), language)
  if (parts.test(line) || thresholds.test(line)) return 'other'
  if (ranges.test(line)) return 'from'
  const { roles, left } = sayings(wordsIn(line.replace(pieces, '¤')), language)
  const graver = gravest.find((role) => roles.has(role))
  if (graver !== undefined) return graver
  if (left.some((word) => !own.has(word))) return 'unknown'
  return roles.has('now') ? 'now' : pieces.test(line) ? 'each' : 'plain'
}

/** What a line without an amount says about the one beside it; null: nothing that is known. */
export function labelRole(line: string, language: string): PriceRole | null {
  if (line.length > 60) return null
  const bare = withoutShares(lower(line), language)
  if (/^ ?[/／]/u.test(line)) return pieces.test(`¤${bare}`) ? 'each' : 'other'
  const { roles, left } = sayings(wordsIn(bare), language)
  const graver = gravest.find((role) => roles.has(role))
  // Where it takes the amount out, it may say more than is known.
  if (graver === 'other' && left.length <= 2) return graver
  if (left.some((word) => word.length > 3)) return null
  return graver ?? (roles.has('now') ? 'now' : 'plain')
}

/** A Turkish capital with a dot has no dot apart. */
function lower(text: string): string {
  return text.toLowerCase().replaceAll('i\u0307', 'i')
}

const gravest = ['net', 'other', 'was', 'from', 'usual'] as const

/** `¤ / kg`, `4 x ¤`, `+ ¤`, `¤ off`, `2 for ¤`: a part, a measure, something beside it. */
const parts = new RegExp(
  [
    String.raw`¤ ?[/／](?! ?(?:st|stk|stück|stuk|szt|pc|pcs|piece|item|ea|each|unit|ks|kus|kom|db|buc|шт|бр|τεμ|adet|kpl|個|件|个|개|cái|chiếc|ชิ้น|pièce|ud|unidad|un|pz|cad)(?![\p{L}\p{M}]))`,
    String.raw`\d ?[x×✕] ?¤`,
    String.raw`¤ ?[x×✕] ?\d`,
    '[+＋] ?¤|¤ ?[+＋]',
    String.raw`(?:^|[^\d])(?!1(?!\d))\d+ ?(?:for|für|pour|por|per|voor|za|för|for|till|x|kpl|adet|pcs|шт) ?¤`,
    String.raw`\d+ ?(?:件|個|个|点|本|袋|개) ?¤`,
    String.raw`¤ ?(?:x|×|al|pro|per|por|par|je|na|pr|за|på|i|per|ανά|every|each) ?\d+ ?\p{L}`,
    String.raw`(?:^|[^\p{L}\p{M}])[1-9]\d{0,2}(?:[.,]\d+)? ?(?:kg|g|gr|l|lt|ltr|ml|cl|dl|m|cm|lb|lbs|oz|кг|г|л|мл|м) ?(?:=|:|~)? ?¤`,
    '= ?¤',
    '[-−–] ?¤ ?(?:off|rabatt|desc)',
  ].join('|'),
  'u',
)
const thresholds = /[≥>≤<＞≧] ?¤|¤ ?[≥>≤<]/u
const ranges =
  /¤ ?[-–—~〜～] ?(?:[¤\d]|$|[）)])|\d ?[-–—~〜～] ?¤|¤ ?(?:to|bis|à|a|do|до|tot|till|til|至|から|到) ?¤|^ ?[~〜～] ?¤/u
/** Of one piece. */
const pieces =
  /¤ ?[/／] ?(?:1 ?)?(?:st|stk|stück|stuk|szt|pc|pcs|piece|item|ea|each|unit|ks|kus|kom|db|buc|шт|бр|τεμ|adet|kpl|個|件|个|개|cái|chiếc|ชิ้น|pièce|ud|unidad|un|pz|cad)(?![\p{L}\p{M}])\.?/u

/** Without what is said in percent: `-20 %`, `save 20%`, `(25 % Rabatt)`. */
function withoutShares(line: string, language: string): string {
  return line.replace(shares, (share) => {
    const { roles, left } = sayings(wordsIn(share), language)
    const isAboutTax = [...roles].some((role) => role === 'net' || role === 'plain')
    return isAboutTax ? share.replace(/\d+(?:[.,]\d+)? ?[%％٪]/u, ' ') : ` ${left.join(' ')} `
  })
}

const shares = /(?:\p{L}+\.? )?[-−–]?\d+(?:[.,]\d+)? ?[%％٪](?:[ -]\p{L}+)?|[-−–]?\d割引?/gu

/** Letters and figures with one space between them, and one at each end. */
function wordsIn(line: string): string {
  return ` ${line.replace(/[^\p{L}\p{M}\p{N}¤]+/gu, ' ').trim()} `
}

/** Which words of prices a text has, and the words that are none. The longest phrase counts. */
function sayings(words: string, language: string): { roles: ReadonlySet<PriceWord>; left: string[] } {
  const { pattern, roleOf } = matcherOf(language)
  const roles = new Set<PriceWord>()
  const rest = words.replace(pattern, (phrase) => {
    const role = roleOf.get(phrase)
    if (role !== undefined) roles.add(role)
    return ' '
  })
  return { roles, left: rest.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '') }
}

type Matcher = { readonly pattern: RegExp; readonly roleOf: ReadonlyMap<string, PriceWord> }

/** Where two have the same phrase, the first counts. */
const lists: readonly (readonly [PriceWord, PriceWords])[] = [
  ['net', net],
  ['was', was],
  ['usual', usual],
  ['from', from],
  ['other', other],
  ['now', now],
  ['plain', plain],
]
const matchers = new Map<string, Matcher>()
const languagesMax = 60

/**
 * What takes an amount out is known in every language, where it is no short word that means something else in another; what makes it the
 * price is known in the page's own and English alone.
 */
function matcherOf(language: string): Matcher {
  const base = nameOf(language)
  const known = matchers.get(base)
  if (known !== undefined) return known
  if (matchers.size >= languagesMax) matchers.clear()
  const own = new Map<string, PriceWord>()
  const others = new Map<string, PriceWord>()
  for (const [role, words] of lists)
    for (const [one, text] of Object.entries(words))
      for (const phrase of text.split('|').map((each) => wordsIn(each).trim())) {
        const isNear = one === base || one === 'en'
        if (!isNear && (role === 'now' || role === 'plain' || (phrase.length < 5 && !unspaced.test(phrase))))
          continue
        const map = one === base ? own : others
        if (!map.has(phrase)) map.set(phrase, role)
      }
  const roleOf = new Map([...others, ...own])
  const made = { pattern: regexOf([...roleOf.keys()]), roleOf }
  matchers.set(base, made)
  return made
}

/** Languages that are written alike. */
const bases = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
  ['sr', 'hr'],
  ['bs', 'hr'],
  ['iw', 'he'],
  ['in', 'id'],
])

function nameOf(language: string): string {
  const [base = ''] = language.split('-')
  return bases.get(base) ?? base
}

/** Scripts that put no spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

function regexOf(phrases: readonly string[]): RegExp {
  const sorted = phrases.filter((phrase) => phrase !== '').sort((a, b) => b.length - a.length)
  const spaced = sorted.filter((phrase) => !unspaced.test(phrase)).join('|')
  const joined = sorted.filter((phrase) => unspaced.test(phrase)).join('|')
  const word = String.raw`(?<![\p{L}\p{M}])(?:${spaced})(?![\p{L}\p{M}])`
  return new RegExp(joined === '' ? word : `${word}|${joined}`, 'gu')
}
