import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { refusalSeconds, refusalsInARowMax, tooManyRefused } from '../../../contract/refusals-in-a-row.ts'
import { addRefusal, deleteRefusals, selectRefusals } from './refusals.sql.ts'

/** In a component without a client secret, anybody may be at the other end. */
function isBare({ component }: CallContext): boolean {
  // A page of ours on which a person approves has no secret to ask for, and adds no card.
  return component !== null && !component.isVouched && component.terms === null
}

/** Refuses where cards or codes of the profile, or from the address, were refused before. What the vault refuses by itself, the vault counts. */
export async function stopAfterRefusals(ctx: CallContext, profileId: string): Promise<void> {
  if (!isBare(ctx)) return
  const found = await ctx.tx.maybe(selectRefusals(keyOf(ctx, profileId)))
  const { of_profile = 0, of_address = 0 } = found ?? {}
  // guard bank-refusals-in-a-row: who only has a copied key learns of three cards what their banks say
  if (Math.max(of_profile, of_address) >= refusalsInARowMax)
    throw new Problem('client_secret_required', { message: tooManyRefused })
}

/** Counts what the bank or the network has said of a card or code; it has to be committed with the answer. */
export function countRefusal(ctx: CallContext, profileId: string, isRefused: boolean): void {
  if (!isBare(ctx)) return
  const { account_id, mode, profile_id, address } = keyOf(ctx, profileId)
  ctx.tx.write(
    isRefused
      ? addRefusal({ account_id, mode, profile_id, address, now: ctx.now, seconds: refusalSeconds })
      : deleteRefusals({ account_id, mode, profile_id }),
  )
}

function keyOf({ tenant: { accountId: account_id, mode }, address }: CallContext, profile_id: string) {
  return { account_id, mode, profile_id, address }
}
