import { withoutAsides, withoutReasons } from './asides.ts'
import { asking, type Chunk, chunksOf, pointing } from './chunks.ts'
import { asCorrections, isNamed, silent } from './corrections.ts'
import type { Tag } from './lexicon.ts'
import type { Unit } from './unit.ts'

/** A wish's words: first as they were said, then each correction of them ("no wait, …"). */
export type Part = { readonly units: readonly Unit[]; readonly isAsking: boolean }[]

/** What of several things is the cheapest: a question of its own. */
const measured: ReadonlySet<Tag> = new Set([
  'extreme',
  'sort',
  'rating',
  'delivery',
  'cheaper',
  'price',
] satisfies Tag[])
const afterwards: ReadonlySet<Tag> = new Set(['follow', 'cancel', 'return', 'why', 'retry'] satisfies Tag[])
const awaited: ReadonlySet<Tag> = new Set(['purchase', 'delivery'] satisfies Tag[])

/** The parts of a message, one for each wish. */
export function partsOf(units: readonly Unit[]): Part[] {
  const open: Open[] = []
  for (const chunk of chunksOf(withoutAsides(withoutReasons(asCorrections(units))))) {
    const facts = factsOf(chunk.units)
    const before = open.at(-1)
    if (!before) open.push(opened(chunk, facts))
    else if (chunk.border?.tag === 'oops' && !before.facts.isSilent) {
      before.group = [...chunk.units]
      before.part.push({ units: before.group, isAsking: facts.asks })
      before.facts = joined(before.facts, facts)
    } else if (isCounted(before, chunk) || isListed(before, chunk)) {
      const verbs = before.group.filter(({ tag }) => tag === 'search' || tag === 'buy' || tag === 'need')
      open.push(opened({ ...chunk, units: [...verbs, ...chunk.units] }, joined(facts, factsOf(verbs))))
    } else if (isShared(before, chunk)) {
      before.group.push(...chunk.units.filter(({ tag }) => tag === 'need'))
      open.push(opened(chunk, facts))
    } else if (isAdded(before, chunk)) {
      open.push(opened(chunk, facts))
    } else if (isApart(before.facts, facts, chunk)) {
      const isOneOfTwo = chunk.border?.text === 'と' || before.group.at(-1)?.text === 'と'
      const isTold = !isOneOfTwo && (isStatement(before.facts, facts) || isStory(before.facts, facts))
      if (isTold) open.pop()
      if (isOneOfTwo && facts.buys && !before.facts.asks)
        before.group.push(...chunk.units.filter(({ tag }) => tag === 'buy'))
      // "I take a size 12 and I need a coat": what says only how a thing has to be belongs to it.
      const said =
        isTold && !before.facts.hasContent ? before.group.filter(({ tag }) => qualities.has(tag)) : []
      open.push(opened({ ...chunk, units: [...said, ...chunk.units] }, facts))
    } else if (isAfterthought(before.facts, facts, chunk)) {
      before.group.push(...chunk.units.filter(({ tag }) => keptOfTold.has(tag)))
    } else if (!isDenial(chunk)) {
      // "The alarm won't stop beeping so we need a new one": what a story denies is not what is wished.
      if (facts.needs && !facts.hasContent && before.facts.tells)
        before.group.splice(0, before.group.length, ...before.group.filter(({ tag }) => tag !== 'not'))
      if (chunk.border) before.group.push(chunk.border)
      before.group.push(...chunk.units)
      before.facts = joined(before.facts, facts)
    }
  }
  return open.map(({ part }) => part)
}

type Open = { group: Unit[]; facts: Facts; readonly part: Part }

function opened(chunk: Chunk, facts: Facts): Open {
  const group = [...chunk.units]
  return { group, facts, part: [{ units: group, isAsking: facts.asks }] }
}

