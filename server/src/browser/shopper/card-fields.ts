import { assignFields } from '../reading/field-of.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import type { Field } from '../reading/words/shop-words.ts'

export const cardFields = {
  holder: 'card_holder',
  number: 'card_number',
  expiry: 'card_expiry',
  month: 'card_expiry_month',
  year: 'card_expiry_year',
  code: 'card_code',
} as const satisfies Record<string, Field>

export type CardField = keyof typeof cardFields

/** The first field of a document that is for this. */
export function controlFor(page: PageSnapshot, field: Field): Control | null {
  const fields = assignFields(page)
  return page.controls.find(({ ref, isDisabled }) => !isDisabled && fields.get(ref) === field) ?? null
}
