import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { cardsNamed } from '../../buyers/payment-methods/reads.sql.ts'
import { refundsOfOrders } from '../../trade/orders/reads.sql.ts'
import { picturesOfPurchase } from '../evidence/reads.sql.ts'
import { callsOfCarts, holdsOfCarts } from '../execution/reads.sql.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }
type RowOf<Read extends { readonly row?: unknown }> = NonNullable<Read['row']>

/** What rails, merchants and pages have left of a purchase, and by which cards it was paid. */
export type Traces = {
  readonly pictures: readonly RowOf<typeof picturesOfPurchase>[]
  readonly holds: readonly RowOf<typeof holdsOfCarts>[]
  readonly calls: readonly RowOf<typeof callsOfCarts>[]
  readonly refunds: readonly RowOf<typeof refundsOfOrders>[]
  readonly cards: readonly RowOf<typeof cardsNamed>[]
}

export const selectPictures = statement<RowOf<typeof picturesOfPurchase>, Tenanted & { intent_id: string }>(
  'select_pictures_of_bundle',
  picturesOfPurchase,
)

type OfCarts = Tenanted & { cart_ids: readonly string[] }

export const selectHolds = statement<RowOf<typeof holdsOfCarts>, OfCarts>(
  'select_holds_of_bundle',
  holdsOfCarts,
)
export const selectCalls = statement<RowOf<typeof callsOfCarts>, OfCarts>(
  'select_calls_of_bundle',
  callsOfCarts,
)

export const selectRefunds = statement<
  RowOf<typeof refundsOfOrders>,
  Tenanted & { order_ids: readonly string[] }
>('select_refunds_of_bundle', refundsOfOrders)

export const selectCards = statement<
  RowOf<typeof cardsNamed>,
  Tenanted & { payment_method_ids: readonly string[] }
>('select_cards_of_bundle', cardsNamed)
