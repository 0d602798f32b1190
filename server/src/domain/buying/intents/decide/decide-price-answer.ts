import { type CartRow, canCancelCart } from '../cart.ts'
import { isUnknown } from '../decide-finish.ts'
import { isTerminalCart } from '../machine.ts'

type PriceRefusal = {
  /**
   * `declined`: nothing was charged, so the purchase ends. `failed`: something was charged. `goes_on`: another cart can no longer be
   * stopped, so the rest of the purchase continues without the cart in question.
   */
  readonly outcome: 'declined' | 'failed' | 'goes_on'
  /** Other carts that end with it, although the question was not about them. */
  readonly stopped: readonly CartRow[]
}

/** What follows when the new price of one cart is not approved. */
export function decidePriceRefusal(carts: readonly CartRow[], inQuestion: string): PriceRefusal {
  const others = carts.filter((cart) => cart.id !== inQuestion)
  const open = others.filter((cart) => !isTerminalCart(cart.status))
  if (open.some((cart) => !canCancelCart(cart))) return { outcome: 'goes_on', stopped: [] }
  const wasCharged = others.some((cart) => cart.status === 'succeeded' || isUnknown(cart))
  return { outcome: wasCharged ? 'failed' : 'declined', stopped: open }
}
