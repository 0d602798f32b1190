import type { Tag } from './lexicon.ts'
import type { Unit } from './unit.ts'

/** Words that stay between words of the query ("tent for two people", "犬用のベッド"), and go where they lead or end it. */
const joints: ReadonlySet<Tag> = new Set([
  'joiner',
  'for',
  'in',
  'from',
  'and',
  'to',
  'my',
  'the',
  'a',
  'without',
])
/** Of these, those that can begin what joins two words: an article alone joins nothing. */
const leading: ReadonlySet<Tag> = new Set(['joiner', 'for', 'in', 'from', 'and', 'to'])
/** What a number may belong to: "for 2 people". */
const names: ReadonlySet<Tag> = new Set(['content', 'product', 'unit'])

/** The words to search by, as they were written and in their order. What limits, counts and asks is no part of it. */
export function readQuery(source: string, units: readonly Unit[]): string {
  const kept: (Unit | null)[] = withoutPersons(withoutPurpose(afterVerb(withoutReplaced(units)))).map(
    (unit) =>
      (names.has(unit.tag) && !/^[\u3041-\u3096]$/u.test(unit.text)) || joints.has(unit.tag) ? unit : null,
  )
  let text = ''
  let end = -1
  let last = -1
  for (const [at, unit] of kept.entries()) {
    if (!unit || !names.has(unit.tag)) continue
    if (last < 0) text = unit.text
    else {
      const between = kept.slice(last + 1, at)
      const isJoined =
        between.every((each) => each !== null) &&
        (between.length === 0 || leading.has(between[0]?.tag as Tag))
      // Units that were moved beside one another have other words between them.
      const isNear = between.length > 0 || !/\p{L}/u.test(source.slice(end, unit.start))
      // "Pintura blanca para pared": what joins stays where an option before it goes.
      const joint = isJoined || !isNear ? undefined : joiningBefore(between)
      const gap = joint ? ` ${source.slice(joint.start, unit.start)}` : spaceOf(source, end, unit.start)
      text += (isJoined && isNear ? source.slice(end, unit.start) : gap) + unit.text
    }
    end = unit.end
    last = at
  }
  return text.replace(/\s+/g, ' ').trim()
}

/** The preposition that leads what stands between an option and a word: "para", "with the". */
function joiningBefore(between: readonly (Unit | null)[]): Unit | undefined {
  const joints = between.slice(between.lastIndexOf(null) + 1)
  const [first] = joints
  const isOne = joints.length < between.length && first !== null && first !== undefined
  return isOne && (first.tag === 'for' || first.tag === 'joiner') && /^\p{Script=Latin}/u.test(first.text)
    ? first
    : undefined
}

/** "Mats instead of rucksacks": what is replaced is not wished. */
function withoutReplaced(units: readonly Unit[]): readonly Unit[] {
  const at = units.findIndex(({ text }) => replacing.test(text))
  return at > 0 && units.slice(0, at).some(({ tag }) => tag === 'content' || tag === 'product')
    ? units.slice(0, at)
    : units
}

const replacing =
  /^(?:instead of|rather than|statt|anstatt|au lieu d[eu']|à la place d[eu']|en vez de|en lugar de)$/i

const passed: ReadonlySet<Tag> = new Set(['filler', 'color', 'material', 'size', 'cheap'] satisfies Tag[])

/** "I was wondering whether you might find me a kettle": what is asked for stands behind the verb, where anything does. */
function afterVerb(units: readonly Unit[]): readonly Unit[] {
  const wanting = units.findIndex(({ tag, text }) => tag === 'need' && /^[\p{Script=Latin}' -]+$/u.test(text))
  const wanted = wanting < 0 ? -1 : units.findIndex(({ tag }, at) => at > wanting && names.has(tag))
  const head = units.slice(0, Math.max(wanted, 0)).findLast(({ tag }) => !passed.has(tag))?.tag
  // "Our club wants a lamp": who wants is no word of it.
  const isWanted = wanted > 0 && (head === 'a' || head === 'quantity' || head === 'need')
  const isBefore = units
    .slice(0, wanting)
    .some(({ tag }, at) => (tag === 'a' || tag === 'quantity') && names.has(units[at + 1]?.tag as Tag))
  if (isWanted && !isBefore) return units.slice(wanting)
  const verb = units.findIndex(({ tag, text }) => tag === 'search' && /^[\p{Script=Latin}' -]+$/u.test(text))
  if (verb < 0 || !units.slice(verb).some(({ tag }) => tag === 'content' || tag === 'product')) return units
  const isLed = units
    .slice(0, verb)
    .some((unit, at) => (unit.tag === 'a' || unit.tag === 'quantity') && names.has(units[at + 1]?.tag as Tag))
  return isLed ? units : units.slice(verb)
}

/** "For the office eight folders": what leads a thing that follows with its number or article is no part of its name. */
function withoutPurpose(units: readonly Unit[]): readonly Unit[] {
  const first = units.findIndex(({ tag }) => names.has(tag))
  const wanted = units.findIndex(
    ({ tag }, at) => at > first && (tag === 'a' || tag === 'quantity') && followed(units, at),
  )
  const head = units.slice(0, first).findLast(({ tag }) => tag !== 'the' && tag !== 'my' && tag !== 'a')
  const isLed = first > 0 && head !== undefined && /^(?:for|in|joiner)$/.test(head.tag)
  const isOne = units
    .slice(first, wanted)
    .every(({ tag }) => names.has(tag) || /^(?:the|my|filler)$/.test(tag))
  return isLed && wanted > 0 && isOne ? units.slice(wanted) : units
}

/** Whether a thing stands after a place, with nothing between but what it is like. */
function followed(units: readonly Unit[], at: number): boolean {
  const next = units.slice(at + 1).find(({ tag }) => !/^(?:filler|color|size|material)$/.test(tag))
  return next !== undefined && names.has(next.tag)
}

/** Japanese has no space between words; where the person wrote none, none is put. */
function spaceOf(source: string, from: number, to: number): string {
  return /[\u3040-\u30ff\u3400-\u9fff]/u.test(source.slice(from - 1, to + 1)) ? '' : ' '
}

/** "for my mother" is for whom, and no word of the product. "Mother" alone may be one. */
function withoutPersons(units: readonly Unit[]): Unit[] {
  const rest = [...units]
  for (let at = rest.length - 1; at >= 0; at -= 1) {
    const unit = rest[at] as Unit
    if (unit.tag !== 'whom') continue
    let first = at
    while (first > 0 && first > at - 4 && before.has(rest[first - 1]?.tag as Tag)) first -= 1
    const isLed = rest.slice(first, at).some(({ tag }) => tag !== 'a' && tag !== 'the')
    const isNamed = unit.value === 'self' || isLed || /^(?:へ|に|の$|の?ため)/.test(rest[at + 1]?.text ?? '')
    if (!isNamed) first = at
    for (let place = first; place < at; place += 1) rest[place] = { ...(rest[place] as Unit), tag: 'filler' }
    rest[at] = { ...unit, tag: isNamed || rest.length === 1 ? 'filler' : 'content' }
    const after = rest[at + 1]
    if (after && isNamed && (after.tag === 'for' || after.tag === 'joiner'))
      rest[at + 1] = { ...after, tag: 'filler' }
  }
  return rest
}

const before: ReadonlySet<Tag> = new Set(['for', 'my', 'the', 'a', 'joiner', 'to'] satisfies Tag[])
