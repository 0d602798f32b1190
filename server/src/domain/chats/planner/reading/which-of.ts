import type { Spoken, Which } from '../understood.ts'
import type { Frame } from './frame.ts'
import { isTitle, matchesShown, titled } from './shown-words.ts'

/** Which of the things that were shown a part of a message points at. */
export function whichOf(frame: Frame, spoken: Spoken): Which | undefined {
  const { place, extreme, query, tags, units } = frame
  if (place !== null) return { by: 'place', place }
  const isOne = spoken.shown.length > 0 && tags.has('one') && tags.has('the')
  if (extreme !== null && (query === '' || isOne || matchesShown(query, spoken)))
    return { by: 'extreme', extreme }
  const isNamed =
    query !== '' &&
    !tags.has('a') &&
    (frame.isDefinite || pointsByName(frame) || isTitle(query, spoken)) &&
    matchesShown(query, spoken)
  if (isNamed) return { by: 'words', words: titled(query, spoken) }
  // "Is the pink one machine washable?"
  if (query !== '' && frame.isPointing && tags.has('the') && tags.has('one') && !tags.has('search'))
    return { by: 'options' }
  // "黒いやつ防水？" asks about what was shown.
  const asks = frame.language === 'ja' && frame.isPointing && spoken.shown.length > 0
  const isSought = tags.has('search') || tags.has('need') || tags.has('buy')
  if (query !== '' && !(asks && !isSought)) return undefined
  if (frame.isPointing) return { by: 'options' }
  const isThing =
    tags.has('it') ||
    units.some(({ value }) => value === 'it') ||
    tags.has('them') ||
    (isDangling(frame) && !tags.has('purchase'))
  return isThing ? { by: 'it' } : undefined
}

function pointsByName({ tags }: Frame): boolean {
  return tags.has('one')
}

/** An article that nothing follows is a pronoun: "kauf das", "je le prends", "lo quiero". */
function isDangling({ units }: Frame): boolean {
  const last = units.findLastIndex(({ tag }) => tag === 'the')
  if (last < 0) return false
  return !units
    .slice(last + 1)
    .some(({ tag }) =>
      ['content', 'product', 'color', 'size', 'material', 'place', 'extreme', 'one', 'cheaper'].includes(tag),
    )
}
