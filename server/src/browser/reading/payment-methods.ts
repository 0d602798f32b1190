import { type Alternative, choicesAbout } from './choices-of.ts'
import { cleanText } from './json-ld.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import type { PaymentWord } from './words/shop-words.ts'
import { findWords } from './words/words.ts'

type PaymentKind = Exclude<PaymentWord, 'method'> | 'unknown'

export type PaymentMethod = {
  readonly ref: number
  /** Of a list; null where it is pressed itself. */
  readonly value: string | null
  readonly label: string
  readonly kind: PaymentKind
  readonly isSelected: boolean
}

/** The ways to pay that a page lets one choose from. None: the page has one way, or does not ask yet. */
export function paymentMethods(snapshot: PageSnapshot): PaymentMethod[] {
  // Buttons are a choice only where one of them is pressed.
  const choice = choicesAbout(snapshot, 'payment').find(
    ({ how, alternatives }) => how !== 'button' || alternatives.some(({ isChosen }) => isChosen),
  )
  return (choice?.alternatives ?? [])
    .filter(({ isDisabled }) => !isDisabled)
    .map((alternative) => methodOf(alternative, snapshot.language))
}

function methodOf({ ref, value, text, isChosen }: Alternative, language: string): PaymentMethod {
  return {
    ref,
    value,
    label: cleanText(text, 120) ?? '',
    kind: kindOfText(text.slice(0, 200), language),
    isSelected: isChosen,
  }
}

/** What is no card is said beside the word of a card: `Buy now, pay later. No credit card needed`. */
const gravity: readonly PaymentKind[] = [
  'instalments',
  'invoice',
  'cash',
  'transfer',
  'wallet',
  'card',
  'gift_card',
]

function kindOfText(text: string, language: string): PaymentKind {
  const found = findWords('payments', text, language).filter(({ key }) => key !== 'method')
  const [first] = found.toSorted((a, b) => a.start - b.start)
  if (
    first?.key === 'card' &&
    found.every(({ key }) => key === 'card' || key === 'transfer' || key === 'gift_card')
  )
    return 'card'
  return gravity.find((kind) => found.some(({ key }) => key === kind)) ?? 'unknown'
}