type Facts = {
  readonly asks: boolean
  readonly needs: boolean
  readonly searches: boolean
  /** Whether it speaks of what was bought: where it is, to send it back. */
  readonly isAfter: boolean
  readonly buys: boolean
  readonly hasContent: boolean
  readonly points: boolean
  readonly isSilent: boolean
  readonly hasTerms: boolean
  /** Whether it speaks of buying only to deny it: "don't order yet". */
  readonly denies: boolean
  /** Whether it calls a thing by its name: "the dress". */
  readonly isDefinite: boolean
  readonly hasOption: boolean
  /** Whether it only thinks of something: "maybe I buy a lamp". */
  readonly hedges: boolean
  /** Whether it is a sentence that tells something: "my roof leaks", "I trust you". */
  readonly tells: boolean
  /** Whether it speaks of a person: "my daughter starts school". */
  readonly isPersonal: boolean
}

function factsOf(units: readonly Unit[]): Facts {
  const has = (tags: ReadonlySet<Tag>) => units.some(({ tag }) => tags.has(tag))
  return {
    asks:
      has(asking) ||
      (has(awaited) && units.some(({ tag }) => tag === 'when')) ||
      (units.some(({ tag }) => tag === 'which') && has(measured) && !units.some(isNamed)),
    needs: units.some(({ tag }) => tag === 'need'),
    isAfter: has(afterwards) || (has(awaited) && units.some(({ tag }) => tag === 'when')),
    searches: units.some(({ tag }) => tag === 'search' || tag === 'show'),
    buys: units.some(({ tag }) => tag === 'buy'),
    hasContent: units.some(isNamed),
    points: has(pointing),
    isSilent: units.every(({ tag }) => silent.has(tag)),
    isPersonal: units.some(
      ({ tag, text, value }) =>
        tag === 'whom' ||
        (tag === 'filler' && value === 'verb') ||
        (tag === 'filler' && /^(?:i|im|i'm|we|we're|we've|ich|wir|je|j'|nous|yo)$/i.test(text)),
    ),
    denies:
      units.some(({ tag }) => tag === 'nobuy') ||
      (units.some(({ tag }) => tag === 'buy') && units.some(({ tag }) => tag === 'not')),
    isDefinite: units.some(({ tag }, at) => tag === 'the' && isNamed(units[at + 1] ?? unnamed)),
    hasOption: units.some(({ tag }) => tag === 'size' || tag === 'color' || tag === 'material'),
    hedges: units.some(({ tag }) => tag === 'hypo'),
    tells: isTold(units),
    hasTerms: units.some(({ tag }) => tag === 'maxprice' || tag === 'minprice' || tag === 'sort'),
  }
}

function joined(one: Facts, other: Facts): Facts {
  return {
    asks: one.asks || other.asks,
    needs: one.needs || other.needs,
    isAfter: one.isAfter || other.isAfter,
    searches: one.searches || other.searches,
    buys: one.buys || other.buys,
    hasContent: one.hasContent || other.hasContent,
    points: one.points || other.points,
    isSilent: one.isSilent && other.isSilent,
    denies: one.denies || other.denies,
    isDefinite: one.isDefinite || other.isDefinite,
    hasOption: one.hasOption || other.hasOption,
    hedges: one.hedges || other.hedges,
    tells: one.tells && other.tells,
    hasTerms: one.hasTerms || other.hasTerms,
    isPersonal: one.isPersonal || other.isPersonal,
  }
}

/** "4 glasses and 2 candles" are two things with their numbers, which one wish cannot say. */
function isCounted(before: Open, { units }: Chunk): boolean {
  const first = units.findIndex(({ tag }) => tag !== 'filler')
  if (units[first]?.tag !== 'quantity' || !units[first + 1] || !units.some(isNamed)) return false
  return before.facts.hasContent && before.group.some(({ tag }) => tag === 'quantity')
}

/** "A tent and a sleeping bag" are two searches; "pots and pans" are one. */
function isListed(before: Open, { border, units }: Chunk): boolean {
  const first = units.find(({ tag }) => tag !== 'filler' && tag !== 'joiner')
  const isNext = first?.tag === 'a' || /\b(?:dann|danach|außerdem)\b/i.test(border?.text ?? '')
  if (border?.tag !== 'and' || !isNext || factsOf(units).asks || !units.some(isNamed)) return false
  const head = before.group.find(
    ({ tag }) => tag !== 'filler' && tag !== 'joiner' && tag !== 'greet' && tag !== 'mark',
  )
  const isWished = before.group.some(
    ({ tag }) => tag === 'search' || tag === 'need' || tag === 'buy' || tag === 'show',
  )
  return (isWished || head?.tag === 'a') && before.facts.hasContent
}

