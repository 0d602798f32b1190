import type { Language } from '../understood.ts'
import { type Base, stemsOf } from './japanese/inflection.ts'

/** What a phrase is to the grammar. A word that no table has is a content word: what is searched by. */
export type Tag =
  // What somebody wants to be done.
  | 'search'
  | 'need'
  | 'show'
  | 'buy'
  | 'compare'
  | 'follow'
  | 'cancel'
  | 'return'
  | 'why'
  | 'retry'
  | 'help'
  | 'change'
  | 'address'
  | 'card'
  | 'limit'
  | 'person'
  | 'chat'
  | 'yes'
  | 'no'
  | 'greet'
  | 'thank'
  // What takes a wish back, or makes it none.
  | 'not'
  | 'nobuy'
  | 'hypo'
  | 'how'
  | 'past'
  | 'pasttime'
  | 'oops'
  | 'reported'
  | 'rather'
  | 'unclear'
  // What is said of products.
  | 'color'
  | 'material'
  | 'size'
  | 'sizeword'
  | 'place'
  | 'extreme'
  | 'sort'
  | 'cheap'
  | 'cheaper'
  | 'more'
  | 'price'
  | 'rating'
  | 'delivery'
  | 'without'
  | 'max'
  | 'min'
  | 'maxafter'
  | 'minafter'
  | 'between'
  | 'to'
  | 'currency'
  | 'cent'
  | 'from'
  | 'merchant'
  | 'purchase'
  | 'piece'
  | 'unit'
  | 'number'
  | 'nth'
  | 'voucher'
  | 'which'
  | 'count'
  | 'quantity'
  | 'maxprice'
  | 'minprice'
  | 'about'
  | 'sorting'
  | 'aside'
  | 'when'
  | 'cash'
  // Words that carry the others.
  | 'the'
  | 'a'
  | 'my'
  | 'it'
  | 'one'
  | 'them'
  | 'in'
  | 'for'
  | 'whom'
  | 'joiner'
  | 'filler'
  | 'verb'
  | 'and'
  | 'must'
  | 'fail'
  | 'product'
  | 'verb'
  | 'sentence'
  | 'tail'
  | 'content'
  | 'mark'

/** The words of one language. A phrase is separated from the next by a comma; `~` at the end of a word stands for its endings. */
export type Words = {
  readonly language: Language
  readonly endings: readonly string[]
  readonly tags: Readonly<Partial<Record<Tag, string>>>
  /** For the tags that have values: the value, and how it is said. */
  readonly values: Readonly<Partial<Record<Tag, Readonly<Record<string, string>>>>>
  /** Words that only tell the language. */
  readonly common: string
}

export type Entry = { readonly tag: Tag; readonly value: string }

/** `stems`: what ends here is a Japanese verb without its endings. */
type Node = { readonly next: Map<string, Node>; entry: Entry | null; stems: readonly Stem[] }
type Stem = { readonly entry: Entry; readonly base: Base }

export type Lexicon = {
  readonly language: Language
  readonly root: Node
  /** The words of all phrases: what tells the language. */
  readonly vocabulary: ReadonlySet<string>
  /** Words that are recognized with a typing error, by what is left of them without one letter. */
  readonly near: ReadonlyMap<string, readonly string[]>
}

/** Tags whose words are understood with one typing error. Never numbers, negations, yes and no: there an error would be a wish. */
const forgiving: ReadonlySet<Tag> = new Set([
  'search',
  'need',
  'show',
  'buy',
  'compare',
  'follow',
  'cancel',
  'return',
  'retry',
  'thank',
  'greet',
  'color',
  'place',
  'cheaper',
  'extreme',
  'max',
  'purchase',
  'sizeword',
  'address',
  'delivery',
  'rating',
] satisfies Tag[])

export function makeLexicon(words: Words): Lexicon {
  const root: Node = newNode()
  const vocabulary = new Set<string>()
  const near = new Map<string, string[]>()
  const add = (phrase: string, entry: Entry) => {
    const parts = partsOf(phrase, words.language)
    if (parts.length === 0) return
    if (words.language !== 'ja') for (const part of parts) vocabulary.add(part)
    nodeAt(root, parts).entry = entry
    const [only] = parts
    if (
      words.language === 'ja' ||
      parts.length !== 1 ||
      only === undefined ||
      only.length < (entry.tag === 'extreme' ? 7 : 4) ||
      !forgiving.has(entry.tag)
    )
      return
    for (const rest of withoutOne(only)) near.set(rest, [...(near.get(rest) ?? []), only])
  }
  const addAll = (list: string, entry: Entry) => {
    if (words.language === 'ja') addInflected(root, list, entry)
    for (const phrase of phrasesOf(list, words.endings)) add(phrase, entry)
  }
  for (const [tag, list] of Object.entries(words.tags)) addAll(list, { tag: tag as Tag, value: '' })
  for (const [tag, values] of Object.entries(words.values)) {
    for (const [value, list] of Object.entries(values)) addAll(list, { tag: tag as Tag, value })
  }
  for (const word of words.common.split(/[\s,]+/)) if (word) vocabulary.add(fold(word, words.language))
  return { language: words.language, root, vocabulary, near }
}

function newNode(): Node {
  return { next: new Map(), entry: null, stems: [] }
}

function nodeAt(root: Node, parts: readonly string[]): Node {
  let node = root
  for (const part of parts) {
    let next = node.next.get(part)
    if (!next) {
      next = newNode()
      node.next.set(part, next)
    }
    node = next
  }
  return node
}

