import type { LoadedCart } from '../../intents/public.ts'
import { decideRefunds, type NewRefund, type RailNews } from '../../rail-movements/public.ts'
import type { RailObject } from '../../rails/public.ts'
import { type CartState, changeCart, changeHold, holdOf, isOver, withWrite } from '../cart-state.ts'
import type { HoldRow } from '../journal.ts'

/** Whether the merchant has never heard of us: then it charges and gives back as it likes, and the rail alone says so. */
export function isAtStranger({
  channel,
  merchant_account_id,
}: Pick<LoadedCart, 'channel' | 'merchant_account_id'>) {
  return merchant_account_id === null && channel !== 'native' && channel !== 'simulated'
}

/** Whether what the rail has reported has to be read: the cart is over, and its merchant may go on moving money. */
export function lacksNews(state: CartState): boolean {
  return isOver(state) && isAtStranger(state.cart) && state.known.news === undefined
}

/**
 * What the rail has reported of a cart that is over and is not settled yet. What is about money that was not its charge is settled by the
 * cart's other steps.
 */
export function withNews(state: CartState, rows: readonly RailNews[]): CartState {
  const unsettled = rows.filter(
    ({ id }) => !state.writes.some((one) => one.kind === 'settle_news' && one.ids.includes(id)),
  )
  const news = unsettled.filter((row) => isNews(state, row))
  const others = unsettled.filter((row) => !isNews(state, row)).map(({ id }) => id)
  const known = { ...state, known: { ...state.known, news } }
  return others.length > 0 ? withWrite(known, { kind: 'settle_news', ids: others, refused: [] }) : known
}

function isNews(state: CartState, { attempt }: RailNews): boolean {
  const status = holdOf(state, attempt)?.status
  const isOpen = status === 'authorized' || status === 'captured'
  return state.cart.status === 'succeeded' && attempt === state.cart.attempt_number && isOpen
}

/** After the state of the hold was applied: what was given back since, and the movements that say so. */
export function noteRefunds(
  before: CartState,
  hold: HoldRow,
  { object, news }: { object: RailObject; news: readonly RailNews[] },
): { state: CartState; refunds: readonly NewRefund[] } {
  const { capturedAmount: captured, refundedAmount: refunded = null } = object
  const decided = decideRefunds(hold.refunded_amount, { captured, refunded }, news)
  const refusedMovements = before.refusedMovements + decided.refused.length + (decided.isAbsurd ? 1 : 0)
  const ids = news.map(({ id }) => id)
  const counted = { ...before, refusedMovements }
  const state =
    ids.length > 0 ? withWrite(counted, { kind: 'settle_news', ids, refused: decided.refused }) : counted
  if (decided.refunded === hold.refunded_amount) return { state, refunds: [] }
  const changes = { refunded_amount: decided.refunded }
  const shown = changeCart(changeHold(state, hold.attempt, changes), changes, 'cart.payment_refunded')
  return { state: shown, refunds: decided.refunds }
}
