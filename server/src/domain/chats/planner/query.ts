import type { Tag } from './lexicon.ts'
import type { Unit } from './units.ts'

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
  const kept: (Unit | null)[] = withoutPersons(units).map((unit) =>
    names.has(unit.tag) || joints.has(unit.tag) ? unit : null,
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
        between.length > 0 && between.every((each) => each !== null) && leading.has((between[0] as Unit).tag)
      const from = isJoined || between.length === 0 ? end : unit.start
      const gap = source.slice(from, unit.start)
      text += from === unit.start ? `${spaceOf(source, end, unit.start)}${unit.text}` : gap + unit.text
    }
    end = unit.end
    last = at
  }
  return text.replace(/\s+/g, ' ').trim()
}

/** Japanese has no space between words; where the person wrote none, none is put. */
function spaceOf(source: string, from: number, to: number): string {
  return /[\u3040-\u30ff\u3400-\u9fff]/u.test(source.slice(from - 1, to + 1)) ? '' : ' '
}

/** "for my mother" is for whom, and no word of the product. */
function withoutPersons(units: readonly Unit[]): Unit[] {
  const rest = [...units]
  for (let at = rest.length - 1; at >= 0; at -= 1) {
    if (rest[at]?.tag !== 'whom') continue
    rest[at] = { ...(rest[at] as Unit), tag: 'filler' }
    for (let before = at - 1; before >= 0 && before > at - 4; before -= 1) {
      const tag = rest[before]?.tag
      if (tag !== 'for' && tag !== 'my' && tag !== 'the' && tag !== 'a' && tag !== 'joiner' && tag !== 'to')
        break
      rest[before] = { ...(rest[before] as Unit), tag: 'filler' }
    }
  }
  return rest
}
