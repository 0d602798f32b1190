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

/** What belongs to the card, which is judged and typed apart. */
export const ofCards: ReadonlySet<Field> = new Set(Object.values(cardFields))

/** What only the card's own way and a ticket fill: nobody else has anything typed into it, and no person is asked for it. */
export const secretFields: ReadonlySet<Field> = new Set([...ofCards, 'password', 'one_time_code'])

/** The first field of a document that is for this. */
export function controlFor(page: PageSnapshot, field: Field): Control | null {
  const fields = assignFields(page)
  return page.controls.find(({ ref, isDisabled }) => !isDisabled && fields.get(ref) === field) ?? null
}
