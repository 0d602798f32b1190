import type { Action, Control, PageSnapshot } from '../../../src/browser/reading/page-snapshot.ts'
import type { CorpusControl, CorpusForm } from './corpus.ts'

/** What a script of the page does with what is typed; null: it leaves it alone. */
type Habit = (value: string, about: CorpusControl) => string

/** A field of a document, and what stands in it. */
export type Field = {
  readonly ref: number
  about: CorpusControl
  value: string
  isChecked: boolean
}

/** What happens in a document: a script of it may listen. */
export type Happening = {
  readonly kind: 'typed' | 'left' | 'chosen' | 'pressed' | 'read'
  readonly ref: number
}

/**
 * A page with one form of the corpus, in memory. It keeps no more characters than a field has room for, offers what a list offers, and tells
 * a script of the page what happens, as a browser does.
 */
export class FormDocument {
  readonly fields: Field[]
  readonly url = 'https://nowhere.test/checkout'
  readonly id = 'document'
  #order: Field[]
  readonly #form: CorpusForm
  readonly #habit: Habit
  #kept = new Map<number, readonly [value: string, label: string]>()
  /** A script of the page. */
  script: (happening: Happening, document: FormDocument) => void = () => {}
  text: readonly string[] = []

  constructor(form: CorpusForm, habit: Habit = (value) => value) {
    this.#form = form
    this.#habit = habit
    this.fields = form.controls.map((about, at) => ({
      ref: at + 1,
      about,
      value: about.preset || (about.options[0]?.value ?? ''),
      isChecked: about.isChosen,
    }))
    this.#order = [...this.fields]
  }

  field(ref: number): Field | undefined {
    return this.fields.find((one) => one.ref === ref)
  }

  /** The fields as they stand one after the other. */
  get order(): readonly Field[] {
    return this.#order
  }

  /** What is shown by what is checked. */
  isShown({ about }: Field): boolean {
    if (about.when === 'always') return true
    const isChecked = (meaning: string) =>
      this.fields.some((one) => one.about.meaning === meaning && one.isChecked)
    return about.when === 'elsewhere' ? isChecked('elsewhere') : !isChecked('same')
  }

  reorder(order: readonly Field[]): void {
    this.#order = [...order]
  }

  add(about: CorpusControl, at: number): Field {
    const field = { ref: this.fields.length + 1, about, value: '', isChecked: false }
    this.fields.push(field)
    this.#order.splice(at, 0, field)
    return field
  }

  snapshot(): PageSnapshot {
    this.script({ kind: 'read', ref: 0 }, this)
    return {
      url: this.url,
      title: 'Checkout',
      language: this.#form.language,
      text: [...this.text, ...this.#order.map(({ about }) => about.label)]
        .filter((line) => line !== '')
        .join('\n'),
      headings: ['Checkout'],
      jsonLd: [],
      meta: [],
      microdata: [],
      controls: this.#order.filter((one) => this.isShown(one)).map(controlOf),
      actions: this.#form.buttons.map((name, form) => buttonOf(name, form)),
      rows: [],
      struck: [],
      frames: [],
    }
  }

  /** One key after the other; `isFresh`: what stands there goes first. */
  type(ref: number, text: string, isFresh: boolean): void {
    const field = this.field(ref)
    if (field === undefined) return
    if (isFresh) field.value = ''
    for (const key of text)
      if (field.about.maxLength === null || field.value.length + key.length <= field.about.maxLength)
        field.value += key
    this.script({ kind: 'typed', ref }, this)
  }

  leave(ref: number): void {
    const field = this.field(ref)
    if (field === undefined || field.about.kind !== 'text') return
    field.value = this.#habit(field.value, field.about)
    this.script({ kind: 'left', ref }, this)
  }

  choose(ref: number, value: string): void {
    const field = this.field(ref)
    if (field?.about.options.some((one) => one.value === value)) field.value = value
    this.script({ kind: 'chosen', ref }, this)
  }

  press(ref: number): void {
    const field = this.field(ref)
    if (field === undefined) return
    if (field.about.kind === 'checkbox') field.isChecked = !field.isChecked
    if (field.about.kind === 'radio')
      for (const one of this.fields)
        if (
          one.about.kind === 'radio' &&
          one.about.name === field.about.name &&
          one.about.form === field.about.form
        )
          one.isChecked = one === field
    this.script({ kind: 'pressed', ref }, this)
  }

  /** What the script in the page answers to a call. */
  answer(call: string, args: readonly unknown[]): unknown {
    switch (call) {
      case 'snapshot':
        return this.snapshot()
      case 'quiet':
        return 'complete'
      case 'coverOf':
        return this.field(Number(args[0])) === undefined
          ? { state: 'gone' }
          : { state: 'free', x: 0, y: args[0] }
      case 'standing':
        return { document: this.id, values: this.#readable().map(({ ref, value }) => [ref, value]) }
      case 'lengths':
        return refsIn(args[0]).map((ref) => this.field(ref)?.value.length ?? 0)
      case 'keep':
        this.#kept = new Map(this.#readable().map(({ ref, value, about }) => [ref, [value, about.label]]))
        return undefined
      case 'changed':
        return [...this.#kept]
          .filter(([ref, [value, label]]) => {
            const now = this.field(ref)
            return !refsIn(args[0]).includes(ref) && (now?.value !== value || now.about.label !== label)
          })
          .map(([ref]) => ref)
      case 'optionsOf':
        return []
      default:
        return null
    }
  }

  #readable(): Field[] {
    return this.#order.filter((one) => this.isShown(one) && isReadable(one.about))
  }
}

function isReadable(about: CorpusControl): boolean {
  return (about.kind === 'text' && about.type !== 'password') || about.kind === 'select'
}

function refsIn(list: unknown): number[] {
  return Array.isArray(list) ? list.map(Number) : []
}

function controlOf({ ref, about, value, isChecked }: Field): Control {
  const isSelect = about.kind === 'select'
  return {
    ref,
    kind: about.kind,
    type: isSelect ? 'select-one' : about.kind === 'text' ? about.type : about.kind,
    name: about.name,
    id: about.id,
    autocomplete: about.autocomplete,
    inputMode: about.inputMode,
    maxLength: about.maxLength,
    pattern: about.pattern,
    label: about.label,
    placeholder: about.placeholder,
    near: about.title,
    group: about.group,
    isRequired: about.isRequired,
    isDisabled: false,
    isChecked,
    isEmpty: about.kind === 'text' && value === '',
    // A box that is required and open is wrong to a browser; an empty text is not yet.
    isInvalid: about.isRequired && !isChecked && (about.kind === 'checkbox' || about.kind === 'radio'),
    options: about.options.map((one) => ({
      ...one,
      isSelected: one.value === value,
      isDisabled: false,
    })),
    form: about.form,
    isInDialog: false,
  }
}

function buttonOf(name: string, form: number): Action {
  return {
    ref: 10_000 + form,
    role: 'button',
    name,
    beside: '',
    href: '',
    formAction: 'https://nowhere.test/checkout',
    form,
    isSubmit: true,
    isDisabled: false,
    list: null,
    listName: '',
    isPressed: false,
    isInDialog: false,
    isInNavigation: false,
    area: 5_000,
  }
}
