import type { Spoken, Wish } from '../understood.ts'
import { type Frame, has } from './frame.ts'
import { purchaseInJapanese } from './japanese/purchases.ts'
import type { Tag } from './lexicon.ts'
import type { Unit } from './unit.ts'
import { whichOf } from './which-of.ts'

/** What is asked about a purchase that was made. */
export function aboutPurchase(frame: Frame, spoken: Spoken): Wish | null {
  const withWhich = <A extends 'cancel' | 'return' | 'why' | 'retry' | 'follow'>(action: A) => {
    const found = whichOf(frame, spoken)
    // "Cancel it" says no more than "cancel": it is the purchase of the thread.
    const which =
      (found?.by === 'it' ? undefined : found) ??
      (isNamed(frame) ? ({ by: 'words', words: frame.named } as const) : undefined)
    return { action, ...(which && { which }) } as Wish
  }
  if (has(frame, 'cancel')) return isDenied(frame, 'cancel') ? { action: 'no' } : withWhich('cancel')
  if (has(frame, 'return')) return isDenied(frame, 'return') ? { action: 'unclear' } : withWhich('return')
  if (has(frame, 'why')) return why(frame, spoken)
  const isTrying = frame.units.every(({ tag, text }) => tag !== 'retry' || !/^try$/i.test(text))
  const isElsewhere =
    !isTrying && (frame.terms.merchant !== undefined || !spoken.hasPurchase) && !has(frame, 'purchase')
  if (has(frame, 'retry') && !has(frame, 'show', 'search') && !isElsewhere)
    return isDenied(frame, 'retry') ? { action: 'no' } : withWhich('retry')
  const isAwaited = has(frame, 'purchase', 'delivery') && has(frame, 'when') && !has(frame, 'search', 'buy')
  const japanese = frame.language === 'ja' ? purchaseInJapanese(frame, spoken) : null
  if (japanese !== null)
    return japanese === 'why' ? why(frame, spoken) : japanese === 'follow' ? withWhich('follow') : null
  const isCompared = has(frame, 'compare') && !has(frame, 'purchase')
  return (has(frame, 'follow') && !isCompared) || isAwaited || asksWhat(frame) ? withWhich('follow') : null
}

/** "It does not fit, I want to return it" denies nothing: what denies stands in the clause of the verb. */
function isDenied({ units }: Frame, tag: Tag): boolean {
  const at = units.findIndex((unit) => unit.tag === tag)
  const isBorder = (unit: Unit) => unit.tag === 'mark' && /[.,;:!?\n]/.test(unit.value)
  const start = units.findLastIndex((unit, place) => place < at && isBorder(unit))
  const end = units.findIndex((unit, place) => place > at && isBorder(unit))
  return units.slice(start + 1, end < 0 ? undefined : end).some((unit) => unit.tag === 'not')
}

/** "Rien dans la boîte, il arrive quand mon colis": beside "my parcel" only what belongs to it names it. */
function isNamed({ language, named, units }: Frame): boolean {
  const at = units.findIndex(({ tag }) => tag === 'purchase')
  if (!/^(?:fr|de)$/.test(language) || named === '' || at < 0) return named !== ''
  const next = units.slice(at + 1).find(({ tag }) => !['the', 'my', 'a', 'filler'].includes(tag))
  const after = units[at + 1]
  return (
    next !== undefined &&
    after !== undefined &&
    (after.tag === 'joiner' ||
      after.tag === 'the' ||
      after.tag === 'a' ||
      after.tag === 'from' ||
      after.tag === 'for')
  )
}

/** "¿Qué pedí?" and "que pedí" differ by an accent that few write: the first begins its sentence. */
function asksWhat({ units }: Frame): boolean {
  const first = units.find(({ tag }) => tag !== 'mark' && tag !== 'filler' && tag !== 'greet')
  return first?.tag === 'purchase' && /^qu[eé] /i.test(first.text)
}

/** "Why did it fail" speaks of the purchase, whatever the pronoun. */
function why(frame: Frame, spoken: Spoken): Wish {
  const which = whichOf(frame, spoken)
  return { action: 'why', ...(which && which.by !== 'it' && { which }) }
}
