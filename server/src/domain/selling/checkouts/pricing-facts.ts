import type { Place } from '../../../core/place.ts'
import type { Item } from '../catalog/public.ts'
import type { readSellingTerms } from '../pricing/public.ts'
import type { CheckoutBuyer, CheckoutDestination } from './checkout.ts'

export type WantedLine = { readonly id: string | null; readonly itemId: string; readonly quantity: number }

export type NamedLine = WantedLine & { readonly id: string }

/** The lines with an id each: the one that was sent, else one that no other line has. */
export function withLineIds(lines: readonly WantedLine[]): NamedLine[] {
  const taken = new Set(lines.flatMap(({ id }) => id ?? []))
  return lines.map((line, index) => {
    if (line.id !== null) return { ...line, id: line.id }
    let number = index + 1
    while (taken.has(`li_${number}`)) number++
    taken.add(`li_${number}`)
    return { ...line, id: `li_${number}` }
  })
}

/** What a checkout's price depends on. */
export type Wanted = {
  readonly lines: readonly NamedLine[]
  /** Null: that of the first item. */
  readonly currency: string | null
  readonly buyer: CheckoutBuyer | null
  readonly destination: CheckoutDestination | null
  /** The way that was chosen; null: the cheapest. */
  readonly optionId: string | null
  readonly codes: readonly string[]
  /** Whether the rest is priced where some of it cannot be sold or delivered. */
  readonly takesPart: boolean
}

/** What is wanted, and what the merchant says of it. */
export type PricingFacts = {
  readonly wanted: Omit<Wanted, 'lines'>
  readonly lines: readonly NamedLine[]
  readonly items: readonly Item[]
  readonly place: Place | null
  /** False: the merchant does not deliver to the place. */
  readonly isReached: boolean
  readonly terms: Awaited<ReturnType<typeof readSellingTerms>>
}

export function currencyOf({
  wanted,
  lines,
  items,
}: Pick<PricingFacts, 'wanted' | 'lines' | 'items'>): string {
  const variants = items.flatMap((item) => item.variants)
  const first = lines.flatMap(({ itemId }) => variants.find(({ id }) => id === itemId)?.currency ?? []).at(0)
  return wanted.currency ?? first ?? 'USD'
}
