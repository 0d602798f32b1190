import { fits } from './match-options.ts'
import type { Memory, Shown, Stored } from './memory.ts'
import type { Options, Which } from './understood.ts'

/** The products that somebody means: one, several, or none. */
export function productsMeant(
  which: Stored<Which> | undefined,
  options: Options | undefined,
  { shown, subject }: Pick<Memory, 'shown' | 'subject'>,
): readonly Shown[] {
  const found = named(which, { shown, subject })
  // An option that none of them has is asked about later; here it only chooses.
  if (options === undefined || found.length < 2) return found
  const fitting = found.filter((product) => fits(product, options))
  return fitting.length > 0 ? fitting : found
}

function named(
  which: Stored<Which> | undefined,
  { shown, subject }: Pick<Memory, 'shown' | 'subject'>,
): readonly Shown[] {
  if (which === undefined || which.by === 'it') return subject ? [subject.product] : shown
  switch (which.by) {
    case 'place': {
      const product = shown.at(which.place > 0 ? which.place - 1 : which.place)
      return product ? [product] : []
    }
    case 'extreme':
      return extreme(shown, which.extreme)
    case 'words': {
      const words = plain(which.words).split(' ').filter(Boolean)
      return shown.filter(({ title, merchant }) => {
        const text = plain(`${title} ${merchant}`)
        return words.every((word) => text.includes(word))
      })
    }
    case 'options':
      return shown
    default:
      return which satisfies never
  }
}

function extreme(
  shown: readonly Shown[],
  which: 'cheapest' | 'dearest' | 'best_rated' | 'fastest',
): readonly Shown[] {
  const byAmount = shown.toSorted((a, b) => a.amount - b.amount)
  const one = which === 'cheapest' ? byAmount[0] : which === 'dearest' ? byAmount.at(-1) : undefined
  return one ? [one] : []
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
