import type { ShopTask } from '../../../src/browser/shopper/shop-task.ts'
import type { CorpusControl } from './corpus.ts'
import type { Field, FormDocument } from './document.ts'
import { ofCards } from './right-values.ts'

type Filled = { readonly document: FormDocument; readonly task: ShopTask }

/** What was planted, in words; null: this form has no room for it. */
export function plantWrong(filled: Filled, random: () => number): string | null {
  const plants = [swap, misplace, move]
  return oneOf(plants, random)?.(filled, random) ?? null
}

export function oneOf<T>(items: readonly T[], random: () => number): T | undefined {
  return items[Math.floor(random() * items.length)]
}

/** Two fields have each other's value, as a reader would leave them who took each for the other. */
function swap(filled: Filled, random: () => number): string | null {
  const filledIn = typedFields(filled)
  const [one, other] = [oneOf(filledIn, random), oneOf(filledIn, random)]
  if (one === undefined || other === undefined || isSameKind(one, other)) return null
  if (one.value === other.value) return null
  const gifts = [giftOf(filled, one, other), giftOf(filled, other, one)]
  for (const give of gifts) give()
  return `“${one.about.label}” and “${other.about.label}” have each other's value`
}

/** A value of the buyer stands where no part of the buyer belongs. */
function misplace(filled: Filled, random: () => number): string | null {
  const from = oneOf(typedFields(filled), random)
  const to = oneOf(
    filled.document.fields.filter(
      ({ about }) =>
        about.meaning === 'nothing' && about.kind === 'text' && about.type !== 'password' && about.form === 0,
    ),
    random,
  )
  if (from === undefined || to === undefined || from.value.length < 5) return null
  // A further line of an address is no wrong place for its street, nor a second phone for a phone.
  if (/line/iu.test(to.about.label) && from.about.meaning === 'line1') return null
  if (to.about.type === 'tel' && /^(?:phone|afterCode)$/u.test(from.about.meaning)) return null
  giftOf(filled, from, to)()
  return `“${to.about.label}” has the value of “${from.about.label}”`
}

/** A value stands in the field of another one, and its own is as it was. */
function move(filled: Filled, random: () => number): string | null {
  const fields = typedFields(filled)
  const [from, to] = [oneOf(fields, random), oneOf(fields, random)]
  if (from === undefined || to === undefined || isSameKind(from, to) || from.value === to.value) return null
  giftOf(filled, from, to)()
  return `“${to.about.label}” has the value of “${from.about.label}” in place of its own`
}

/** Puts what stands in one field into another, and the shopper believes that this one asks for it. */
function giftOf({ document, task }: Filled, from: Field, to: Field): () => void {
  const known = task.typed.get(`${document.id} ${from.ref}`)
  const control = document.snapshot().controls.find(({ ref }) => ref === to.ref)
  const { value } = from
  return () => {
    if (known === undefined || control === undefined) return
    to.value = to.about.maxLength === null ? value : value.slice(0, to.about.maxLength)
    const entry = { ...known.entry, control, text: to.value }
    task.typed.set(`${document.id} ${to.ref}`, { entry, text: to.value, tries: 1 })
  }
}

function typedFields({ document, task }: Filled): Field[] {
  return document.order.filter(
    (field) =>
      field.about.kind === 'text' &&
      field.value !== '' &&
      !ofCards.has(field.about.meaning) &&
      task.typed.has(`${document.id} ${field.ref}`),
  )
}

/** Boxes of one value, and lines of one address, are told apart by their values alone. */
const alike: readonly (readonly CorpusControl['meaning'][])[] = [
  ['phone', 'national', 'afterCode', 'tel1', 'tel2', 'tel3'],
  ['zip', 'zip1', 'zip2', 'zip5'],
]

function isSameKind({ about: one }: Field, { about: other }: Field): boolean {
  if (one.meaning === other.meaning) return true
  // `Street / No.` is written once, before both.
  if ([one, other].some(({ label }) => label.includes(' / '))) return true
  return alike.some((kinds) => kinds.includes(one.meaning) && kinds.includes(other.meaning))
}
