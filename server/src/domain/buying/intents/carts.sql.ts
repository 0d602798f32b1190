import { type Fragment, statement } from '../../../contract/statement.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { CartRow } from './cart.ts'

const carts = aggregate<CartRow>()({
  table: 'carts',
  columns: `id, intent_id, position, merchant_name, merchant_domain, merchant_account_id, channel, items, status, stage,
    attempt_number, attempt_id, max_attempts, currency, expected_amount, max_allowed_amount, actual_amount, fee_allowance,
    tax_allowance, tolerance_basis_points, offer, order_row_id, order_id, transaction_id, failure, outcome_known,
    past_no_return, attempts_data, due_at, lease_until, lease_token, started_at, completed_at, created_at, updated_at,
    route, order_url, promo, refunded_amount, question, stage_since, stage_until, offer_tries, room_tries, sign_in_host, code_until,
    page_session, credential_ticket_id, answers, hold`,
  key: ['id'],
  json: ['items', 'offer', 'failure', 'attempts_data', 'route', 'promo', 'question', 'answers', 'hold'],
  // The lease token is the claim's alone.
  fixed: [
    'intent_id',
    'position',
    'merchant_name',
    'merchant_domain',
    'merchant_account_id',
    'max_attempts',
    'currency',
    'lease_token',
  ],
})
const { columns } = carts
export const { differences: cartDifferences } = carts

export const insertCart = carts.insert('insert_cart')
/** Under `lockCarts`. */
export const updateCartRow = carts.change('update_cart')

type OfIntent = Tenanted & { intent_id: string }

export const selectCarts = statement<CartRow, OfIntent>(
  'select_carts',
  // guard tenant-of-carts: rows of other accounts and of the other mode do not exist for the caller
  `select ${columns} from carts where account_id = $account_id and mode = $mode and intent_id = $intent_id order by position`,
)

export const cartTimes = [
  'due_at',
  'lease_until',
  'started_at',
  'completed_at',
  'created_at',
  'updated_at',
  'stage_since',
  'stage_until',
  'code_until',
] as const satisfies readonly (keyof CartRow)[]
export const cartBigints = [
  'expected_amount',
  'max_allowed_amount',
  'actual_amount',
  'refunded_amount',
  'fee_allowance',
  'tax_allowance',
  'lease_token',
] as const satisfies readonly (keyof CartRow)[]

/** Locks an intent's carts until the transaction ends, behind `lockIntent`: the intent is the root. For `combineReads`. */
// guard carts-are-locked: a call that changes a cart sees the lease that a worker has just taken
// guard tenant-of-locked-carts: rows of other accounts and of the other mode do not exist for the caller
export const lockCarts: Fragment<CartRow, OfIntent> =
  sql`select ${carts.columnsAsText(cartBigints)} from carts where account_id = $account_id and mode = $mode and intent_id = $intent_id
   order by position for update`
