import type { ActingContext } from '../../../contract/context.ts'
import { insertCard, lockBalance, selectUnspent, updateCardClosed } from './card-authorizations.sql.ts'
import { lockProgramForShare } from './card-program.sql.ts'

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

/** What the cards of a currency could spend, all together, when it was read. */
export type CardFunds = { readonly amount: bigint; readonly readAt: Date }

/**
 * The number of the card may be typed from now on, if the balance that pays for all cards covers it: what other open cards may still spend is
 * taken off. `stopped`: no card is shown to a shop until the operator has looked at the issuer. Run it once for each card.
 */
export async function openCard(
  { tenant, tx }: ActingContext,
  card: OpenedCard,
  funds: CardFunds,
): Promise<'opened' | 'not_covered' | 'stopped'> {
  const { reference, attempt, currency, limit } = card
  const { accountId: account_id, mode } = tenant
  const program = await tx.maybe(lockProgramForShare({ mode }))
  // guard stopped-cards-are-not-shown: a program that allows charges by itself shows no card to a shop
  if (program !== null && program.stopped_at !== null) return 'stopped'
  // guard cards-opened-one-by-one: two cards at once are not promised the same money
  await tx.rows(lockBalance({ mode, currency }))
  const [others] = await tx.rows(selectUnspent({ mode, currency, since: funds.readAt }))
  // guard cards-within-the-balance: no card is typed into a shop that the balance does not cover
  if (limit + (others?.unspent ?? 0n) > funds.amount) return 'not_covered'
  tx.write(
    insertCard({
      ...{ account_id, mode, reference, attempt, currency, limit_amount: limit },
      ...{ cart_id: card.cartId, profile_id: card.profileId, agent_id: card.agentId },
    }),
  )
  return 'opened'
}

/** Nothing is allowed on it from now on, whoever has its number. */
export function closeCard({ tenant, tx, now }: ActingContext, reference: string): void {
  const tenanted = { account_id: tenant.accountId, mode: tenant.mode }
  tx.write(updateCardClosed({ ...tenanted, reference, closed_at: now }))
}
