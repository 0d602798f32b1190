import type { Tag } from './lexicon.ts'
import type { Unit } from './unit.ts'

/** What says nothing by itself. */
export const silent: ReadonlySet<Tag> = new Set([
  'mark',
  'and',
  'filler',
  'no',
  'yes',
  'greet',
  'thank',
  'oops',
  'tail',
] satisfies Tag[])

export function isNamed({ tag, text }: Pick<Unit, 'tag' | 'text'>): boolean {
  return (tag === 'content' && !/^[\w-]+\.[a-z.]+$/i.test(text)) || tag === 'product'
}

const denying = /(?:nicht|nich|not|rien|nada|nix)$/i

/** What takes back, where there is nothing to take back. */
const refusing = /\b(?:no|nah|nope|non|nan|nein|nee?)\b|いや|いえ|違|ちが/iu

/** "No" before a verb denies it; in the midst of a message it takes back what stands before it. */
export function asCorrections(units: readonly Unit[]): Unit[] {
  let says = false
  return units.map((unit, at) => {
    const after = units[at + 1]
    // "Die kauf ich sicher nicht": a denial that ends a clause denies it, where a mark before it would make it an answer.
    const isEnding = says && units[at - 1]?.tag !== 'mark' && denying.test(unit.text)
    const isDenying =
      unit.tag === 'no' &&
      (isEnding || (unit.value === 'not' && after !== undefined && !isPause(after, units[at + 2])))
    if (!silent.has(unit.tag)) says = says || !isDenying
    if (isDenying) return { ...unit, tag: 'not' }
    if (unit.tag === 'oops' && (!says || after === undefined))
      return { ...unit, tag: refusing.test(unit.text) ? 'no' : 'filler' }
    // German "ne" is "no" where it stands alone, else short for "eine".
    if (unit.tag === 'a' && unit.text.toLowerCase() === 'ne' && (!after || after.tag === 'mark'))
      return { ...unit, tag: says ? 'oops' : 'no' }
    const isWhy =
      unit.tag === 'yes' &&
      /^(?:why not|por ?que? no|porque no|warum nicht|pourquoi pas)$/i.test(unit.text.replaceAll('é', 'e'))
    if (isWhy && after !== undefined && after.tag !== 'mark') return { ...unit, tag: 'why' }
    // "イヤホンやめてヘッドホンにする"
    const isStopped = unit.tag === 'no' && /^や[めっ]/u.test(unit.text) && says && after !== undefined
    if (isStopped && isNamed(after)) return { ...unit, tag: 'oops' }
    const isBetween = units[at - 1]?.tag === 'mark' || (after !== undefined && isPause(after, units[at + 2]))
    return unit.tag === 'no' && says && after !== undefined && isBetween ? { ...unit, tag: 'oops' } : unit
  })
}

function isPause(after: Unit, next: Unit | undefined): boolean {
  if (after.tag === 'the' || after.tag === 'a')
    return (
      next !== undefined &&
      ['color', 'material', 'size', 'place', 'content', 'product', 'extreme'].includes(next.tag)
    )
  if (after.tag === 'need') return /^(?:i|we) /i.test(after.text)
  return ['mark', 'no', 'yes', 'oops', 'thank', 'rather', 'filler', 'cancel', 'quantity', 'count'].includes(
    after.tag,
  )
}
