import type { ActingContext } from '../../../contract/context.ts'
import { forgetFailingNotices } from './notices.sql.ts'

/** Platforms that could not be told of orders of the merchant `ctx.tenant` are not told of what has happened so far. */
export function forgetUntoldOrders(ctx: ActingContext): void {
  const { accountId: account_id, mode } = ctx.tenant
  ctx.tx.write(forgetFailingNotices({ account_id, mode }))
}
