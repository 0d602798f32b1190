import type { Tag } from '../lexicon.ts'
import type { Unit } from '../unit.ts'

/**
 * Japanese clauses that say why something is wished, or what it is for, end with their verb: "電池が切れたので", "肩こりに効く". Their nouns are
 * not what is searched by, unless there are no others; and the verb never is, but where it stands alone before its noun ("洗えるマスク").
 */
export function withoutJapaneseClauses(units: readonly Unit[]): Unit[] {
  const rest = withoutGoals(units.map(asAdjective))
  if (!units.some(({ tag }) => tag === 'verb')) return rest
  const told: (readonly [from: number, to: number])[] = []
  for (const [at, unit] of units.entries()) {
    if (unit.tag !== 'verb') continue
    const from = clauseBefore(rest, at)
    const clause = rest.slice(from, at)
    const isOfNoun = isAttributive(units, at)
    const isLed = clause.some(isArgument) && isCase(clause.at(-1))
    if (isOfNoun && !isLed) {
      if (isName(units[at + 1])) rest[at] = { ...unit, tag: 'content', value: '' }
      continue
    }
    if (clause.some(isArgument)) told.push([from, at])
    const next = rest[at + 1]
    if (next?.tag === 'pasttime' && /前/u.test(next.text)) rest[at + 1] = { ...next, tag: 'filler' }
  }
  const hasMore = rest.some((unit, at) => isName(unit) && !told.some(([from, to]) => at >= from && at < to))
  // Of a message that only tells, what it tells of last is what is missing: "電池が切れた".
  for (const [from, to] of hasMore ? told : told.slice(0, -1))
    for (let at = from; at < to; at += 1) {
      const unit = rest[at] as Unit
      if (dropped.has(unit.tag)) rest[at] = { ...unit, tag: 'filler', value: '' }
    }
  return rest
}

/** "運動会に紙コップ", "猫にキャットタワー": what something is for stands with に before it. */
function withoutGoals(units: readonly Unit[]): Unit[] {
  const rest = [...units]
  for (const [at, unit] of units.entries()) {
    const isGoal =
      /^(?:に|へ|が|には|用に|にも)$/u.test(unit.text) && isName(units[at - 1]) && isName(units[at + 1])
    if (!isGoal) continue
    for (let place = at; place >= 0 && isOfGoal(units, place, at); place -= 1) {
      const goal = rest[place] as Unit
      rest[place] = { ...goal, tag: 'filler', value: '' }
    }
  }
  return rest
}

function isOfGoal(units: readonly Unit[], place: number, at: number): boolean {
  const [unit, next] = [units[place] as Unit, units[place + 1]]
  if (place === at) return true
  if (next && unit.end < next.start) return false
  return isName(unit) || unit.tag === 'whom' || unit.tag === 'my' || unit.tag === 'unit' || unit.text === 'の'
}

/** "静かな扇風機": な joins. */
function asAdjective(unit: Unit, at: number, units: readonly Unit[]): Unit {
  // "千円で買えるケトル" asks nothing about buying.
  const isWhere = unit.tag === 'hypo' && /(?:買え|でき)る$/u.test(unit.text)
  if (isWhere && named.has(units[at + 1]?.tag as Tag)) return { ...unit, tag: 'filler', value: '' }
  const isBetween = unit.text === 'な' && isName(units[at - 1]) && isName(units[at + 1])
  return isBetween ? { ...unit, tag: 'joiner' } : unit
}

const dropped: ReadonlySet<Tag> = new Set([
  'content',
  'product',
  'unit',
  'whom',
  'joiner',
  'in',
  'for',
  'from',
  'to',
] satisfies Tag[])
const inside: ReadonlySet<Tag> = new Set([
  'content',
  'product',
  'unit',
  'whom',
  'joiner',
  'in',
  'for',
  'from',
  'to',
  'filler',
  'my',
  'a',
  'quantity',
  'size',
  'place',
] satisfies Tag[])

function isName(unit: Unit | undefined): boolean {
  return unit !== undefined && (unit.tag === 'content' || unit.tag === 'product')
}

/** Where the clause begins that a verb ends: after a mark, a space, a topic, or another word that wishes something. */
function clauseBefore(units: readonly Unit[], at: number): number {
  let from = at
  while (from > 0) {
    const unit = units[from - 1] as Unit
    const isSpaced = unit.end < (units[from] as Unit).start
    if (isSpaced || !inside.has(unit.tag) || topics.test(unit.text)) break
    from -= 1
  }
  return from
}

const topics =
  /^(?:は|って|なら|けど|だけど|ですけど|ですが|なんだけど|なんですけど|なんですが|んだけど|んですけど|んですが|のですが|ので|から)$/u

function isArgument(unit: Unit): boolean {
  return isName(unit) || unit.tag === 'whom'
}

function isCase(unit: Unit | undefined): boolean {
  if (unit?.tag === 'whom') return /に$/u.test(unit.text)
  return unit !== undefined && /^(?:が|を|に|で|と|から|へ|も|まで|は|とか)$/u.test(unit.text)
}

/** Whether a verb stands before what it says something of. */
function isAttributive(units: readonly Unit[], at: number): boolean {
  const [unit, next] = [units[at] as Unit, units[at + 1]]
  if (!next || next.start > unit.end || unit.value === 'te' || unit.value === 'if' || unit.value === 'must')
    return false
  return (
    named.has(next.tag) ||
    /^(?:もの|物|やつ|奴|の|のが|のを|のは|商品|タイプ|とき|時|用|ため)/u.test(next.text)
  )
}

const named: ReadonlySet<Tag> = new Set([
  'content',
  'product',
  'color',
  'material',
  'size',
  'one',
  'verb',
  'whom',
] satisfies Tag[])
