import { isNamed } from './corrections.ts'
import type { Tag } from './lexicon.ts'
import type { Unit } from './unit.ts'

/** With one of these a part of a message is a wish of its own. */
export const asking: ReadonlySet<Tag> = new Set([
  'search',
  'show',
  'buy',
  'compare',
  'follow',
  'cancel',
  'return',
  'why',
  'retry',
  'help',
  'nobuy',
  'address',
  'card',
  'limit',
  'person',
  'chat',
] satisfies Tag[])
/** Those that begin a wish also where nothing parts it from the one before, as in dictation. */
const commands: ReadonlySet<Tag> = new Set(['cancel', 'compare', 'return', 'follow'] satisfies Tag[])
export const pointing: ReadonlySet<Tag> = new Set([
  'place',
  'extreme',
  'it',
  'one',
  'purchase',
] satisfies Tag[])

export type Chunk = { readonly border: Unit | null; readonly units: readonly Unit[] }

/** The message, divided where a mark, "and", or a correction stands, and before commands. */
export function chunksOf(units: readonly Unit[]): Chunk[] {
  const chunks: Chunk[] = []
  let border: Unit | null = null
  let chunk: Unit[] = []
  let asks: Tag | null = null
  let says = false
  const close = (next: Unit | null) => {
    if (chunk.length > 0) chunks.push({ border, units: chunk })
    // A comma after a correction is no border of its own.
    if (chunk.length > 0 || border?.tag !== 'oops') border = next
    chunk = []
    asks = null
    says = false
  }
  for (const [at, unit] of units.entries()) {
    if (
      isJoint(units, at) ||
      unit.tag === 'oops' ||
      unit.tag === 'and' ||
      (unit.tag === 'mark' && unit.value !== '-')
    ) {
      close(unit)
      continue
    }
    if (commands.has(unit.tag) && asks !== null && asks !== unit.tag && says) close(null)
    if (asking.has(unit.tag)) asks ??= unit.tag
    if (unit.tag === 'content' || pointing.has(unit.tag)) says = says || asks !== null
    chunk.push(unit)
  }
  close(null)
  return chunks
}

/** "テントと寝袋を": two things, unless both are of one ("ナイフとフォークのセット"). */
function isJoint(units: readonly Unit[], at: number): boolean {
  const [before, unit, after, next] = [units[at - 1], units[at], units[at + 1], units[at + 2]]
  const isBetween =
    unit?.text === 'と' &&
    before !== undefined &&
    after !== undefined &&
    (isNamed(before) || before.tag === 'quantity') &&
    isNamed(after)
  return isBetween && next !== undefined && next.text !== 'の' && !isNamed(next)
}
