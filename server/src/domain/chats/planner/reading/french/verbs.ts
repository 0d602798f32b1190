import type { Tag } from '../lexicon.ts'
import type { Unit } from '../unit.ts'

/**
 * French verbs are too many for tables, and every sentence has some. They are known by what stands before them: a pronoun that is who does
 * it ("elle pèse", "qui tiennent"), a verb that helps ("on va jouer", "j'ai cassé"); or by "moi" after them ("parle-moi").
 */
export function withVerbs(units: readonly Unit[]): Unit[] {
  const read: Unit[] = []
  for (const [at, one] of units.entries()) {
    const unit = asWord(one, read)
    const isVerb =
      unit.tag === 'content' &&
      (isDone(units, at) ||
        isHelped(read, unit, units[at + 1]) ||
        isAsked(units, at) ||
        isBidden(units, at)) &&
      !isBought(units, at)
    const isYours =
      isVerb &&
      /^t(?:u|')$/i.test(read.findLast(({ text }) => !clitics.test(text) || /^t'$/i.test(text))?.text ?? '')
    read.push(
      isVerb
        ? { ...unit, tag: 'filler', value: isYours ? 'yourself' : 'verb' }
        : replaced(limited(unit, read), read),
    )
  }
  return read.map(denied).map(asView)
}

