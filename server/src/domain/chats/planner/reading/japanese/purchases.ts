import type { Spoken } from '../../understood.ts'
import type { Frame } from '../frame.ts'
import type { Tag } from '../lexicon.ts'

/** What words of parcels and deliveries ask in Japanese, where the verb does not tell: after a purchase its state, before it what is found. */
export function purchaseInJapanese(frame: Frame, spoken: Spoken): 'why' | 'follow' | 'other' | null {
  const { tags, query, extreme, terms } = frame
  const has = (...wanted: Tag[]) => wanted.some((tag) => tags.has(tag))
  if (spoken.hasPurchase && has('fail')) return 'why'
  const isAbout = has('purchase', 'delivery') && query === '' && spoken.shown.length === 0
  if (spoken.hasPurchase && isAbout && !has('search', 'buy', 'change', 'address', 'card')) return 'follow'
  const isForNew = !spoken.hasPurchase && query !== '' && has('search', 'need', 'buy', 'sort')
  const isCompared = has('which') && (extreme !== null || terms.sort !== undefined)
  return isForNew || isCompared ? 'other' : null
}
