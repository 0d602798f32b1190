import type { Control } from './page-snapshot.ts'
import type { Field } from './words/shop-words.ts'

/** What each control is for, by its `ref`. */
export type Assigned = Map<number, Field>

/** The controls of one address in one form, while it is settled what they are for. */
export type Settling = {
  readonly controls: readonly Control[]
  readonly result: Assigned
  /** What may be told by its place. */
  readonly silent: ReadonlySet<number>
}

/** A text of which nothing is known, and at which nothing is written. */
export function isUnknownText({ ref, kind, type }: Control, { result, silent }: Settling): boolean {
  return kind === 'text' && type !== 'email' && type !== 'password' && silent.has(ref) && !result.has(ref)
}

export function isShort({ maxLength }: Control, most: number): boolean {
  return maxLength !== null && maxLength > 0 && maxLength <= most
}

export function isShapeOfPostalCode(control: Control): boolean {
  const { maxLength } = control
  return maxLength !== null ? maxLength >= 4 && maxLength <= 10 : isNumeric(control)
}

export function isNumeric({ inputMode, type }: Control): boolean {
  return inputMode === 'numeric' || type === 'tel' || type === 'number'
}