/** `探す*` is a verb, `切る*5` one of five rows where it looks like none, `購入*n` a noun with する, `重い*a` an adjective; `探し~` a stem. */
function addInflected(root: Node, list: string, entry: Entry): void {
  for (const phrase of list.split(',')) {
    const [, lemma, mark, kind] = /^\s*(.*?)([*~])([5na]?)\s*$/u.exec(phrase) ?? []
    if (!lemma) continue
    const stems: [string, Base][] =
      mark === '~'
        ? [[lemma, /[っん]$/u.test(lemma) ? 'te' : 'any']]
        : stemsOf(lemma, kinds[kind ?? ''] ?? 'verb')
    for (const [stem, base] of stems) {
      const node = nodeAt(root, partsOf(stem, 'ja'))
      node.stems = [...node.stems, { entry, base }]
    }
  }
}

const kinds = { '5': 'five', n: 'noun', a: 'adjective' } as Readonly<
  Record<string, 'five' | 'noun' | 'adjective'>
>

/** The longest phrase that begins at a place, and how many parts it has. */
export function longestAt(
  lexicon: Lexicon,
  keys: readonly string[],
  at: number,
  isAllowed: (found: { entry: Entry; length: number }) => boolean = () => true,
): { entry: Entry; length: number } | null {
  let node: Node | undefined = lexicon.root
  let found: { entry: Entry; length: number } | null = null
  for (let length = 0; node; length += 1) {
    if (node.entry && isAllowed({ entry: node.entry, length })) found = { entry: node.entry, length }
    const key: string | undefined = keys[at + length]
    node = key === undefined ? undefined : node.next.get(key)
  }
  return found
}

/** The word of the tables that this one is with a typing error, if it is one. */
export function nearest(lexicon: Lexicon, key: string): Entry | null {
  if (key.length < 4 || key.length > 20 || lexicon.vocabulary.has(key)) return null
  for (const rest of [key, ...withoutOne(key)]) {
    for (const word of lexicon.near.get(rest) ?? []) {
      if (isTypingError(word, key)) return lexicon.root.next.get(word)?.entry ?? null
    }
  }
  return null
}

/** How a word is looked up: without case, diacritics and apostrophes. German `ae` is `ä`, which is looked up as `a`. */
export function fold(word: string, language: Language): string {
  const lower = word.toLowerCase()
  if (language === 'ja') return lower
  const plain = lower.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('œ', 'oe')
  if (language === 'fr') return plain
  const joined = plain.replaceAll("'", '')
  // Spanish b and v sound alike, and are written for one another.
  if (language === 'es') return joined.replaceAll('v', 'b')
  if (language !== 'de') return joined
  const short = joined.replace(/([aou])e/g, '$1')
  return spokenGerman.get(short) ?? short
}

/** German as it is spoken, and how it is written in the tables. */
const spokenGerman: ReadonlyMap<string, string> = new Map(
  Object.entries({
    nich: 'nicht',
    nit: 'nicht',
    net: 'nicht',
    ned: 'nicht',
    nid: 'nicht',
    nix: 'nichts',
    is: 'ist',
    hab: 'habe',
    ham: 'haben',
    sehn: 'sehen',
    gehn: 'gehen',
    stehn: 'stehen',
    jetz: 'jetzt',
    jez: 'jetzt',
    nochma: 'nochmal',
    ma: 'mal',
    dat: 'das',
    wat: 'was',
    dit: 'das',
    ick: 'ich',
    sone: 'so',
    nochn: 'noch',
    mitm: 'mit',
    aufm: 'auf',
    furn: 'fur',
    anschaun: 'anschauen',
    zahln: 'zahlen',
    glaub: 'glaube',
    denk: 'denke',
    wieviele: 'wieviel',
    weng: 'wenig',
    bisserl: 'bisschen',
    bissl: 'bisschen',
    oda: 'oder',
    wenns: 'wenn',
    ichs: 'ich',
    wirs: 'wir',
    dus: 'du',
    obs: 'ob',
    weils: 'weil',
    abba: 'aber',
  }),
)

function phrasesOf(list: string, endings: readonly string[]): string[] {
  return list.split(',').flatMap((each) => {
    const phrase = each.trim().replace(/\s+/g, ' ')
    // What inflects in Japanese is read by its endings.
    if (phrase === '~') return [phrase]
    if (/\*[5na]?$|[っん]~$/u.test(phrase)) return []
    if (!phrase.endsWith('~')) return phrase ? [phrase] : []
    return endings.map((ending) => phrase.slice(0, -1) + ending)
  })
}

function partsOf(phrase: string, language: Language): string[] {
  if (language === 'ja') return [...fold(phrase, language)]
  // An equals sign keeps the accents of a word that means something else without them.
  if (phrase.startsWith('=')) return [phrase.toLowerCase()]
  return phrase.split(' ').map((word) => fold(word, language))
}

function withoutOne(word: string): string[] {
  return Array.from({ length: word.length }, (_, at) => word.slice(0, at) + word.slice(at + 1))
}

/**
 * One letter too many, too few, or two changed places; a wrong letter only in a long word: "truck" is not "track". The first letter is
 * right, or changed places with the second.
 */
function isTypingError(word: string, typed: string): boolean {
  if (word === typed) return false
  if (word.length === typed.length) {
    const at = firstDifference(word, typed)
    const swapped = word[at] === typed[at + 1] && word[at + 1] === typed[at]
    if (swapped && word.slice(at + 2) === typed.slice(at + 2)) return true
    return word.length >= 7 && at > 0 && word.slice(at + 1) === typed.slice(at + 1)
  }
  const [long, short] = word.length > typed.length ? [word, typed] : [typed, word]
  if (long.length - short.length !== 1 || short.length < 5 || word[0] !== typed[0]) return false
  const at = firstDifference(long, short)
  return long.slice(at + 1) === short.slice(at)
}

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}
