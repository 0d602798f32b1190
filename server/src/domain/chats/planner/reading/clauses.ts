import type { Language, Spoken } from '../understood.ts'
import type { ClausePattern } from './clause-pattern.ts'
import { clauses as en } from './english/clauses.ts'
import { clauses as de } from './german/clauses.ts'
import type { Tag } from './lexicon.ts'
import type { Unit } from './unit.ts'

const patterns: Readonly<Partial<Record<Language, readonly ClausePattern[]>>> = { en, de }

/** No clause says what it asks in more letters. */
const lettersMax = 300

const wishing: ReadonlySet<Tag> = new Set(['search', 'buy'] satisfies Tag[])
const kept: ReadonlySet<Tag> = new Set([
  'the',
  'my',
  'it',
  'them',
  'one',
  'place',
  'extreme',
  'color',
  'purchase',
] satisfies Tag[])

export function withClauses(
  source: string,
  units: readonly Unit[],
  language: Language,
  spoken: Spoken,
): readonly Unit[] {
  const known = (patterns[language] ?? []).filter(
    ({ after }) =>
      after === undefined ||
      (after === 'purchase' && spoken.hasPurchase) ||
      (after === 'shown' && spoken.shown.length > 0) ||
      (after === 'nothing' && !spoken.hasPurchase) ||
      (after === 'whether' && spoken.asked === 'whether'),
  )
  if (known.length === 0) return units
  return clausesOf(units).flatMap((clause) => {
    const [first, last] = [clause[0], clause.at(-1)]
    if (!first || !last || clause.some(({ tag }) => wishing.has(tag))) return clause
    const text = source
      .slice(first.start, Math.min(last.end, first.start + lettersMax))
      .toLowerCase()
      .replaceAll("'", '')
    const found = known.find(
      ({ all, none = [] }) => all.every((each) => each.test(text)) && !none.some((each) => each.test(text)),
    )
    if (!found) return clause
    const said = found.tags.map((tag): Unit => ({ ...first, tag, value: '', end: first.start }))
    return [...said, ...clause.map((unit, at) => (found.names ? asNamed(unit, at, clause) : asSaid(unit)))]
  })
}

function clausesOf(units: readonly Unit[]): Unit[][] {
  const clauses: Unit[][] = [[]]
  for (const unit of units) {
    const isBorder = (unit.tag === 'mark' && unit.value !== '-') || unit.tag === 'and' || unit.tag === 'oops'
    if (isBorder) clauses.push([unit], [])
    else clauses.at(-1)?.push(unit)
  }
  return clauses
}

function asSaid(unit: Unit): Unit {
  return unit.tag === 'mark' || unit.tag === 'and' || unit.tag === 'oops'
    ? unit
    : { ...unit, tag: 'filler', value: '' }
}

/** Words for whatever was bought, and what is said of it: "the zip's broken". */
const general =
  /'s$|^(?:stuff|things?|money|goods|item|items|box|refund|wrong|right|same|whole|post|mail|way|card|account|bank|date|tracking|progress|latest|status|driver|courier|postman|depot|warehouse|one|ones|size|color|colour|other|others)$/i

/** A word stays where an article stands before it; all else has been understood. */
function asNamed(unit: Unit, at: number, clause: readonly Unit[]): Unit {
  if (kept.has(unit.tag)) return unit
  const isName = unit.tag === 'content' || unit.tag === 'product'
  const before = clause[at - 1]?.tag
  return isName && !general.test(unit.text) && ['the', 'my', 'color'].includes(before ?? '')
    ? unit
    : asSaid(unit)
}
