import { type CartRow, canCancelCart } from './cart.ts'
import { isUnknown } from './decide-finish.ts'
import { isTerminalCart } from './machine.ts'

export type PriceRefusal = {
  /**
   * `declined`: nothing was charged, so the purchase is off. `failed`: something was. `goes_on`: another cart can no longer be
   * stopped, so the rest of the purchase goes on without the one in question.
   */
  readonly outcome: 'declined' | 'failed' | 'goes_on'
  /** Carts that end with it although nobody asked about them. */
  readonly stopped: readonly CartRow[]
}

/** What follows when nobody agrees to the new price of one cart. */
export function decidePriceRefusal(carts: readonly CartRow[], inQuestion: string): PriceRefusal {
  const others = carts.filter((cart) => cart.id !== inQuestion)
  const open = others.filter((cart) => !isTerminalCart(cart.status))
  if (open.some((cart) => !canCancelCart(cart))) return { outcome: 'goes_on', stopped: [] }
  const wasCharged = others.some((cart) => cart.status === 'succeeded' || isUnknown(cart))
  return { outcome: wasCharged ? 'failed' : 'declined', stopped: open }
}
