import type { ActingContext, CallContext, Mode, Tenant } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { isFrozen, lockControlForShare } from '../../accounts/controls/public.ts'
import { wakeCarts } from '../intents/writes.sql.ts'
import { renderToken } from './payment-token.ts'
import {
  claimTokenRow,
  type FoundToken,
  lockToken,
  openTokenDoor,
  selectToken,
} from './payment-tokens.sql.ts'
import { type TokenStatus, tokenStatusOf } from './token-status.ts'

/** A token as the merchant's side of ours uses it. */
export type UsableToken = {
  readonly id: Id<'tok'>
  readonly buyer: Tenant
  readonly purchaseIntentId: Id<'pi'>
  readonly cartId: Id<'cart'>
  readonly merchantAccountId: Id<'acct'>
  /** The rail's credential, for `chargeCredential`; null: the token cannot be used, or not yet. */
  readonly credentialReference: string | null
  /** The rail that has issued it. */
  readonly rail: string | null
  /** How the rail knows the merchant that may charge the credential. */
  readonly acceptor: string
  readonly amount: bigint
  readonly currency: string
  readonly binding: { readonly checkoutId: string } | { readonly challengeId: string }
  readonly expiresAt: Date
  readonly status: TokenStatus
  /** The order that uses it; null: none so far. */
  readonly orderId: string | null
}

/** Finds a token by its text; null: there is none in this mode. It says nothing about who asks. */
export async function readPaymentToken(
  { reads, sealer }: Pick<CallContext, 'reads' | 'sealer'>,
  { mode, token }: { mode: Mode; token: string },
): Promise<UsableToken | null> {
  const row = await reads.maybe(openTokenDoor({ mode, hash: sealer.hashToken(token) }))
  return row && usable(row)
}

export type ClaimedToken =
  | { readonly kind: 'claimed'; readonly token: UsableToken }
  | {
      readonly kind: 'refused'
      readonly reason: 'unknown' | 'other_merchant' | 'used' | 'expired' | 'not_active' | 'frozen'
    }

/**
 * Takes the token for one order, in the transaction that makes the order, and as its merchant (`ctx.tenant`). Of several orders one wins;
 * the same order may take it again. Only after the commit may the credential be charged.
 */
export async function claimPaymentToken(
  ctx: ActingContext,
  { buyer, id }: Pick<UsableToken, 'buyer' | 'id'>,
  { orderId }: { orderId: string },
): Promise<ClaimedToken> {
  const key = { account_id: buyer.accountId, mode: buyer.mode, id }
  // A use is a release of the buyer's money: a freeze waits for it, or it sees the freeze.
  const control = await lockControlForShare({ tx: ctx.tx, tenant: buyer })
  const locked = await ctx.tx.maybe(lockToken(key))
  // Read once the lock is held: another order may have taken it meanwhile.
  // guard token-read-under-its-lock: of several orders that use a token at once, one wins
  const row = locked && (await ctx.tx.maybe(selectToken(key)))
  if (!locked || !row) return refused('unknown')
  // guard token-of-one-merchant: no other merchant can use a token
  if (row.merchant_account_id !== ctx.tenant.accountId || row.mode !== ctx.tenant.mode)
    return refused('other_merchant')
  if (row.order_id === orderId) return { kind: 'claimed', token: usable(row) }
  // guard token-of-one-order: a token pays for one order
  if (row.order_id !== null) return refused('used')
  // guard token-not-while-frozen: no order uses a token of what is frozen
  if (control && isFrozen(control, { profileId: row.profile_id, agentId: row.agent_id }))
    return refused('frozen')
  // guard token-in-its-time: no order uses a token after its time
  if (ctx.now >= row.expires_at) return refused('expired')
  if (tokenStatusOf(row) !== 'active') return refused('not_active')
  const used = { ...row, order_id: orderId, seq: locked.seq + 1, updated_at: ctx.now }
  ctx.tx.write(claimTokenRow({ ...key, order_id: orderId, seq: used.seq, updated_at: ctx.now }))
  ctx.tx.emit({
    type: 'payment_token.used',
    aggregateId: id,
    sequence: used.seq,
    object: renderToken(used),
    tenant: buyer,
  })
  return { kind: 'claimed', token: usable(used) }
}

/** Says that the rail has news of the token's credential: it was authorized, captured or released. The buyer's side asks the rail. */
export function reportPaymentToken(
  ctx: Pick<ActingContext, 'tx'>,
  { buyer, cartId }: Pick<UsableToken, 'buyer' | 'cartId'>,
): void {
  ctx.tx.write(wakeCarts({ account_ids: [buyer.accountId], modes: [buyer.mode], ids: [cartId] }))
  ctx.tx.wake('carts')
}

function refused(reason: Extract<ClaimedToken, { kind: 'refused' }>['reason']): ClaimedToken {
  return { kind: 'refused', reason }
}

function usable(row: FoundToken): UsableToken {
  return {
    id: row.id,
    buyer: { accountId: row.account_id, mode: row.mode },
    purchaseIntentId: row.intent_id,
    cartId: row.cart_id,
    merchantAccountId: row.merchant_account_id,
    // guard token-only-once-handed-out: a credential that can still be taken back is known to no merchant
    credentialReference: row.is_handed_out ? row.credential_reference : null,
    rail: row.credential_rail,
    acceptor: row.acceptor,
    amount: row.amount,
    currency: row.currency,
    binding:
      row.binding_kind === 'checkout' ? { checkoutId: row.binding_id } : { challengeId: row.binding_id },
    expiresAt: row.expires_at,
    status: tokenStatusOf(row),
    orderId: row.order_id,
  }
}
