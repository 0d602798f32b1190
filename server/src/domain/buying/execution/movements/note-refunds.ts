import type { LoadedCart } from '../../intents/public.ts'
import type { HoldRow } from '../journal.ts'
import type { LockedCart } from '../locked-cart.ts'
import type { RailObject } from '../rail/port.ts'
import { decideRefunds, type NewRefund } from './decide-refunds.ts'
import { followCredential, type NewsRow, selectNews, settleNews } from './movements.sql.ts'
import { expectMovements } from './read-feed.ts'

/** Whether the merchant has never heard of us: then it charges and gives back as it likes, and the rail alone says so. */
export function isAtStranger({
  channel,
  merchant_account_id,
}: Pick<LoadedCart, 'channel' | 'merchant_account_id'>) {
  return merchant_account_id === null && channel !== 'native' && channel !== 'simulated'
}

/** What happens to the credential at the rail is this cart's from now on. */
export function followHold(locked: LockedCart, { kind, reference, attempt }: HoldRow): void {
  if (kind !== 'credential' || !isAtStranger(locked.cart)) return
  const { accountId: account_id, mode } = locked.ctx.tenant
  locked.ctx.tx.write(followCredential({ account_id, mode, reference, cart_id: locked.cartId, attempt }))
  expectMovements(locked.ctx)
}

/** Reads what the rail has reported of a cart that is over. What is about money that was not its charge is settled by its other steps. */
export async function loadNews(locked: LockedCart): Promise<void> {
  const { cart, ctx, cartId: cart_id } = locked
  if (!isAtStranger(cart) || !isOver(cart)) return
  const { accountId: account_id, mode } = ctx.tenant
  const rows = await ctx.tx.rows(selectNews({ account_id, mode, cart_id }))
  const isNews = (row: NewsRow) =>
    cart.status === 'succeeded' &&
    row.attempt === cart.attempt_number &&
    isOpen(locked.hold(row.attempt)?.status)
  locked.news = rows.filter(isNews)
  const others = rows.filter((row) => !isNews(row)).map(({ id }) => id)
  if (others.length > 0) ctx.tx.write(settleNews({ account_id, mode, cart_id, ids: others, refused: [] }))
}

function isOver({ status }: Pick<LoadedCart, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}

function isOpen(status: HoldRow['status'] | undefined): boolean {
  return status === 'authorized' || status === 'captured'
}

/** Under the cart's lock, after the state of the hold was applied: what was given back since, and the movements that say so. */
export function noteRefunds(
  locked: LockedCart,
  hold: HoldRow,
  { object, news }: { object: RailObject; news: readonly NewsRow[] },
): readonly NewRefund[] {
  const { capturedAmount: captured, refundedAmount: refunded = null } = object
  const known = hold.refunded_amount
  const decided = decideRefunds(known, { captured, refunded }, news)
  locked.refusedMovements += decided.refused.length + (decided.isAbsurd ? 1 : 0)
  if (news.length > 0) {
    const { accountId: account_id, mode } = locked.ctx.tenant
    const ids = news.map(({ id }) => id)
    locked.ctx.tx.write(
      settleNews({ account_id, mode, cart_id: locked.cartId, ids, refused: decided.refused }),
    )
  }
  if (decided.refunded === known) return []
  locked.changeHold(hold, { refunded_amount: decided.refunded })
  locked.change({ refunded_amount: decided.refunded }, 'cart.payment_refunded')
  return decided.refunds
}
