import { createHash } from 'node:crypto'
import type { OrderName } from './stranger-orders.sql.ts'

/** How the messages of a merchant name an order, in its own words. */
export type ToldAs = { readonly sender: string; readonly checkout: string }

export function namedBy({ sender, checkout }: ToldAs): OrderName & { name: string } {
  const hash = hashOf(checkout)
  return { sender, checkout: hash, name: `${sender} ${hash.toString('hex')}` }
}

/** Names that strangers give are of any length and hold anything. */
export function hashOf(given: string | Uint8Array): Buffer {
  return createHash('sha256').update(given).digest()
}
