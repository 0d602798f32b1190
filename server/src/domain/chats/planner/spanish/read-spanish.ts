import type { Tag } from '../lexicon.ts'
import type { Spoken } from '../understood.ts'
import type { Unit } from '../units.ts'
import { withOptions } from './options.ts'
import { withQuestions } from './questions.ts'
import { withoutStories, withoutVerbs } from './stories.ts'
import { withTurns } from './turns.ts'

/** What Spanish says by its grammar rather than by words, brought into the order that all languages share. */
export function readSpanish(units: readonly Unit[], spoken: Spoken): readonly Unit[] {
  return withoutStories(
    withoutVerbs(withQuestions(withOptions(withAwaited(withTurns(units), spoken), spoken), spoken)),
  )
}

/** "¿Y mi paquete?": what was bought, and nothing that is asked of it, is asked after. */
function withAwaited(units: readonly Unit[], { hasPurchase }: Spoken): readonly Unit[] {
  if (!hasPurchase || !units.every(({ tag }) => awaiting.has(tag))) return units
  return units.map((unit) => (unit.tag === 'purchase' ? { ...unit, tag: 'follow', value: '' } : unit))
}

const awaiting: ReadonlySet<Tag> = new Set([
  'purchase',
  'filler',
  'mark',
  'and',
  'greet',
  'the',
  'my',
  'content',
  'when',
] as Tag[])
