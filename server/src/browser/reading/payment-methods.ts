import { cleanText } from './json-ld.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import type { PaymentWord } from './words/shop-words.ts'
import { findWords } from './words/words.ts'

type PaymentKind = Exclude<PaymentWord, 'method'> | 'unknown'

export type PaymentMethod = {
  readonly ref: number
  /** Of a select; null for a radio or a button. */
  readonly value: string | null
  readonly label: string
  readonly kind: PaymentKind
  readonly isSelected: boolean
}

/** The ways to pay that a page lets one choose from. None: the page has one way, or does not ask yet. */
export function paymentMethods(snapshot: PageSnapshot): PaymentMethod[] {
  const { controls, actions, language } = snapshot
  const groups = new Map<string, PaymentMethod[]>()
  const add = (key: string, method: PaymentMethod) => groups.set(key, [...(groups.get(key) ?? []), method])
  for (const { kind, form, name, group, ref, label, near, isChecked, isDisabled, options } of controls) {
    if (isDisabled) continue
    if (kind === 'radio')
      add(
        `${form} ${name || group}`,
        methodOf({ ref, value: null, text: label || near, isSelected: isChecked }, language),
      )
    if (kind === 'select')
      for (const { value, text, isSelected } of options.filter((one) => one.value !== '' && !one.isDisabled))
        add(`select ${ref}`, methodOf({ ref, value, text, isSelected }, language))
  }
  const tabs = actions.filter(
    ({ isInNavigation, isDisabled, isSubmit, role }) =>
      !isInNavigation && !isDisabled && !isSubmit && role !== 'link',
  )
  for (const { ref, name, isPressed, form } of tabs) {
    const method = methodOf({ ref, value: null, text: name, isSelected: isPressed }, language)
    if (method.kind !== 'unknown' && name.length <= 60) add(`buttons ${form}`, method)
  }
  return best([...groups])
}

/** The group in which most is known to be a way to pay. Buttons are one only where one of them is pressed. */
function best(groups: readonly [key: string, methods: PaymentMethod[]][]): PaymentMethod[] {
  const judged = groups
    .map(([key, methods]) => ({
      methods,
      isTold: !key.startsWith('buttons') || methods.some(({ isSelected }) => isSelected),
      known: methods.filter(({ kind }) => kind !== 'unknown').length,
    }))
    .filter(({ methods, known, isTold }) => isTold && known > 0 && known * 2 >= methods.length)
    .sort((a, b) => b.known - a.known)
  return judged[0]?.methods ?? []
}

function methodOf(
  choice: { ref: number; value: string | null; text: string; isSelected: boolean },
  language: string,
): PaymentMethod {
  const { text, ...rest } = choice
  return { ...rest, label: cleanText(text, 120) ?? '', kind: kindOfText(text.slice(0, 200), language) }
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
