import type { ActingContext } from '../../../contract/context.ts'
import { derivedId, type IdScheme } from '../../../platform/ids/derived-id.ts'
import { selectOrder } from '../../trade/orders/public.ts'
import type { CartRow } from '../intents/public.ts'
import type { EffectRow } from './journal.ts'

type Attempted = Pick<CartRow, 'id' | 'id_scheme' | 'attempt_number' | 'channel'>

/**
 * How the id of the current attempt's order follows from the cart's. An attempt that was begun keeps the scheme it was begun under:
 * the rail and the merchant may have heard of it already. Another attempt of an old cart is begun under today's scheme, which its row
 * says from its first journaled call on. A first attempt's id meets no other's, and stays what a backup expects.
 */
export function orderIdScheme(cart: Attempted, effects: readonly EffectRow[]): IdScheme {
  const isBegun = effects.some(({ attempt }) => attempt === cart.attempt_number)
  return cart.id_scheme === 1 && cart.attempt_number > 1 && !isBegun ? 2 : cart.id_scheme
}

/**
 * Whether the current attempt can never place its order, because by the first scheme its order would have the id of another cart's.
 * Locks nothing: orders of an intent are only made under the intent's lock.
 */
export async function isOrderIdTaken(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  cart: Attempted,
  effects: readonly EffectRow[],
): Promise<boolean> {
  const isPlaced = effects.some(({ step, attempt }) => step === 'place' && attempt === cart.attempt_number)
  if (isPlaced || cart.channel !== 'native' || orderIdScheme(cart, effects) !== 1) return false
  const { accountId: account_id, mode } = ctx.tenant
  const id = derivedId(1, 'ord', cart.id, cart.attempt_number)
  const order = await ctx.tx.maybe(selectOrder({ account_id, mode, id }))
  return order !== null && order.cart_id !== cart.id
}
