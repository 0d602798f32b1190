import type { Tag } from './lexicon.ts'
import type { Language } from './understood.ts'
import type { Unit } from './units.ts'

/** Words that may stand between a verb and its particle. */
const betweenMax = 5

type Phrasal = { readonly verb: RegExp; readonly particle: RegExp; readonly tag: Tag }

const phrasals: Readonly<Partial<Record<Language, readonly Phrasal[]>>> = {
  en: [
    {
      verb: /^(?:take|taking|send|sending|sent|give|giving|bring|bringing|ship|shipping|hand|post|mail|mailing)(?: me| us)?$/i,
      particle: /^back$/i,
      tag: 'return',
    },
    { verb: /^(?:call|calling|break|breaking)$/i, particle: /^off$/i, tag: 'cancel' },
    {
      verb: /^(?:put|putting|push|pushing|run|running|send|sending|get)(?: it| that)?$/i,
      particle: /^through(?: again)?$/i,
      tag: 'retry',
    },
    {
      verb: /^(?:try|trying|do|run|running|attempt|process|submit|order|place)(?: it| that)?$/i,
      particle: /^(?:again|once more|one more time|a second time)$/i,
      tag: 'retry',
    },
  ],
}

/** "Take them back", "call the whole order off": a verb and what belongs to it, with the thing between them. */
export function withPhrasals(units: readonly Unit[], language: Language): readonly Unit[] {
  const known = phrasals[language]
  if (!known) return units
  const joined = units.map(language === 'en' ? asNoun : (unit) => unit)
  for (const [at, unit] of units.entries()) {
    for (const { verb, particle, tag } of known) {
      if (!verb.test(unit.text)) continue
      const end = particleAfter(units, at, particle)
      if (end < 0) continue
      joined[at] = { ...unit, tag, value: '' }
      joined[end] = { ...(units[end] as Unit), tag: 'filler', value: '' }
    }
  }
  return joined
}

const owning =
  /(?:^| )(?:my|our|the|this|that|an|his|her|their|your|last|first|whole|entire|previous|another|any|each)$/i

/** "Has my order been sent", "I cannot wait for it": words that are verbs elsewhere. */
function asNoun(unit: Unit, at: number, units: readonly Unit[]): Unit {
  const before = units[at - 1]
  if (before === undefined || before.tag === 'mark') return unit
  if (unit.tag === 'buy' && /^(?:order|purchase)$/i.test(unit.text) && owning.test(before.text))
    return { ...unit, tag: 'purchase', value: '' }
  const after = units[at + 1]
  // "The cheaper one" is the cheapest of them.
  if (unit.tag === 'cheaper' && before.tag === 'the' && (after?.tag === 'one' || after?.text === 'of'))
    return {
      ...unit,
      tag: 'extreme',
      value: /expensive|pric|dear|steep/i.test(unit.text) ? 'dearest' : 'cheapest',
    }
  if (/^plus$/i.test(unit.text) && ['a', 'the', 'my', 'number', 'count'].includes(after?.tag ?? ''))
    return { ...unit, tag: 'and', value: '' }
  const isWaiting =
    unit.tag === 'oops' &&
    /^wait$/i.test(unit.text) &&
    (units[at + 1]?.tag === 'for' || /(?:^| )(?:to|the|a|long|cant|can't|longer)$/i.test(before.text))
  return isWaiting ? { ...unit, tag: 'filler' } : unit
}

function particleAfter(units: readonly Unit[], at: number, particle: RegExp): number {
  for (let place = at + 1; place <= at + betweenMax && place < units.length; place += 1) {
    const unit = units[place] as Unit
    if (unit.tag === 'mark') return -1
    if (particle.test(unit.text)) return ['the', 'a'].includes(units[place - 1]?.tag ?? '') ? -1 : place
  }
  return -1
}

const valued: ReadonlySet<Tag> = new Set([
  'quantity',
  'size',
  'color',
  'material',
  'place',
  'extreme',
] satisfies Tag[])
const passed: ReadonlySet<Tag> = new Set(['a', 'the', 'filler', 'sizeword', 'in', 'it'] satisfies Tag[])

/** "Medium, not large", "not 3, only 2": what is denied beside another of its kind is not meant. */
export function withoutDenied(units: readonly Unit[]): readonly Unit[] {
  const spans = units.flatMap(({ tag, value }, at): [number, number][] => {
    if ((tag !== 'not' && tag !== 'without') || value === 'before') return []
    let place = at + 1
    while (place < at + 4 && passed.has(units[place]?.tag as Tag)) place += 1
    const next = units[place + 1]?.tag
    const isAlone = next === undefined || !['content', 'product', 'quantity', 'unit'].includes(next)
    return valued.has(units[place]?.tag as Tag) && isAlone ? [[at, place]] : []
  })
  const kept = units.filter((_, at) => !spans.some(([from, to]) => at >= from && at <= to))
  const isReplaced = spans.every(([, to]) => kept.some(({ tag }) => tag === units[to]?.tag))
  return spans.length > 0 && isReplaced ? kept : units
}
