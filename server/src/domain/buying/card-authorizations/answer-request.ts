import type { ActingContext } from '../../../contract/context.ts'
import { createReads } from '../../../platform/calls/reads.ts'
import { type ActingParts, runAs } from '../../../platform/calls/run-as.ts'
import { isFrozen, lockControlForShare } from '../../accounts/controls/public.ts'
import {
  type CardRow,
  insertAnswer,
  lockCard,
  selectAnswer,
  selectCardOwner,
  updateAllowed,
} from './card-authorizations.sql.ts'
import { type ChargeableCard, countedOf, type DeclineReason, declineOf } from './decide-request.ts'
import type { CardRequest } from './port.ts'

/** `cart`: whose card it is. `card_unknown`: of none of ours, and written down nowhere. */
export type CardAnswer =
  | { readonly kind: 'approved'; readonly cart: string }
  | { readonly kind: 'declined'; readonly cart: string; readonly reason: string }
  | { readonly kind: 'card_unknown' }

/** Nobody waits for the answer any more: nothing of it may stay. */
class TooLate extends Error {}

/**
 * Answers what a merchant asks of a card, from our own rows alone. The answer is a row before it is given, and the same request gets the
 * same one. `isLate`: whoever has asked was told no meanwhile.
 */
export async function answerCardRequest(
  parts: ActingParts,
  asked: CardRequest,
  isLate: () => boolean,
): Promise<CardAnswer> {
  const { mode, reference } = asked
  const owner = await createReads(parts.pools).maybe(selectCardOwner({ mode, reference }))
  if (owner === null) return { kind: 'card_unknown' }
  const tenant = { accountId: owner.account_id, mode }
  return await runAs(parts, { tenant, actor: { type: 'system', id: 'card_authorizations' } }, async (ctx) => {
    const answer = await decideUnderLock(ctx, asked)
    // guard late-answers-are-undone: what was declined for want of time is not counted as allowed
    if (isLate()) throw new TooLate('nobody waits for the answer about a card')
    return answer
  })
}

async function decideUnderLock(ctx: ActingContext, asked: CardRequest): Promise<CardAnswer> {
  const { accountId: account_id, mode } = ctx.tenant
  const { reference, authorization: authorization_id, request, merchant } = asked
  // In this order, and in one packet: a merchant waits. Every release of money locks the control first.
  const [frozen, card, known] = await Promise.all([
    lockControlForShare(ctx),
    ctx.tx.maybe(lockCard({ account_id, mode, reference })),
    // guard same-request-same-answer: a request that comes twice is allowed once
    ctx.tx.maybe(selectAnswer({ account_id, mode, authorization_id, request })),
  ])
  if (card === null) return { kind: 'card_unknown' }
  if (known !== null) return answerOf(card, known.declined_because)
  const of = { profileId: card.profile_id, agentId: card.agent_id }
  const stands = cardOf(card, frozen !== null && isFrozen(frozen, of))
  const reason = declineOf(stands, asked)
  const { amount, currency, country } = asked
  const named = { network_id: merchant.id, network_name: merchant.name }
  const terms = { reference, amount, currency, country, ...named }
  ctx.tx.write(
    insertAnswer({
      ...{ account_id, mode, authorization_id, request, ...terms },
      declined_because: reason,
      decided_at: ctx.now,
    }),
  )
  if (reason === null)
    ctx.tx.write(updateAllowed({ account_id, mode, reference, amount: countedOf(stands, asked), ...named }))
  return answerOf(card, reason)
}

function answerOf({ cart_id: cart }: CardRow, reason: DeclineReason | string | null): CardAnswer {
  return reason === null ? { kind: 'approved', cart } : { kind: 'declined', cart, reason }
}

function cardOf(row: CardRow, isFrozenNow: boolean): ChargeableCard {
  const { network_id: id, network_name: name } = row
  return {
    isOpen: row.is_open,
    isFrozen: isFrozenNow,
    limit: row.limit_amount,
    allowed: row.allowed_amount,
    currency: row.currency,
    countries: row.countries,
    merchant: id === null || name === null ? null : { id, name },
  }
}
