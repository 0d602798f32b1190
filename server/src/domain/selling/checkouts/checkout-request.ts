import type { CheckoutBuyer, CheckoutDelivery, CheckoutDestination } from './checkout.ts'
import type { WantedLine } from './pricing-facts.ts'

/** A checkout as a platform wants it: the whole of it, each time. */
export type CheckoutRequest = {
  readonly lines: readonly WantedLine[]
  readonly currency: string | null
  readonly buyer: CheckoutBuyer | null
  readonly delivery: WantedDelivery | null
  readonly codes: readonly string[]
  readonly attribution: Readonly<Record<string, string>>
}

export type WantedDelivery = {
  readonly destinations: readonly (Omit<CheckoutDestination, 'id'> & { readonly id: string | null })[]
  readonly selectedDestinationId: string | null
  readonly selectedOptionId: string | null
  /** The line items that it names, each with its place in the request. Absent: none, which means all. */
  readonly lineIds?: readonly { readonly id: string; readonly path: string }[]
  /** The places of ways of fulfillment that were sent beside it. */
  readonly unused?: readonly string[]
}

/** The destinations with their ids, and which of them is selected: the one that was named, else the only one. */
export function destinationsOf(
  wanted: WantedDelivery | null,
  before: CheckoutDelivery | null,
): { destinations: CheckoutDestination[]; selected: CheckoutDestination | null } {
  // A platform that names a destination of before need not send it again.
  const known = before?.destinations ?? []
  const sent = wanted?.destinations ?? []
  const taken = new Set(sent.flatMap(({ id }) => id ?? []))
  const destinations =
    sent.length > 0
      ? sent.map((one) => ({
          ...one,
          id: one.id ?? known.find((other) => isSame(one, other))?.id ?? newId(taken),
        }))
      : [...known]
  const named = wanted?.selectedDestinationId ?? null
  const [only, ...others] = destinations
  const selected =
    destinations.find(({ id }) => id === named) ??
    (named === null && others.length === 0 ? (only ?? null) : null)
  return { destinations, selected }
}

const parts = ['recipient_name', 'line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const

function isSame(one: Omit<CheckoutDestination, 'id'>, other: CheckoutDestination): boolean {
  return parts.every((part) => one[part] === other[part])
}

function newId(taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const id = `dest_${number}`
    if (taken.has(id)) continue
    taken.add(id)
    return id
  }
}
