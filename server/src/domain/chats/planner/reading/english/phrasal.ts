import type { Language } from '../../understood.ts'
import type { Tag } from '../lexicon.ts'
import type { Unit } from '../unit.ts'

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
  const joined = units.flatMap(language === 'en' ? asSaid : (unit) => [unit])
  for (const [at, unit] of joined.entries()) {
    for (const { verb, particle, tag } of known) {
      if (!verb.test(unit.text)) continue
      const end = particleAfter(joined, at, particle)
      if (end < 0) continue
      joined[at] = { ...unit, tag, value: '' }
      joined[end] = { ...(joined[end] as Unit), tag: 'filler', value: '' }
    }
  }
  return joined
}

const owning =
  /(?:^| )(?:my|our|the|this|that|an|his|her|their|your|last|first|whole|entire|previous|another|any|each)$/i

/** Phrases that mean something else where they stand: "order from", "can you buy me", "I don't want leather". */
function asSaid(unit: Unit, at: number, units: readonly Unit[]): readonly Unit[] {
  const [before, after, next] = [units[at - 1], units[at + 1], units[at + 2]]
  const [, verb = '', rest = ''] = /^(order)( (?:from|for))$/i.exec(unit.text) ?? []
  if (unit.tag === 'purchase' && verb !== '' && !owning.test(before?.text ?? '')) {
    const cut = unit.start + verb.length
    const tag = /from/i.test(rest) ? 'from' : 'for'
    return [
      { ...unit, tag: 'buy', value: '', text: verb, end: cut },
      { ...unit, tag, value: tag === 'from' ? 'name' : '', text: rest.trim(), start: cut + 1 },
    ]
  }
  if (unit.tag === 'hypo' && /^(?:can|could|would|will) you(?: buy)?$/i.test(unit.text)) {
    const isPolite = /^(?:kindly|please|pls|plz|mind|be so kind as to|just)$/i.test(after?.text ?? '')
    if (/buy$/i.test(unit.text)) return [{ ...unit, tag: isForWriter(units, at) ? 'buy' : 'hypo', value: '' }]
    if (isPolite) return [{ ...unit, tag: 'filler', value: '' }]
  }
  if (unit.tag === 'hypo' && /^do (?:you|they)$/i.test(unit.text)) {
    const sells = units
      .slice(at + 1, at + 4)
      .find(({ text }) => /^(?:have|stock|sell|keep|carry|got|do)$/i.test(text))
    if (sells) return [{ ...unit, tag: 'search', value: '' }]
  }
  // "I don't want leather": a quality, and not the thing.
  if (unit.tag === 'nobuy' && /^(?:dont|don't|do not)$/i.test(unit.text) && after?.tag === 'need') {
    if (next?.tag === 'material' || (next?.tag === 'color' && units[at + 3]?.tag !== 'one'))
      return [{ ...unit, tag: 'without', value: 'after' }]
  }
  if (before?.tag === 'nobuy' && /^(?:dont|don't|do not)$/i.test(before.text) && unit.tag === 'need')
    if (after?.tag === 'material' || after?.tag === 'color') return [{ ...unit, tag: 'filler', value: '' }]
  return [asNoun(unit, at, units)]
}

function isForWriter(units: readonly Unit[], at: number): boolean {
  const rest = units.slice(at + 1, at + 12)
  const end = rest.findIndex(({ tag, value }) => tag === 'mark' && /[.!?]/.test(value))
  return (end < 0 ? rest : rest.slice(0, end)).some(
    ({ tag, value, text }) =>
      (tag === 'whom' && value === 'self') || /^(?:me|us|please|for me please)$/i.test(text),
  )
}

/** "Has my order been sent", "I cannot wait for it": words that are verbs elsewhere. */
function asNoun(unit: Unit, at: number, units: readonly Unit[]): Unit {
  const before = units[at - 1]
  if (before === undefined || before.tag === 'mark') return unit
  if (unit.tag === 'buy' && /^(?:order|purchase)$/i.test(unit.text) && owning.test(before.text))
    return { ...unit, tag: 'purchase', value: '' }
  if (
    unit.tag === 'no' &&
    /^(?:stop|wrong|pass|skip)$/i.test(unit.text) &&
    ['not', 'the', 'to', 'a', 'which', 'content'].includes(before.tag)
  )
    return { ...unit, tag: 'filler', value: '' }
  // "Two bags of charcoal": a color that is weighed is none.
  if (unit.tag === 'color' && before.tag === 'piece' && / of$/i.test(before.text))
    return { ...unit, tag: 'content', value: '' }
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

const replacing = /^(?:instead of|rather than|statt|anstatt|au lieu de|en vez de|en lugar de)$/i

/** "Medium, not large", "not 3, only 2": what is denied beside another of its kind is not meant. */
export function withoutDenied(units: readonly Unit[]): readonly Unit[] {
  const spans = units.flatMap(({ tag, value, text }, at): [number, number][] => {
    if ((tag !== 'not' && tag !== 'without' && !replacing.test(text)) || value === 'before') return []
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
