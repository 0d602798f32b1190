import { fold, type Lexicon, longestAt, type Tag } from './lexicon.ts'

/** A word, a number, or a mark, with its place in the text. */
export type Token = {
  readonly kind: 'word' | 'number' | 'mark'
  readonly text: string
  readonly key: string
  readonly start: number
  readonly end: number
}

/** The text that is read: full-width letters are letters, curly quotes straight, and what is drawn is a gap. */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[’‘´`]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/👍|👌|✅/gu, ' 👍 ')
    .replace(/👎/gu, ' 👎 ')
    .replace(
      /(?![👍👎\d#*©®™])\p{Extended_Pictographic}|\u200b|\u200c|\u200d|\ufe0f|[\u{1f3fb}-\u{1f3ff}]/gu,
      ' ',
    )
}

const wordPattern =
  /(?<number>\d+(?:[.,']\d+)*)(?<tail>[a-zà-ÿºª]+(?:-\p{L}+)*)?|(?<word>[\p{L}\p{M}\d]+(?:['.&+-][\p{L}\p{M}\d]+)*'?)|(?<mark>[\n,;:!?.()…、。\u30fb-]+)|(?<symbol>[€$£¥₩₹#%+&/]|👍|👎)/giu

/** The words, numbers and marks of a text, in order. What is glued (`30€`, `j'ai`, `montre-moi`) is taken apart as the language does. */
export function tokensOf(text: string, lexicon: Lexicon): Token[] {
  const { language } = lexicon
  const tokens: Token[] = []
  const push = (kind: Token['kind'], piece: string, start: number) => {
    tokens.push({ kind, text: piece, key: fold(piece, language), start, end: start + piece.length })
  }
  for (const match of text.matchAll(wordPattern)) {
    const { number, tail, word, mark, symbol } = match.groups ?? {}
    if (number !== undefined) {
      if (tail === undefined) push('number', number, match.index)
      else if (isGlued(tail, lexicon)) {
        push('number', number, match.index)
        push('word', tail, match.index + number.length)
      } else push('word', match[0], match.index)
    } else if (word !== undefined)
      for (const [piece, at] of piecesOf(word, lexicon)) {
        push(/^\d+$/.test(piece) ? 'number' : 'word', piece, match.index + at)
      }
    else if (mark !== undefined) push('mark', mark, match.index)
    else if (symbol !== undefined) push('word', symbol, match.index)
  }
  return language === 'fr'
    ? tokens.flatMap((token, at) => frenchToken(token, tokens[at - 1], tokens[at + 1], lexicon))
    : tokens
}

function isGlued(tail: string, lexicon: Lexicon): boolean {
  const entry = lexicon.root.next.get(fold(tail, lexicon.language))?.entry
  return (
    entry?.tag === 'currency' ||
    entry?.tag === 'cent' ||
    entry?.tag === 'maxafter' ||
    entry?.tag === 'nth' ||
    entry?.tag === 'piece' ||
    entry?.tag === 'unit'
  )
}

/** "j ai", "jai", "jveux": what is written without its apostrophe. */
function frenchToken(
  token: Token,
  before: Token | undefined,
  next: Token | undefined,
  { root, vocabulary }: Lexicon,
): Token[] {
  if (token.kind !== 'word') return [token]
  const { key, text, start, end } = token
  if (key === "y'") return [{ ...token, key: 'y' }]
  const isShort = /^(?:[jdcstmnl]|qu)$/.test(text) && next?.kind === 'word' && /^[aeiouyh]/.test(next.key)
  if (isShort && before?.kind !== 'number') return [{ ...token, key: `${key}'` }]
  const [, head = '', rest = ''] = /^(j|c)(.{2,})$/.exec(key) ?? []
  if (head === '' || vocabulary.has(key)) return [token]
  const isVowel = /^[aeiouyh]/.test(rest)
  const tag = root.next.get(rest)?.entry?.tag
  // No word begins with j and a consonant.
  const isGlued =
    head === 'c' ? /^(?:est|etait|etais)$/.test(rest) : !isVowel || (tag !== undefined && verbal.has(tag))
  if (!isGlued) return [token]
  const cut = start + 1
  return [
    { ...token, text: text.slice(0, 1), key: isVowel ? `${head}'` : `${head}e`, end: cut },
    { ...token, text: text.slice(1), key: rest, start: cut, end },
  ]
}

const verbal: ReadonlySet<Tag> = new Set([
  'search',
  'need',
  'buy',
  'hypo',
  'filler',
  'cancel',
  'return',
  'rather',
] satisfies Tag[])

const clitics = new Set(
  'moi toi le la les lui nous vous leur je tu il elle ils elles on t en y ce ci là'.split(' '),
)

/** The parts of a word with its places: French takes apostrophes and pronouns apart, all take apart what is a phrase of their tables. */
function piecesOf(word: string, lexicon: Lexicon): [string, number][] {
  if (/^x\d{1,3}$/i.test(word))
    return [
      [word.slice(0, 1), 0],
      [word.slice(1), 1],
    ]
  // Nobody writes a word of more letters than this; taking it apart would be work for nothing.
  if (!/['.-]/.test(word) || word.length > 60) return [[word, 0]]
  if (lexicon.language === 'fr') return frenchPieces(word, lexicon)
  if (word.includes('-')) {
    const keys = word.split('-').map((part) => fold(part, lexicon.language))
    const isNumber = keys.every((key) => lexicon.root.next.get(key)?.entry?.tag === 'number')
    if (isNumber || longestAt(lexicon, keys, 0)?.length === keys.length) return split(word, '-')
  }
  return [[word.replace(/'$/, ''), 0]]
}

function frenchPieces(word: string, lexicon: Lexicon): [string, number][] {
  const pieces: [string, number][] = []
  const quote = word.indexOf("'")
  const dash = word.slice(0, Math.max(0, quote)).lastIndexOf('-')
  if (quote >= 0 && (quote < 7 || (dash > 0 && quote - dash < 4)) && !/^aujourd/i.test(word)) {
    if (dash > 0) pieces.push([word.slice(0, dash), 0])
    pieces.push([word.slice(dash + 1, quote + 1), dash + 1])
    if (quote + 1 < word.length) {
      for (const [piece, at] of frenchPieces(word.slice(quote + 1), lexicon))
        pieces.push([piece, at + quote + 1])
    }
    return pieces
  }
  const parts = word.split('-')
  const keys = parts.map((part) => fold(part, 'fr'))
  if (/^(?:au|ci|là)-/i.test(word)) return split(word, '-')
  const isPhrase = parts.length > 1 && longestAt(lexicon, keys, 0)?.length === keys.length
  if (isPhrase || parts.slice(1).some((part) => clitics.has(part.toLowerCase()))) return split(word, '-')
  return [[word, 0]]
}

function split(word: string, mark: string): [string, number][] {
  let at = 0
  return word.split(mark).map((part) => {
    const here: [string, number] = [part, at]
    at += part.length + mark.length
    return here
  })
}
