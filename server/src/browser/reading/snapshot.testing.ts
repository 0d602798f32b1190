import type { Action, Control, PageSnapshot } from './page-snapshot.ts'

/** A page of a test: what is not said is empty. */
export function snapshotWith(parts: Partial<PageSnapshot>): PageSnapshot {
  return {
    url: 'https://shop.example/product/1',
    title: '',
    language: 'en',
    text: '',
    headings: [],
    jsonLd: [],
    meta: [],
    microdata: [],
    struck: [],
    controls: [],
    actions: [],
    rows: [],
    frames: [],
    ...parts,
  }
}

let nextRef = 1

export function control(parts: Partial<Control>): Control {
  nextRef += 1
  return {
    ref: nextRef,
    kind: 'text',
    type: 'text',
    name: '',
    id: '',
    autocomplete: '',
    inputMode: '',
    maxLength: null,
    pattern: '',
    label: '',
    placeholder: '',
    near: '',
    group: '',
    isRequired: false,
    isDisabled: false,
    isChecked: false,
    isEmpty: true,
    isInvalid: false,
    options: [],
    form: 1,
    isInDialog: false,
    ...parts,
  }
}

export function action(name: string, parts: Partial<Action> = {}): Action {
  nextRef += 1
  return {
    ref: nextRef,
    role: 'button',
    name,
    beside: '',
    href: '',
    formAction: '',
    form: null,
    isSubmit: false,
    list: null,
    listName: '',
    isDisabled: false,
    isPressed: false,
    isInDialog: false,
    isInNavigation: false,
    area: 5_000,
    ...parts,
  }
}

export function option(
  text: string,
  value = text,
  parts: { readonly isSelected?: boolean; readonly isDisabled?: boolean } = {},
): Control['options'][number] {
  return { value, text, isSelected: false, isDisabled: false, ...parts }
}

export type Pairs = readonly (readonly [label: string, value: string])[]

/** Rows of a summary, group by group. */
export function rows(...groups: Pairs[]): Pick<PageSnapshot, 'rows'> {
  return { rows: groups.flatMap((pairs, group) => pairs.map(([label, value]) => ({ label, value, group }))) }
}