const subjects =
  /^(?:(?:je|j'?|tu|t'|il|elle|on|nous|vous|ils|elles|ça|ca|qui|cela)|(?:.* )?(?:qu'|si |que )?(?:je|j'|tu|t'|il|elle|on|ils|elles|qui))$/i
const clitics = /^(?:ne|n'|me|m'|te|t'|se|s'|le|la|les|l'|lui|leur|en|y|nous|vous)$/i

/** "Je la trouve", "elle pèse": a pronoun, and nothing but small pronouns between. */
function isDone(units: readonly Unit[], at: number): boolean {
  let place = at - 1
  while (place > 0 && place > at - 4 && clitics.test(units[place]?.text ?? '')) {
    if (subjects.test(units[place]?.text ?? '') && !clitics.test(units[place - 1]?.text ?? '')) break
    place -= 1
  }
  const subject = units[place]
  if (subject === undefined || subject.tag === 'search' || !subjects.test(subject.text)) return false
  // "Pour elle un collier", "à nous", "je vous".
  const before = units[place - 1]
  return !(before && (before.tag === 'for' || before.tag === 'joiner' || before.tag === 'from'))
}

const helping =
  /(?:^|[ '])(?:ai|as|a|avons|avez|ont|avais|avait|aurait|es|est|suis|sont|sommes|êtes|était|étaient|été|peux|peut|pouvez|peuvent|pourrait|pourrais|vais|vas|va|allons|allez|vont|allait|dois|doit|doivent|veux|veut|voulais|voudrais|voudrait|faut|faudrait|aimerais|aimerait|viens|vient|fait|à|de|pour|sans|d'|pas|bien|trop|tout|déjà|plus|encore|jamais)$/i

/** A participle or an infinitive after a verb that helps it. */
function isHelped(before: readonly Unit[], unit: Unit, next: Unit | undefined): boolean {
  const helper = before.findLast(({ text }) => !clitics.test(text))
  if (!helper || helper.tag === 'mark' || !helping.test(helper.text)) return false
  const isBeing =
    /(?:ai|as|a|avons|avez|ont|avais|avait|aurait|es|est|suis|sont|sommes|êtes|était|étaient|été)$/i.test(
      helper.text,
    )
  // "C'est normal", "elle est lourde": what stands bare after "is" is said of something, and no thing.
  const isSaid = /^(?:est|sont|était|étaient|c'est)$/i.test(helper.text) && /^\p{Ll}/u.test(unit.text)
  if (isSaid) return true
  if (isBeing && helper.tag !== 'search')
    return /(?:[éeiu]e?s?|is|it|rt|ert[es]*)$/i.test(unit.text) || unit.text.length < 4
  if (!/(?:er|ir|re|oir)$/i.test(unit.text)) return false
  // "Machine à laver": what a thing is for belongs to its name.
  const isJoined = /^(?:à|de|d'|pour|sans)$/i.test(helper.text)
  if (isJoined && before.some(({ tag }) => tag === 'content' || tag === 'product')) return false
  if (next === undefined) return false
  const isWished = /(?:veux|veut|voulais|voudrais|voudrait|faut|faudrait|aimerais)$/i.test(helper.text)
  return isWished ? opening.has(next.tag) : !isThing(next)
}

const opening: ReadonlySet<Tag> = new Set(['the', 'a', 'my', 'it', 'number', 'count', 'max'] satisfies Tag[])

/** "Parle-moi de", "regarde-moi ça". */
function isAsked(units: readonly Unit[], at: number): boolean {
  const [before, next] = [units[at - 1], units[at + 1]]
  return (
    next !== undefined &&
    /^(?:moi|nous)$/i.test(next.text) &&
    (before === undefined || before.tag === 'mark' || before.tag === 'filler' || before.tag === 'and')
  )
}

/** "Prévois dix rouleaux": a word before an article, where a sentence begins. */
function isBidden(units: readonly Unit[], at: number): boolean {
  const before = units[at - 1]
  const [next, after] = [units[at + 1], units[at + 2]]
  if (before !== undefined && !['mark', 'greet', 'and', 'yes'].includes(before.tag)) return false
  const isCounted =
    next !== undefined && (next.tag === 'number' || next.tag === 'count' || /^une?$/i.test(next.text))
  return (
    isCounted &&
    after !== undefined &&
    (isThing(after) || /^\p{L}{4}/u.test(after.tag === 'piece' ? after.text : ''))
  )
}

/** "Je songe à commander": a verb of which it is not known what it does to words of buying stays in their way. */
function isBought(units: readonly Unit[], at: number): boolean {
  for (const unit of units.slice(at + 1, at + 12)) {
    if (unit.tag === 'mark' || unit.tag === 'and') return false
    if (unit.tag === 'buy') return true
  }
  return false
}

/** "Je veux surtout pas dépasser 400", "ne pas mettre plus de 20": a limit that is denied is a limit above. */
function limited(unit: Unit, before: Unit[]): Unit {
  if (unit.tag !== 'max' && unit.tag !== 'min') return unit
  const isAbove =
    unit.tag === 'max' ? /dépass|depass|au.dess|plus/i.test(unit.text) : /plus|dess/i.test(unit.text)
  if (!isAbove) return unit
  for (let at = before.length - 1; at >= 0 && at > before.length - 6; at -= 1) {
    const each = before[at] as Unit
    if (each.tag === 'not' || each.tag === 'nobuy') {
      before[at] = { ...each, tag: 'filler', value: '' }
      return { ...unit, tag: 'max', value: '' }
    }
    if (each.tag !== 'filler' && each.tag !== 'need' && each.tag !== 'max') break
  }
  return unit
}

/** "5 au lieu de 2", "3 pas 2", "le bleu, pas le vert": what is replaced is not meant. */
function replaced(unit: Unit, before: Unit[]): Unit {
  if (!valued.has(unit.tag)) return unit
  let at = before.length - 1
  while (
    at >= 0 &&
    at > before.length - 7 &&
    passed.has(before[at]?.tag as Tag) &&
    !replacing.test(before[at]?.text ?? '')
  )
    at -= 1
  const marker = before[at]
  if (marker === undefined || (isThing(unit) && (!replacing.test(marker.text) || before.some(isThing))))
    return unit
  if (replacing.test(marker.text)) return { ...unit, tag: 'filler', value: '' }
  const isOther = marker.tag === 'not' && before.slice(0, at).some(({ tag }) => tag === unit.tag)
  if (!isOther) return unit
  for (let place = at; place < before.length; place += 1)
    before[place] = { ...(before[place] as Unit), tag: 'filler', value: '' }
  return { ...unit, tag: 'filler', value: '' }
}

const valued: ReadonlySet<Tag> = new Set([
  'number',
  'color',
  'material',
  'size',
  'place',
  'content',
  'product',
] satisfies Tag[])
const passed: ReadonlySet<Tag> = new Set(['the', 'a', 'filler', 'in', 'sizeword'] satisfies Tag[])
const replacing = /^(?:au lieu d(?:e|u|es|')|à la place d(?:e|u|es|')|plutôt que)$/i

/** "Je prends plus le vert": no more, where "plus de pain" would be more. */
function denied(unit: Unit, at: number, units: readonly Unit[]): Unit {
  if (unit.tag !== 'buy') return unit
  const [next, after] = [units[at + 1], units[at + 2]]
  const isNoMore =
    /^plus$/i.test(next?.text ?? '') &&
    (after === undefined || ['the', 'it', 'mark', 'my'].includes(after.tag))
  return isNoMore ? { ...unit, tag: 'nobuy', value: '' } : unit
}

/** "Vous auriez des détails ?": who asks whether there are views of a thing asks to see it, and searches nothing. */
function asView(unit: Unit, at: number, units: readonly Unit[]): Unit {
  if (unit.tag !== 'search') return unit
  const next = units.slice(at + 1, at + 4).find(({ tag }) => tag !== 'a' && tag !== 'filler' && tag !== 'the')
  return next?.tag === 'show' ? { ...unit, tag: 'filler', value: '' } : unit
}

/** "One Piece": what counts nothing is a word. */
function asWord(unit: Unit, before: readonly Unit[]): Unit {
  // "15 € pièce", "ce que je veux".
  if (unit.tag === 'piece' && before.at(-1)?.tag === 'currency') return { ...unit, tag: 'filler', value: '' }
  if (unit.tag === 'need' && /^qu[e']$/i.test(before.at(-1)?.text ?? ''))
    return { ...unit, tag: 'filler', value: 'verb' }
  const isCounting = /^(?:number|count|the)$/.test(before.at(-1)?.tag ?? '') || before.at(-1)?.tag === 'cash'
  return unit.tag === 'piece' && /^\p{L}{4,}$/u.test(unit.text) && !isCounting
    ? { ...unit, tag: 'content', value: '' }
    : unit
}

function isThing({ tag }: Unit): boolean {
  return tag === 'content' || tag === 'product'
}
