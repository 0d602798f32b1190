import type { ActingContext } from '../../../contract/context.ts'
import { derivedId, type IdScheme } from '../../../platform/ids/derived-id.ts'
import { readOrder } from '../../trade/orders/public.ts'
import type { LoadedCart } from '../intents/public.ts'
import type { EffectRow } from './journal.ts'

type Attempted = Pick<LoadedCart, 'id' | 'id_scheme' | 'attempt_number' | 'channel'>

/**
 * How the id of the current attempt's order is derived from the cart's. An attempt that has begun keeps the scheme that it began under,
 * because the rail and the merchant may know the id already. Another attempt of an old cart begins under today's scheme, and its row says
 * so from its first journaled call on. The id of a first attempt equals no other id, and stays what a backup expects.
 */
export function orderIdScheme(cart: Attempted, effects: readonly EffectRow[]): IdScheme {
  const isBegun = effects.some(({ attempt }) => attempt === cart.attempt_number)
  return cart.id_scheme === 1 && cart.attempt_number > 1 && !isBegun ? 2 : cart.id_scheme
}

/**
 * Whether the current attempt can never place its order, because by the first scheme its order would have the id of another cart's order.
 * It locks nothing: orders of an intent are only made under the intent's lock.
 */
export async function isOrderIdTaken(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  cart: Attempted,
  effects: readonly EffectRow[],
): Promise<boolean> {
  const isPlaced = effects.some(({ step, attempt }) => step === 'place' && attempt === cart.attempt_number)
  if (isPlaced || cart.channel !== 'native' || orderIdScheme(cart, effects) !== 1) return false
  const id = derivedId(1, 'ord', cart.id, cart.attempt_number)
  const order = await readOrder(ctx.tx, ctx.tenant, id)
  return order !== null && order.cart_id !== cart.id
}
