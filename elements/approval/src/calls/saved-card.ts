import { recordOf } from '../../../frame/src/calls/call.ts'

export type SavedCard = {
  readonly id: string
  readonly brand: string
  readonly last4: string
  readonly isDefault: boolean
  readonly month: number
  readonly year: number
}

export function savedCardOf(said: Record<string, unknown>): SavedCard {
  const card = recordOf(said.card)
  return {
    id: String(said.id),
    brand: String(card.card_brand),
    last4: String(card.card_last4),
    isDefault: said.is_default === true,
    month: Number(card.card_exp_month),
    year: Number(card.card_exp_year),
  }
}

export function isOver({ month, year }: SavedCard, now: Date): boolean {
  return year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1
}

export function expiryOf({ month, year }: SavedCard): string {
  return `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`
}

/** The card that the purchase names, else the default, else the newest: of those that can still pay. */
export function cardToBegin(cards: readonly SavedCard[], named: string | null, now: Date): SavedCard | null {
  const usable = cards.filter((card) => !isOver(card, now))
  return (
    usable.find(({ id }) => id === named) ?? usable.find(({ isDefault }) => isDefault) ?? usable[0] ?? null
  )
}
