import type { Spoken } from '../understood.ts'
import type { Unit } from '../units.ts'
import { withOptions } from './options.ts'
import { withQuestions } from './questions.ts'
import { withoutStories, withoutVerbs } from './stories.ts'
import { withTurns } from './turns.ts'

/** What Spanish says by its grammar rather than by words, brought into the order that all languages share. */
export function readSpanish(units: readonly Unit[], spoken: Spoken): readonly Unit[] {
  return withoutStories(withoutVerbs(withQuestions(withOptions(withTurns(units), spoken), spoken)))
}