/** "Türstopper und Gleiter brauche ich": the verb at the end is of both. */
function isShared({ facts, group }: Open, { border, units }: Chunk): boolean {
  const needs = units.findIndex(({ tag }) => tag === 'need')
  const isThings = group.every(
    (unit) => isNamed(unit) || /^(?:a|quantity|color|material|size)$/.test(unit.tag),
  )
  return (
    border?.tag === 'and' && facts.hasContent && isThings && needs > 0 && units.slice(0, needs).some(isNamed)
  )
}

/** "I take the white one and a lock with it": what was pointed at is bought, and what was not shown is sought. */
function isAdded({ facts, group }: Open, { border, units }: Chunk): boolean {
  const first = units.find(({ tag }) => tag !== 'filler' && tag !== 'joiner')
  const isPointed = facts.points || group.some(({ tag }) => tag === 'color')
  const isThing = first?.tag === 'a' && units.some(isNamed) && !factsOf(units).asks
  return border?.tag === 'and' && facts.buys && isPointed && !facts.hasContent && isThing
}

/** "…, I trust you", "… ? Mon genou me lâche.": a sentence that follows what is wished, and tells why. */
function isAfterthought(before: Facts, next: Facts, { border }: Chunk): boolean {
  return (
    next.tells && before.hasContent && !before.tells && !next.asks && !next.needs && border?.tag === 'mark'
  )
}

const keptOfTold: ReadonlySet<Tag> = new Set([
  'maxprice',
  'minprice',
  'hypo',
  'not',
  'no',
  'nobuy',
] satisfies Tag[])

/** A sentence that has a subject and a verb of its own, and does not say how a thing has to be. */
function isTold(units: readonly Unit[]): boolean {
  const texts = units.slice(0, 30).map(({ text }) => text.toLowerCase())
  if (
    texts.some((text) => demanding.test(text)) ||
    units.some(({ tag }) => tag === 'need' || asking.has(tag))
  )
    return false
  const [first] = texts.filter((_, at) => units[at]?.tag !== 'and')
  if (
    units[0]?.tag === 'my' &&
    units.filter(isNamed).length > 1 &&
    !units.some(({ tag }) => describing.has(tag))
  )
    return true
  return (first !== undefined && subjects.test(first)) || texts.some((text) => finite.test(text))
}

