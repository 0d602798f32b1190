import type { Cart } from '../shop/cart.ts'
import type { Desk } from '../shop/desk.ts'
import type { Order } from '../shop/memory.ts'
import type { Face } from './face.ts'
import type { Release } from './releases.ts'
import type { Later } from './stories.ts'

/** A destination in the words of the protocol. */
export type Destination = { id: string } & Partial<Record<(typeof addressFields)[number], string>>

export const addressFields = [
  'full_name',
  'first_name',
  'last_name',
  'street_address',
  'extended_address',
  'address_locality',
  'address_region',
  'postal_code',
  'address_country',
  'phone_number',
] as const

export type Buyer = Partial<
  Record<'first_name' | 'last_name' | 'full_name' | 'email' | 'phone_number', string>
>

export type Happened = { does: Later['does']; at: string; amount: number }

/**
 * What the shop keeps of a checkout besides the cart that it is. The cart has the goods, the address, the delivery and the order; a
 * browser may go on with it.
 */
export type Session = {
  /** Of the cart, too. */
  id: string
  host: string
  release: Release
  agent: string
  webhookUrl: string | null
  /** Whether the platform can say where things go. */
  canDeliver: boolean
  buyer: Buyer
  destinations: readonly Destination[]
  selectedDestinationId: string | null
  codes: readonly string[]
  attribution: Readonly<Record<string, string>>
  /** `challenged`: its bank asks. `stuck`: it is being completed, and nothing comes of it. */
  stage: 'open' | 'challenged' | 'stuck' | 'canceled'
  isUpdated: boolean
  isRaised: boolean
  hasBroken: boolean
  expiresAt: string
  /** The shop's day on which it was ordered. */
  orderedOn: number | null
  happened: readonly Happened[]
}

export function findSession({ memory }: Desk, id: string | null): Session | undefined {
  const kept = memory.notes.get(noteOf(id ?? ''))
  // Written by `keepSession` alone, from values of this type.
  return kept === undefined ? undefined : (JSON.parse(kept) as Session)
}

export function keepSession({ memory }: Desk, session: Session): void {
  memory.commit({ kind: 'note', name: noteOf(session.id), value: JSON.stringify(session) })
}

export function sessionsOf(desk: Desk): Session[] {
  return [...desk.memory.notes.keys()]
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => findSession(desk, name.slice(prefix.length)) ?? [])
}

export function cartOfSession({ memory }: Desk, { id }: Session): Cart {
  const cart = memory.carts.get(id)
  if (cart === undefined) throw new Error(`A checkout without its cart: ${id}`)
  return cart
}

/** The order that the checkout became, whoever completed it. One that was declined is none. */
export function orderOfSession(desk: Desk, session: Session): Order | undefined {
  return desk.memory.orders.get(cartOfSession(desk, session).orderId ?? '')
}

/** The desk as it is under a name of the shop: the processor knows the shop by it. */
export function deskAt(desk: Desk, { host }: Pick<Face, 'host'>): Desk {
  return { ...desk, host }
}

const prefix = 'checkout:'

function noteOf(id: string): string {
  return prefix + id
}
