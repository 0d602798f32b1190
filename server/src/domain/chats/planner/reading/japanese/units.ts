import { type Entry, fold, type Lexicon } from '../lexicon.ts'
import { kanjiNumber, kanjiNumeral, numberOf } from '../numbers.ts'
import { endingAt, inflectedAt, type Mood, moodOf } from './inflection.ts'

type Found = Entry & { readonly text: string; readonly start: number; readonly end: number }

const digits = /\d+(?:[.,]\d+)*/uy
const latin = /[\p{Script=Latin}\p{M}\d]+(?:[.&+' -][\p{Script=Latin}\p{M}\d]+)*/uy
const punctuation = /[\n,;:!?.()…、。「」・!?]+/uy
const symbol = /[€$£¥₩₹%+&#/]|👍|👎/uy

const kana = /[\u3041-\u3096]/u
const katakana = /[\u30a1-\u30fa\u30fc]/u
const kanji = /[\u3400-\u9fff々]/u

/** The cheapest way to read the text up to a place: as words of the tables, and what is none of them as content. */
type Way = {
  readonly cost: number
  readonly from: number
  readonly before: Way | null
  /** Null in a run of letters that no table has. */
  readonly entry: Entry | null
  readonly isRunning: boolean
}

type Text = {
  readonly plain: string
  readonly chars: readonly string[]
  readonly keys: readonly string[]
  readonly offsets: readonly number[]
  readonly lexicon: Lexicon
}

/**
 * Japanese has no spaces. Of all ways to take the text apart the one with the fewest and surest words is read: a word of the tables costs
 * least, an unknown noun more, and syllables that are neither most.
 */
export function japaneseUnits(source: string, lexicon: Lexicon): Found[] {
  const plain = source.replace(/[İ]/g, 'I')
  const chars = [...plain]
  const text = {
    plain,
    chars,
    keys: chars.map((char) => fold(char, 'ja')),
    offsets: offsetsOf(chars),
    lexicon,
  }
  // Two ways for each place: one that ends with a word, and one that is in the midst of an unknown one.
  const whole: (Way | null)[] = [{ cost: 0, from: 0, before: null, entry: null, isRunning: false }]
  const running: (Way | null)[] = []
  const offer = (ways: (Way | null)[], at: number, way: Way) => {
    const known = ways[at]
    if (!known || way.cost < known.cost) ways[at] = way
  }
  for (let at = 0; at < chars.length; at += 1) {
    const pieces = piecesAt(text, at)
    for (const way of [whole[at], running[at]]) {
      if (!way) continue
      if (/\s/u.test(chars[at] ?? '')) {
        offer(whole, at + 1, { cost: way.cost, from: at, before: way, entry: null, isRunning: false })
        continue
      }
      for (const piece of pieces) {
        const cost = costOf(piece, way, text, at)
        if (cost !== null)
          offer(whole, at + piece.length, {
            cost: way.cost + cost,
            from: at,
            before: way,
            entry: piece.entry,
            isRunning: false,
          })
      }
      if (!pieces.some(({ isSure }) => isSure))
        offer(running, at + 1, {
          cost: way.cost + costOfLetter(way, text, at),
          from: at,
          before: way,
          entry: null,
          isRunning: true,
        })
    }
  }
  return unitsAlong(cheaper(whole[chars.length], running[chars.length]), text)
}

function cheaper(one: Way | null | undefined, other: Way | null | undefined): Way | null {
  if (!one || !other) return one ?? other ?? null
  return one.cost <= other.cost ? one : other
}

function unitsAlong(last: Way | null, { plain, offsets, chars }: Text): Found[] {
  const units: Found[] = []
  const push = (from: number, to: number, entry: Entry) => {
    const [start, end] = [offsets[from] ?? plain.length, offsets[to] ?? plain.length]
    units.push({ ...entry, text: plain.slice(start, end), start, end })
  }
  let to = chars.length
  for (let way = last; way?.before; way = way.before) {
    let first = way
    while (way.isRunning && first.before?.isRunning) first = first.before
    const piece = way.isRunning ? { tag: 'content' as const, value: '' } : way.entry
    way = first
    if (piece?.value.startsWith('not:') && piece.tag !== 'verb') {
      // "キャンセルしない": the denial is a word of its own.
      const stem = way.from + Number(piece.value.slice(4))
      push(stem, to, { tag: 'not', value: 'verb' })
      push(way.from, stem, { tag: piece.tag, value: '' })
    } else if (piece) push(way.from, to, piece)
    to = way.from
  }
  return units.reverse()
}

type Piece = {
  readonly entry: Entry
  readonly length: number
  /** Whether nothing else can stand here: a mark, a number, a Latin word. */
  readonly isSure?: boolean
  readonly isUnknown?: boolean
  readonly isInflected?: boolean
}

function piecesAt(text: Text, at: number): Piece[] {
  const { plain, keys, offsets } = text
  const offset = offsets[at] ?? 0
  const match = (pattern: RegExp) => {
    pattern.lastIndex = offset
    return pattern.exec(plain)?.[0] ?? null
  }
  const found = wordsAt(text, at)
  const number = kanjiNumeral(plain, offset)
  if (number !== null && found.every(({ length }) => length <= number.length)) {
    const next = wordsAt(text, at + number.length).at(-1)?.entry.tag
    const isCounted = next === 'currency' || next === 'piece' || next === 'nth' || next === 'maxafter'
    if (/^\d/.test(number) || isCounted)
      return [{ entry: { tag: 'number', value: kanjiNumber(number) }, length: number.length, isSure: true }]
  }
  const word = /[a-z]/.test(keys[at - 1] ?? '') ? null : match(latin)
  if (word !== null && !/^\d+$/.test(word)) {
    const length = [...(/^(.*?) \d/.exec(word)?.[1] ?? word)].length
    const isDomain = /\.[a-z]{2}/i.test(word)
    const isKnown =
      !isDomain &&
      found.some((each) => each.length >= length || !/[a-z\d]/.test(keys[at + each.length] ?? ''))
    if (!isKnown) return [{ entry: { tag: 'content', value: '' }, length, isSure: true }]
  }
  const amount = match(digits)
  if (found.length === 0 && amount !== null)
    return [{ entry: { tag: 'number', value: numberOf(amount) }, length: amount.length, isSure: true }]
  const mark = match(punctuation) ?? match(symbol)
  if (found.length === 0 && mark !== null)
    return [{ entry: { tag: 'mark', value: mark }, length: [...mark].length, isSure: true }]
  // "買っといてー": what is drawn out at the end is no word.
  const isDrawn = keys[at] === 'ー' && kana.test(keys[at - 1] ?? '') && !/[\p{L}ー]/u.test(keys[at + 1] ?? '')
  if (isDrawn) return [{ entry: { tag: 'filler', value: '' }, length: 1, isSure: true }]
  const verb = unknownVerbAt(text, at)
  if (verb) found.push({ entry: { tag: 'verb', value: verb.mood }, length: verb.length, isUnknown: true })
  return found
}

/** A verb that no table has, unless what looks like its endings is a verb of its own: "猫砂みせて". */
function unknownVerbAt(text: Text, at: number): ReturnType<typeof inflectedAt> {
  const { keys, plain, offsets } = text
  if (!kanji.test(keys[at] ?? '') || kanji.test(keys[at - 1] ?? '')) return null
  const verb = inflectedAt(plain, offsets[at] ?? 0)
  if (!verb) return null
  const stem = keys.slice(at, at + verb.length).findIndex((key) => !kanji.test(key))
  const endings = verb.length - stem
  const isOther = wordsAt(text, at + stem).some(
    ({ entry, length }) => length >= endings && entry.tag !== 'aside',
  )
  return endings > 1 && isOther ? null : verb
}

/** All words of the tables that begin at a place, with the endings that follow them, the longest last. */
function wordsAt({ plain, keys, offsets, lexicon }: Text, at: number): Piece[] {
  const found: Piece[] = []
  let node: typeof lexicon.root | undefined = lexicon.root
  for (let length = 0; node; length += 1) {
    if (node.entry && length > 0) found.push({ entry: node.entry, length })
    for (const { entry, base } of node.stems) {
      const ending = endingAt(plain, offsets[at + length] ?? plain.length, base)
      if (ending === null || (base !== 'u' && base !== 'e' && ending === '')) continue
      found.push({
        entry: inflected(entry, moodOf(base, ending), length),
        length: length + [...ending].length,
        isInflected: true,
      })
    }
    const key: string | undefined = keys[at + length]
    node = key === undefined ? undefined : node.next.get(key)
  }
  return found
}

/** What asks for a purchase is an order, a wish, or what somebody will do; all other forms only speak of it. */
function inflected(entry: Entry, mood: Mood, stem: number): Entry {
  if (entry.tag === 'verb')
    return { tag: 'verb', value: entry.value === 'adjective' && mood === 'plain' ? 'adjective' : mood }
  if (entry.tag === 'buy') {
    // "これにした" is what somebody takes now.
    if (entry.value === 'choose' && mood === 'past') return entry
    if (mood === 'not') return { tag: 'nobuy', value: '' }
    if (mood === 'past' || mood === 'lasting') return { tag: 'past', value: '' }
    return mood === 'if' || mood === 'can' || mood === 'passive' || mood === 'must'
      ? { tag: 'hypo', value: '' }
      : entry
  }
  return mood === 'not' && denied.has(entry.tag) ? { tag: entry.tag, value: `not:${stem}` } : entry
}

const denied: ReadonlySet<Entry['tag']> = new Set(['cancel', 'return', 'retry', 'change'] as const)

const counting: ReadonlySet<Entry['tag']> = new Set(['piece', 'unit', 'nth', 'currency', 'cent'] as const)

/** What a word of the tables costs after what stands before it; null where it cannot stand. */
function costOf(
  { entry, length, isSure, isUnknown, isInflected }: Piece,
  way: Way,
  text: Text,
  at: number,
): number | null {
  if (isSure) return 1
  const { keys } = text
  const key = keys.slice(at, at + length).join('')
  const previous = /\s/u.test(keys[at - 1] ?? ' ') ? '' : (keys[at - 1] ?? '')
  const next = keys[at + length] ?? ''
  if (isInsideWord(entry, key, previous, next, way)) return null
  if (isUnknown) return kanji.test(keys[at + 1] ?? '') ? 6.2 : 4.2
  const isSyllables = /^[\u3041-\u3096]+$/u.test(key)
  const isAfterSyllable = way.isRunning && kana.test(previous)
  if (counting.has(entry.tag)) return /[\d一二三四五六七八九十百千万〇何数]/u.test(previous) ? 1.3 : 4
  const base =
    (entry.tag === 'product' || entry.tag === 'merchant' ? 1.4 : 1.8) -
    length * 0.02 +
    (isInflected ? 0.01 : 0)
  // `そう` is no answer in `そうじき`.
  const isShort = length < 4 && (entry.tag === 'yes' || entry.tag === 'no' || entry.tag === 'greet')
  if (isShort && isSyllables && /\p{L}/u.test(next) && wordsAt(text, at + length).length === 0) return 6
  if (isSyllables && length === 1)
    return costOfParticle(key, previous, keys.slice(at + 1, at + 3).join(''), isAfterSyllable)
  if (isSyllables && isAfterSyllable) return base + (length === 2 ? 1.5 : 0.8)
  if (kanji.test(key[0] ?? '') && way.isRunning && kanji.test(previous)) return base + 1
  return base
}

function costOfParticle(key: string, previous: string, next: string, isAfterSyllable: boolean): number {
  if (key === 'を') return 0.3
  if (!/[\p{L}\p{N}ー]/u.test(previous)) return 6
  const isEnding = /[かねよなわさぞぜや]/u.test(key)
  const isFree = !/^\p{L}/u.test(next)
  if (isEnding) return isFree || /^[なねよ](?:\P{L}|$)/u.test(next) ? 1 : 3
  if (isAfterSyllable) return isFree || !/^[\u3041-\u3096]/u.test(next) ? 1 : 1.8
  return /^[\u3041-\u3096]/u.test(next) ? 1.1 : 0.8
}

/** What a letter costs that no table has: nouns are written in kanji and katakana. */
function costOfLetter(way: Way, { keys }: Text, at: number): number {
  const [previous, letter] = [keys[at - 1] ?? '', keys[at] ?? '']
  const each = kana.test(letter) ? 2 : katakana.test(letter) ? 0.5 : 1.2
  if (!way.isRunning && (letter === 'ー' || (way.entry?.tag === 'verb' && kana.test(letter)))) return 12
  if (!way.isRunning) return (isParticle(way, previous) ? 1.8 : 4) + each
  if (kana.test(previous) && !kana.test(letter)) return each + 2.2
  return each
}

function isParticle({ entry }: Way, previous: string): boolean {
  return (
    entry !== null &&
    /[のとやにへがでをはも]/u.test(previous) &&
    ['joiner', 'in', 'filler'].includes(entry.tag)
  )
}

/** Where a word of the tables is a part of a longer one. */
function isInsideWord(entry: Entry, key: string, previous: string, next: string, way: Way): boolean {
  // `はい` is "yes" where something begins: after a noun it is the particle and what follows.
  if (
    /^(?:はい|いや|いえ|ええ|うん|よう|ども|やあ)$/u.test(key) &&
    (way.isRunning || (/\p{L}/u.test(previous) && !isManner(way.entry)))
  )
    return true
  if (entry.tag === 'unclear' && key.length === 2 && /\p{L}/u.test(previous)) return true
  if (/^かっ/u.test(key) && kana.test(previous)) return true
  if (/^(?:かな|かね|よね|のか)$/u.test(key) && /\p{L}/u.test(next)) return true
  if (/[a-z]$/.test(key) && /[a-z]/.test(next)) return true
  if (/^[a-z]/.test(key) && /[a-z]/.test(previous)) return true
  const isName = entry.tag === 'product' || entry.tag === 'merchant'
  if (katakana.test(key[0] ?? '') && katakana.test(previous) && !(isName && !way.isRunning)) return true
  if (katakana.test(key.at(-1) ?? '') && katakana.test(next) && !isName) return true
  const isLetter = key.length === 1 && kanji.test(key) && !counting.has(entry.tag) && entry.tag !== 'number'
  return isLetter && (kanji.test(next) || (way.isRunning && kanji.test(previous)))
}

function isManner(entry: Entry | null): boolean {
  return entry === null || ['greet', 'thank', 'yes', 'no', 'oops', 'filler', 'mark'].includes(entry.tag)
}

function offsetsOf(source: readonly string[]): number[] {
  let offset = 0
  return source.map((char) => {
    const here = offset
    offset += char.length
    return here
  })
}
