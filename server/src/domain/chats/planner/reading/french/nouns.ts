import type { Spoken } from '../../understood.ts'
import type { Tag } from '../lexicon.ts'
import type { Unit } from '../unit.ts'

/** Of all that a French sentence names, what is asked for: not who it is for, what is told before, or what is said of it after. */
export function withWanted(units: readonly Unit[], spoken: Spoken): Unit[] {
  const persons = units.map((unit, at) => withPerson(unit, at, units, spoken))
  return withoutTold(
    withoutClauses(persons.map((unit, at) => asPart(asWord(unit, persons[at + 1], spoken), at, persons))),
  )
}

/** "Ma petite voudrait": a child, and no size. */
function withPerson(unit: Unit, at: number, units: readonly Unit[], spoken: Spoken): Unit {
  if (unit.tag !== 'size' || !/^(?:petit|grand)(?:e|s|es)?$/i.test(unit.text)) return unit
  const [before, next] = [units[at - 1], units[at + 1]]
  const isOwn = before?.tag === 'my' || (before?.tag === 'the' && spoken.shown.length === 0)
  return isOwn && (next === undefined || !attached.has(next.tag)) ? { ...unit, tag: 'whom', value: '' } : unit
}

/** "Le dernier album": a place among nothing is a word. */
function asWord(unit: Unit, next: Unit | undefined, { shown }: Spoken): Unit {
  const isWord = unit.tag === 'place' && shown.length === 0 && next !== undefined && isName(next)
  return isWord ? { ...unit, tag: 'content', value: '' } : unit
}

/** "Une télé grand écran": what has that size is a part of the thing. */
function asPart(unit: Unit, at: number, units: readonly Unit[]): Unit {
  if (unit.tag !== 'size' || !/^(?:grand|petit|gros)/i.test(unit.text)) return unit
  const next = units[at + 1]
  const isPart = next !== undefined && isName(next) && units.slice(0, at).some(isName)
  return isPart && !/^(?:a|the|my|quantity)$/.test(units[at - 1]?.tag ?? '')
    ? { ...unit, tag: 'content' }
    : unit
}

const attached: ReadonlySet<Tag> = new Set([
  'content',
  'product',
  'size',
  'color',
  'material',
] satisfies Tag[])
const starting = /^(?:je|j'|tu|t'|il|elle|on|ils|elles|qui|que|qu'|c'|dont|où|parce que|car)(?: |$)/i

/** "La poêle, elle va sur induction ?", "une valise qui rentre en cabine": what a clause says of a thing is no name of it. */
function withoutClauses(units: readonly Unit[]): Unit[] {
  let isSeen = false
  let isClause = false
  return units.map((unit) => {
    if (unit.tag === 'mark' || asking.has(unit.tag)) isClause = false
    else if (unit.tag === 'filler' && isSeen && starting.test(unit.text)) isClause = true
    if (isName(unit) && isClause) return { ...unit, tag: 'filler' }
    isSeen = isSeen || isName(unit) || pointing.has(unit.tag)
    return unit
  })
}

const asking: ReadonlySet<Tag> = new Set(['search', 'need', 'buy', 'show', 'a', 'quantity'] satisfies Tag[])
const pointing: ReadonlySet<Tag> = new Set(['place', 'extreme', 'color', 'one', 'it'] satisfies Tag[])

/** "Pour le salon un tapis", "j'ai mal au dos il me faut un coussin": what stands before the thing that is asked for only tells. */
function withoutTold(units: readonly Unit[]): Unit[] {
  const wished = units.findLastIndex(
    ({ tag, text }, at) =>
      (tag === 'need' || tag === 'search') && !/^qu[e']$/i.test(units[at - 1]?.text ?? '') && text !== 'ta',
  )
  const after = units.findIndex((_, at) => at > wished && isAskedAt(units, at))
  const asked = after < 0 ? units.findIndex((_, at) => isAskedAt(units, at)) : after
  if (asked < 0) return [...units]
  const isTold = units
    .slice(0, asked)
    .every((unit, at) => !isName(unit) || leadOf(units, at) !== null || !isAlone(units, at))
  return units.map((unit, at) => (isTold && at < asked && isName(unit) ? { ...unit, tag: 'filler' } : unit))
}

/** Whether a thing stands here that is new: after "un", a number, or right after a verb of wishing. */
function isAskedAt(units: readonly Unit[], at: number): boolean {
  const unit = units[at]
  if (unit === undefined || !isName(unit)) return false
  const lead = leadOf(units, at)
  return lead !== null && (lead.tag === 'a' || lead.tag === 'quantity')
}

/** What a name begins with: an article, a preposition, a number; nothing where it stands bare. */
function leadOf(units: readonly Unit[], at: number): Unit | null {
  for (let place = at - 1; place >= 0 && place > at - 5; place -= 1) {
    const unit = units[place] as Unit
    if (leading.has(unit.tag)) {
      // "Sac à dos d'une marque": an article in the midst of a name begins none.
      const before = units[place - 1]
      const isInside = before !== undefined && (joining.has(before.tag) || isName(before))
      return isInside && unit.tag !== 'quantity' && joining.has(before.tag) ? before : unit
    }
    if (joining.has(unit.tag)) return unit
    if (!inside.has(unit.tag)) return null
  }
  return null
}

function isAlone(units: readonly Unit[], at: number): boolean {
  const before = units[at - 1]
  return before === undefined || !isName(before)
}

const leading: ReadonlySet<Tag> = new Set(['a', 'the', 'my', 'quantity'] satisfies Tag[])
const joining: ReadonlySet<Tag> = new Set([
  'for',
  'in',
  'joiner',
  'from',
  'to',
  'and',
  'without',
] satisfies Tag[])
const inside: ReadonlySet<Tag> = new Set([
  'color',
  'size',
  'material',
  'filler',
  'extreme',
  'cheap',
] satisfies Tag[])

function isName({ tag }: Unit): boolean {
  return tag === 'content' || tag === 'product'
}
