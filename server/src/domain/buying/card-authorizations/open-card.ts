import type { ActingContext } from '../../../contract/context.ts'
import { insertCard, updateCardClosed } from './card-authorizations.sql.ts'

/** A card that was issued for an attempt of a cart. `limit`: what all its charges may come to, in minor units of `currency`. */
export type OpenedCard = {
  readonly reference: string
  readonly cartId: string
  readonly attempt: number
  readonly profileId: string
  readonly agentId: string | null
  readonly limit: bigint
  readonly currency: string
}

/** The number of the card may be typed from now on. Opening it again changes nothing. */
export function openCard({ tenant, tx }: ActingContext, card: OpenedCard): void {
  const { reference, attempt, currency } = card
  tx.write(
    insertCard({
      ...{ account_id: tenant.accountId, mode: tenant.mode, reference, attempt, currency },
      ...{
        cart_id: card.cartId,
        profile_id: card.profileId,
        agent_id: card.agentId,
        limit_amount: card.limit,
      },
    }),
  )
}

/** Nothing is allowed on it from now on, whoever has its number. */
export function closeCard({ tenant, tx }: ActingContext, reference: string): void {
  tx.write(updateCardClosed({ account_id: tenant.accountId, mode: tenant.mode, reference }))
}
