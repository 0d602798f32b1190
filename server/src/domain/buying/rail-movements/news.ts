import type { ActingContext } from '../../../contract/context.ts'
import type { RailNews } from './decide-refunds.ts'
import { selectNews, updateNews, writeFollowed } from './movements.sql.ts'
import { expectMovements } from './read-feed.ts'

/** A stranger may charge a credential from now on. */
export function followCredential(
  ctx: ActingContext,
  { reference, cartId: cart_id, attempt }: { reference: string; cartId: string; attempt: number },
): void {
  ctx.tx.write(writeFollowed({ ...tenanted(ctx), reference, cart_id, attempt }))
  expectMovements(ctx)
}

/** What a cart has not looked at yet. Run it under the cart's lock. */
export function readNews(ctx: ActingContext, cartId: string): Promise<readonly RailNews[]> {
  return ctx.tx.rows(selectNews({ ...tenanted(ctx), cart_id: cartId }))
}

/** A cart has looked at them; `refused`: those that cannot be true. Run it under the cart's lock. */
export function settleNews(
  ctx: ActingContext,
  { cartId, ids, refused }: { cartId: string; ids: readonly string[]; refused: readonly string[] },
): void {
  ctx.tx.write(updateNews({ ...tenanted(ctx), cart_id: cartId, ids, refused }))
}

function tenanted({ tenant }: ActingContext) {
  return { account_id: tenant.accountId, mode: tenant.mode }
}
