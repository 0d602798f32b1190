import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { tellOfStrangerOrder } from '../../trade/orders/public.ts'
import { namedBy, type ToldAs } from './named.ts'
import { insertFollowed, lockNamed, noteTold, selectKept, settleKept } from './stranger-orders.sql.ts'

/**
 * From here on the messages of its merchant are about this order, in the transaction that places it; what came before it is applied. Where
 * the merchant has given the name of its checkout to another order already, that one keeps it.
 */
export async function followOrder(
  ctx: ActingContext,
  { orderId, toldAs }: { orderId: Id<'ord'>; toldAs: ToldAs },
): Promise<void> {
  const { accountId, mode } = ctx.tenant
  const { name, ...named } = namedBy(toldAs)
  const followed = { account_id: accountId, mode, order_id: orderId }
  await ctx.tx.rows(lockNamed({ name }))
  const isFollowed = await ctx.tx.maybe(insertFollowed({ ...followed, ...named, now: ctx.now }))
  if (!isFollowed) return
  const [newest] = await ctx.tx.rows(selectKept(named))
  if (!newest) return
  await tellOfStrangerOrder(ctx, orderId, newest.news)
  ctx.tx.write(settleKept({ ...followed, ...named, newest: newest.message }))
  ctx.tx.write(noteTold({ ...followed, told_at: newest.sent_at }))
}
