import type { Fields } from '../../../messages/src/messages.ts'

/** In the order of the form. */
export const billingFields = ['country', 'line1', 'line2', 'postal_code', 'city', 'state'] as const
export type BillingField = (typeof billingFields)[number]

/** As the fields hold it. */
export type BillingDraft = { readonly [Field in BillingField]: string }

/** As the server takes it: what is empty is left out. */
export type BillingAddress = { readonly [Field in BillingField | 'recipient_name']?: string }

/** What no address is without. Whether it has a postal code the server knows, by its country. */
const needed: readonly BillingField[] = ['country', 'line1', 'city']

export function checkBilling(draft: BillingDraft): {
  readonly address: BillingAddress | null
  readonly missing: readonly BillingField[]
} {
  const typed = billingFields.map((field) => [field, draft[field].trim()] as const)
  const missing = typed
    .filter(([field, text]) => text === '' && needed.includes(field))
    .map(([field]) => field)
  const address = Object.fromEntries(typed.filter(([, text]) => text !== ''))
  return { address: missing.length === 0 ? address : null, missing }
}

/** Undefined: what the page asks for is neither. */
export function billingOf({ billingAddress = 'never' }: Fields): 'never' | 'full' | undefined {
  return billingAddress === 'never' || billingAddress === 'full' ? billingAddress : undefined
}
