import { mayBe, signalsOf } from './field-signals.ts'
import type { Control, PageSnapshot } from './page-snapshot.ts'
import { asksForCardNumber, saysFor } from './second-look.ts'
import { isSecretAsked } from './secret-words.ts'
import { isNumeric, isShapeOfPostalCode, isShort } from './settling.ts'
import type { Field } from './words/shop-words.ts'

/**
 * What a reader of pages has called fields that the rules do not understand, during one visit. A name is for what is written at a field: where
 * that changes, and where two fields of a page are written alike, it is for none.
 */
export class FieldNames {
  readonly #names = new Map<string, Field>()

  call(page: PageSnapshot, control: Control, field: Field): void {
    this.#names.set(placeOf(page, control), field)
  }

  forget(page: PageSnapshot, control: Control): void {
    this.#names.delete(placeOf(page, control))
  }

  forgetAll(): void {
    this.#names.clear()
  }

  /** The same page, which is read with these names from here on. */
  putOn(page: PageSnapshot): PageSnapshot {
    if (this.#names.size === 0) return page
    const places = page.controls.map((control) => placeOf(page, control))
    const found = new Map<number, Field>()
    for (const [at, { ref }] of page.controls.entries()) {
      const [place = ''] = places.slice(at)
      const field = this.#names.get(place)
      if (field !== undefined && places.indexOf(place) === places.lastIndexOf(place)) found.set(ref, field)
    }
    named.set(page, found)
    return page
  }
}

const named = new WeakMap<PageSnapshot, ReadonlyMap<number, Field>>()
const none: ReadonlyMap<number, Field> = new Map()

/** What is asked for in one way is not asked for in another as well. */
export function sameAs(field: Field): readonly Field[] {
  return [field, ...(kin[field] ?? [])]
}

const kin: Partial<Record<Field, readonly Field[]>> = {
  line1: ['street'],
  full_name: ['first_name', 'last_name'],
  first_name: ['full_name'],
  last_name: ['full_name'],
}

/** What a reader has called the controls of a page, by their `ref`. */
export function namesOn(page: PageSnapshot): ReadonlyMap<number, Field> {
  return named.get(page) ?? none
}

function placeOf({ url }: PageSnapshot, control: Control): string {
  return `${url.split(/[?#]/u)[0]} ${writtenAt(control)}`
}

/** What a control is and what is written at it: as long as this is the same, it is the same field. */
export function writtenAt(control: Control): string {
  const { kind, type, name, id, autocomplete, maxLength, label, placeholder, near, group } = control
  return JSON.stringify([kind, type, name, id, autocomplete, maxLength, label, placeholder, near, group])
}

/**
 * Whether somebody else may call a control so: it takes no secret, nothing that is understood of it says something else, and what it takes is of
 * that shape.
 */
export function mayBeCalled(
  control: Control,
  field: Field,
  { language, isCityKnown }: { readonly language: string; readonly isCityKnown: boolean },
): boolean {
  // guard readers-name-no-secrets: whatever a reader calls it, a field for a card or a secret gets nothing of the buyer's
  if (isSecretAsked(control) || asksForCardNumber(control)) return false
  const says = saysFor(control, field)
  if (!mayBe(control, field) || signalsOf(control, language).isOther || says === false) return false
  return says === true || control.kind !== 'text' || hasShape(control, field, isCityKnown)
}

function hasShape(control: Control, field: Field, isCityKnown: boolean): boolean {
  switch (field) {
    // Beside a city that is known, a code cannot be taken for it.
    case 'postal_code':
      return isShapeOfPostalCode(control) || isCityKnown
    case 'house_number':
      return isShort(control, 8) || isNumeric(control)
    case 'phone':
      return isNumeric(control) || control.inputMode === 'tel'
    // A field for it says so itself, as a list does by what it offers: nothing that a shop shows afterwards tells it from another text.
    case 'email':
    case 'country':
      return false
    default:
      return !isNumeric(control)
  }
}
