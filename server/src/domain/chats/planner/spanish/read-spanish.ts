import type { Tag } from '../lexicon.ts'
import type { Spoken } from '../understood.ts'
import type { Unit } from '../units.ts'
import { withOptions } from './options.ts'
import { withQuestions } from './questions.ts'
import { withoutStories, withoutVerbs } from './stories.ts'
import { withTurns } from './turns.ts'
import { asFiller } from './unit-kinds.ts'

/** What Spanish says by its grammar rather than by words, brought into the order that all languages share. */
export function readSpanish(units: readonly Unit[], spoken: Spoken): readonly Unit[] {
  return withoutStories(
    withoutVerbs(withQuestions(withOptions(withAwaited(withTurns(units), spoken), spoken), spoken)),
  )
}

/** "¿Y mi paquete?", "llevo una semana esperando": what was bought, and nothing that is asked of it, is asked after. */
function withAwaited(units: readonly Unit[], { hasPurchase }: Spoken): readonly Unit[] {
  if (!hasPurchase || units.some(({ tag }) => asking.has(tag)) || !units.some(isAwaited)) return units
  return units.map((unit) => {
    if (isAwaited(unit)) return { ...unit, tag: 'follow', value: '' }
    return unit.tag === 'mark' || unit.tag === 'and' ? unit : asFiller(unit)
  })
}

function isAwaited({ tag, text }: Unit): boolean {
  return tag === 'purchase' || /^(?:esperando|esper[oa]|esperamos)$/i.test(text)
}

const asking: ReadonlySet<Tag> = new Set([
  'search',
  'need',
  'show',
  'buy',
  'compare',
  'follow',
  'cancel',
  'return',
  'why',
  'retry',
  'fail',
  'help',
  'change',
  'address',
  'card',
  'limit',
  'person',
  'chat',
  'nobuy',
  'thank',
  'past',
  'hypo',
  'yes',
  'oops',
] satisfies Tag[])