const qualities: ReadonlySet<Tag> = new Set([
  'color',
  'size',
  'material',
  'maxprice',
  'minprice',
] satisfies Tag[])
const describing: ReadonlySet<Tag> = new Set([
  'color',
  'size',
  'sizeword',
  'material',
  'maxprice',
  'minprice',
  'max',
  'mark',
] satisfies Tag[])
const subjects =
  /^(?:i|i'm|im|i've|ive|we|we've|we're|he|she|they|they're|he's|she's|mine|it|it's|ich|er|wir|je|j'|j'ai|il|elle|ça|ca|qu'|yo|que|se|me)(?: |$)/
const finite =
  /^(?:won't|wont|doesn't|doesnt|keeps|isn't|isnt|is|am|are|was|were|has|had|isn't|ist|sind|war|hat|hatte|est|sont|était|está|están|era|eran|died|broke)$/
const demanding =
  /^(?:should|must|has to|have to|needs? to|soll|sollte|sollen|muss|müssen|darf|doit|doivent|qui|debe|deben|sea|sean|tenga|it should|it must|i can|ich kann)(?: |$)/

const unnamed = { tag: 'mark', text: '' } as const

/** Whether what follows is another wish. "I look for a kettle, can you show me some under 30?" is one. */
function isApart(before: Facts, next: Facts, chunk: Chunk): boolean {
  if (before.isSilent) return next.asks || (isThanked(chunk) && next.hasContent)
  if (before.denies && !next.denies && next.hasContent && (next.needs || chunk.border?.value.includes(':')))
    return true
  // "Forget size 42, I wear 43."
  if (before.denies && before.hasOption && !next.denies && !next.asks && next.hasOption) return true
  // "I fell for the dress, order!"
  const isOrdered = next.buys && !next.denies && !next.hasContent && !next.points && !next.hasOption
  if (isOrdered && before.isDefinite && !before.asks && !before.denies && !before.hedges) return false
  if ((before.denies || before.hedges) && next.searches && !next.hasContent && before.hasContent) return false
  if (before.tells && isBeginning(before, next, chunk)) return true
  if (isVerbAlone(before, next, chunk)) return false
  if (next.asks) {
    const isSame = before.searches && next.searches && !(next.hasContent && before.hasContent) && !next.points
    const isAboutIt = !before.asks && !before.needs && !next.hasContent && next.points
    return !isSame && !isAboutIt && (before.asks || before.needs || before.hasContent)
  }
  if ((before.isPersonal || before.tells) && isStatement(before, next) && next.needs) return true
  // "When does my parcel come? And I need a charger."
  if (before.isAfter && next.needs && next.hasContent && chunk.border !== null) return true
  if (isStory(before, next)) return true
  if (next.needs && next.hasContent && before.buys && chunk.border?.tag === 'and') return true
  const isAnother = chunk.border?.tag === 'and' && !next.points && !before.points
  if (isAnother && next.needs && next.hasContent && before.hasContent) return true
  const isSentence = chunk.border?.tag === 'mark' && /[.!?\n。]/.test(chunk.border.value)
  return isSentence && next.needs && next.hasContent && before.hasContent && !before.needs
}

/** "電池を2個、注文して": in Japanese the verb stands last, also after a mark. */
function isVerbAlone(before: Facts, next: Facts, { units }: Chunk): boolean {
  return (
    before.hasContent &&
    !before.asks &&
    !before.needs &&
    (next.buys || next.searches) &&
    !next.hasContent &&
    !next.points &&
    !next.denies &&
    units.some(({ text }) => /[\u3041-\u3096]/u.test(text))
  )
}

/** "Thanks! Now some shears": after manners another thing begins with its article, or after "and". */
function isThanked({ border, units }: Chunk): boolean {
  const first = units.find(({ tag }) => tag !== 'filler')
  return border !== null && (border.tag === 'and' || first?.tag === 'a' || first?.tag === 'quantity')
}

/** "My kettle is full of lime. A descaler, quick!" */
function isBeginning(before: Facts, next: Facts, { border, units }: Chunk): boolean {
  const isEnd = border?.tag === 'mark' && (/[.!?;。]/.test(border.value) || before.isPersonal)
  if (!isEnd || next.tells || before.points) return false
  const first = units.find(({ tag }) => tag !== 'filler' && tag !== 'hypo')
  return (
    !before.asks &&
    !before.needs &&
    before.hasContent &&
    next.hasContent &&
    (first?.tag === 'a' || first?.tag === 'quantity')
  )
}

/** "I go camping next week. I need a tent": what is told before a wish. */
function isStatement(before: Facts, next: Facts): boolean {
  return (
    !before.asks &&
    !before.needs &&
    before.hasContent &&
    !before.points &&
    !before.hasTerms &&
    // "The Bosch, what does it cost?"
    (next.hasContent || !(next.searches || next.buys) || before.isPersonal || before.tells) &&
    (next.hasContent || next.asks) &&
    !next.points
  )
}

/** "My son turns six, and wishes for a marble run": what is told of somebody, with numbers and sizes that are theirs. */
function isStory(before: Facts, next: Facts): boolean {
  const isTelling = (before.tells || before.isPersonal) && !before.points && !before.hasTerms
  return isTelling && !before.asks && !before.needs && !before.denies && next.needs && next.hasContent
}

/** "Buy the second, not the first": what is not meant needs no wish of its own. */
function isDenial({ units }: Chunk): boolean {
  return (
    units[0]?.tag === 'not' &&
    units.some(({ tag }) => pointing.has(tag) || tag === 'quantity' || tag === 'color' || tag === 'size') &&
    !units.some(({ tag }) => asking.has(tag))
  )
}
