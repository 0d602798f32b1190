import { guestOf, isOfSignIn } from '../reading/choices-of.ts'
import { assignFields } from '../reading/field-of.ts'
import { kindOf } from '../reading/page-kind.ts'
import type { Action, PageSnapshot } from '../reading/page-snapshot.ts'
import type { Field } from '../reading/words/shop-words.ts'
import { neededBoxes } from './buyer-fields.ts'

/** What only somebody has. Country, state and postal code alone are asked for an estimate. */
const ofSomebody: ReadonlySet<Field> = new Set([
  'full_name',
  'first_name',
  'last_name',
  'phone',
  'line1',
  'street',
  'house_number',
  'card_number',
])

const ofDelivery: ReadonlySet<Field> = new Set(['line1', 'street', 'card_number'])

/** Whether a page asks who buys, or wants somebody's consent: there a way ends on which nobody buys. */
export function asksWhoBuys(page: PageSnapshot): boolean {
  const fields = assignFields(page)
  const open = page.controls.filter((control) => !control.isDisabled && !isOfSignIn(page, control))
  const asks = (wanted: ReadonlySet<Field>) => open.some(({ ref }) => wanted.has(fields.get(ref) ?? 'search'))
  const { kind } = kindOf(page)
  // Who writes a review is asked for a name, too.
  if (kind === 'product') return asks(ofDelivery)
  if (asks(ofSomebody) || neededBoxes(page).length > 0) return true
  // At a cart it is for news, where nothing says so.
  if (kind === 'cart') return false
  const emails = open.filter(({ ref }) => fields.get(ref) === 'email')
  return emails.some(({ isRequired }) => isRequired || !isBesideGuest(page))
}

/** A guest is chosen, and who is a customer would sign in beside that: nobody has to say anything yet. */
function isBesideGuest(page: PageSnapshot): boolean {
  const fields = assignFields(page)
  const hasPassword = page.controls.some(({ ref }) => fields.get(ref) === 'password')
  return hasPassword && guestOf(page)?.isChosen === true
}

/** Whether something has to be filled in before this is pressed, which nobody can. */
export function needsSomebody({ controls }: PageSnapshot, { role, form }: Action): boolean {
  if (role === 'link' && form === null) return false
  return controls.some(
    (control) =>
      control.form === form &&
      control.isRequired &&
      !control.isDisabled &&
      (control.kind === 'text'
        ? control.isEmpty
        : control.kind === 'select' && control.options.find(({ isSelected }) => isSelected)?.value === ''),
  )
}
