/**
 * What one document shows at one moment, as the script in the page writes it down. Only what a person can see or what a screen reader would
 * say is in it, and no value of a text field. `ref` names an element until the next snapshot of the same document.
 */
export type PageSnapshot = {
  readonly url: string
  readonly title: string
  /** Of `<html lang>`, in lower case: `de-ch`; empty where the page does not say. */
  readonly language: string
  /** Visible text, a line for each block, cut at 40,000 characters. */
  readonly text: string
  /** What is struck through: in which line of `text`, counted from 0, and what. */
  readonly struck: readonly { readonly line: number; readonly text: string }[]
  readonly headings: readonly string[]
  /** Each `<script type="application/ld+json">`, as it stands. */
  readonly jsonLd: readonly string[]
  /** Open Graph, `product:*` and other named `<meta>`. */
  readonly meta: readonly { readonly name: string; readonly content: string }[]
  /** Each `itemscope` that is in no other: its type, and its properties with those of what is inside it, named `offers.price`. */
  readonly microdata: readonly {
    readonly type: string
    readonly properties: readonly { readonly name: string; readonly value: string }[]
  }[]
  readonly controls: readonly Control[]
  readonly actions: readonly Action[]
  /** Label and value side by side: rows of tables, `dt` and `dd`, and boxes with two texts of which the second is short. In order. */
  readonly rows: readonly {
    readonly label: string
    readonly value: string
    /** The row belongs to the same table or box as others of the same number. */
    readonly group: number
  }[]
  readonly frames: readonly {
    readonly ref: number
    readonly origin: string
    readonly title: string
    readonly isVisible: boolean
  }[]
}

/** Something that a person fills in, chooses or checks. */
export type Control = {
  readonly ref: number
  /** `list`: a list that a script draws. Its options are what is chosen in it, until it is opened. */
  readonly kind: 'text' | 'select' | 'list' | 'checkbox' | 'radio' | 'file'
  /** The `type` of an input: `text`, `email`, `tel`, `number`, `password`, `hidden` never. */
  readonly type: string
  readonly name: string
  readonly id: string
  readonly autocomplete: string
  readonly inputMode: string
  readonly maxLength: number | null
  /** Of an input, as it stands; empty where it has none. */
  readonly pattern: string
  /** Texts of its labels, `aria-label` and `aria-labelledby`. */
  readonly label: string
  readonly placeholder: string
  /** `title`, `aria-description` and what stands right before it, where it has no label. */
  readonly near: string
  /** The legend of its field set, the name of its radio group, or what stands before radios of one name. */
  readonly group: string
  readonly isRequired: boolean
  readonly isDisabled: boolean
  readonly isChecked: boolean
  readonly isEmpty: boolean
  /** The page or the browser says that what stands in it is wrong. */
  readonly isInvalid: boolean
  readonly options: readonly {
    readonly value: string
    readonly text: string
    readonly isSelected: boolean
    readonly isDisabled: boolean
  }[]
  /** Which form it is in: a number that its buttons share; null for none. */
  readonly form: number | null
  readonly isInDialog: boolean
}

/** Something that a person presses: a button, a link, or an element that acts like one. */
export type Action = {
  readonly ref: number
  readonly role: 'button' | 'link' | 'clickable'
  /** Its accessible name. */
  readonly name: string
  /** What stands beside it in its row, where its own name is short; empty where nothing does. */
  readonly beside: string
  /** Where a link leads, whole; empty for others. */
  readonly href: string
  /** Its form's own address, whole; empty where it is in none. */
  readonly formAction: string
  readonly form: number | null
  readonly isSubmit: boolean
  readonly isDisabled: boolean
  /** The list of choices in a form that it belongs to: a number that its neighbors share. Null for none. */
  readonly list: number | null
  /** What is written before that list, or names it; empty where it is no short name. */
  readonly listName: string
  /** `aria-pressed`, `aria-checked`, `aria-selected` or `aria-current`; in a list of choices also a class that says so. */
  readonly isPressed: boolean
  readonly isInDialog: boolean
  readonly isInNavigation: boolean
  /** Its area in square pixels: the main action of a page is rarely its smallest. */
  readonly area: number
}
