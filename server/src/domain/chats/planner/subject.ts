import type { Shown, Stored, Subject } from './memory.ts'
import type { Limit } from './price-text.ts'
import type { Options } from './understood.ts'

type SaidOf = {
  options?: Options | undefined
  quantity?: number | null | undefined
  max?: Limit | null | undefined
}

/** A product that is spoken of, with what was said about it. */
export function subjectOf(product: Shown, { options = {}, quantity, max }: SaidOf): Stored<Subject> {
  return { product, options, chosen: {}, quantity: quantity ?? 1, max: max ?? null }
}

export function merged(subject: Stored<Subject>, { options, quantity, max }: SaidOf): Stored<Subject> {
  return {
    ...subject,
    options: { ...subject.options, ...options },
    quantity: quantity ?? subject.quantity,
    max: max ?? subject.max,
  }
}
