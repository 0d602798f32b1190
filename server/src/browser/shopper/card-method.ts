import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { type PaymentMethod, paymentMethods } from '../reading/payment-methods.ts'

type CardMethod =
  /** A card is chosen, or there is nothing to choose. */
  | { readonly kind: 'chosen' }
  | { readonly kind: 'open'; readonly method: PaymentMethod }
  /** What can be chosen is no card. */
  | { readonly kind: 'none'; readonly label: string | null }

/** Whether a page takes a card, as it stands. */
export function cardMethodOf(page: PageSnapshot): CardMethod {
  const methods = paymentMethods(page)
  if (methods.length === 0) return { kind: 'chosen' }
  const card = methods.find(({ kind }) => kind === 'card')
  if (card === undefined) return { kind: 'none', label: methods[0]?.label ?? null }
  return card.isSelected ? { kind: 'chosen' } : { kind: 'open', method: card }
}
