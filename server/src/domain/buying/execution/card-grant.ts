import type { Faults } from '../../../platform/faults/faults.ts'
import type { VaultClient } from '../../../platform/vault-client/vault-client.ts'
import { type CartState, holdOf } from './cart-state.ts'

export type GrantCard = VaultClient['grant']

/**
 * Permission to type the card of the current attempt, once and into a frame of one origin. The order is journaled before anybody can ask
 * for it: from then on the attempt counts as possibly placed.
 */
export function cardGrant(
  state: CartState,
  { channels: { grantCard }, faults }: { channels: { grantCard: GrantCard | null }; faults: Faults },
): (origin: string) => Promise<string | null> {
  const { tenant } = state
  const { id: cart, attempt_number: attempt, lease_token: leaseToken } = state.cart
  const record = holdOf(state, attempt)?.vault_record ?? null
  return async (origin) => {
    if (record === null || grantCard === null) return null
    const asked = { tenant, record, cart, attempt, origin, leaseToken }
    await faults.at('grant.before')
    const granted = await grantCard(asked)
    await faults.at('grant.after')
    return granted.kind === 'granted' ? granted.grant : null
  }
}
