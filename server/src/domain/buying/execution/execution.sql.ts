import { type Fragment, statement } from '../../../contract/statement.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { combineReads, part } from '../../../platform/database/combine-reads.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { purchaseParts } from '../intents/writes.sql.ts'
import type { EffectRow, FundingRow, HoldRow } from './journal.ts'

type OfCart = Tenanted & { cart_id: string }

/** What was asked for never changes: each key stands for it. */
const effects = aggregate<EffectRow & { request_digest: Buffer }>()({
  table: 'effects',
  columns: `cart_id, attempt, step, key, rail, intent_id, request_digest, request, state, tries, may_have_left, asked, asked_at, heard,
    answer, sent_at, settled_at, not_before, put_off, number`,
  key: ['cart_id', 'attempt', 'step'],
  json: ['request', 'answer', 'put_off'],
  fixed: ['rail', 'intent_id', 'request_digest', 'request'],
})

export const insertEffect = effects.insert('insert_effect')
/** Run it under the cart's lock. */
export const updateEffect = effects.change('update_effect')

/** Everything that was done or tried for a cart, in all of its attempts. */
const effectsOfCart: Fragment<EffectRow, OfCart> =
  sql`select ${effects.columns.replace(' request_digest,', '')} from effects
   where account_id = $account_id and mode = $mode and cart_id = $cart_id order by attempt, sent_at`

const holds = aggregate<HoldRow>()({
  table: 'authorizations',
  columns: `cart_id, attempt, intent_id, kind, rail, reference, amount, captured_amount, refunded_amount, capture_reference, currency, status,
    claimed_at, claimed_amount, beyond_limit, vault_record, expires_at, created_at, updated_at`,
  key: ['cart_id', 'attempt'],
  fixed: ['intent_id', 'kind', 'rail', 'reference', 'amount', 'currency', 'vault_record', 'expires_at'],
})

export const insertHold = holds.insert('insert_authorization')
/** Run it under the cart's lock. */
export const updateHold = holds.change('update_authorization')

export const selectHolds = statement<HoldRow, OfCart>(
  'select_authorizations',
  `select ${holds.columns} from authorizations where account_id = $account_id and mode = $mode and cart_id = $cart_id
   order by attempt`,
)

const holdAmounts = [
  'amount',
  'captured_amount',
  'refunded_amount',
  'claimed_amount',
  'beyond_limit',
] as const

const holdsOfCart: Fragment<HoldRow, OfCart> =
  sql`select ${holds.columnsAsText(holdAmounts)} from authorizations
   where account_id = $account_id and mode = $mode and cart_id = $cart_id order by attempt`

const fundings = aggregate<FundingRow>()({
  table: 'fundings',
  columns: `cart_id, attempt, intent_id, rail, reference, amount, currency, status, captured_amount, capture_reference, returned_amount,
    returning_amount, expires_at, created_at, updated_at`,
  key: ['cart_id', 'attempt'],
  fixed: ['intent_id', 'rail', 'reference', 'amount', 'currency', 'expires_at'],
})

export const insertFunding = fundings.insert('insert_funding')
/** Run it under the cart's lock. */
export const updateFunding = fundings.change('update_funding')

const fundingAmounts = ['amount', 'captured_amount', 'returned_amount', 'returning_amount'] as const

const fundingsOfCart: Fragment<FundingRow, OfCart> =
  sql`select ${fundings.columnsAsText(fundingAmounts)} from fundings
   where account_id = $account_id and mode = $mode and cart_id = $cart_id order by attempt`

/** Locks the cart's purchase and reads the cart's journal, which is only written under the cart's lease. */
export const lockCartWithJournal = combineReads(
  'lock_cart_with_journal',
  {
    ...purchaseParts,
    effects: part(effectsOfCart, ['asked_at', 'sent_at', 'settled_at', 'not_before']),
    holds: part(holdsOfCart, ['claimed_at', 'expires_at', 'created_at', 'updated_at'], holdAmounts),
    fundings: part(fundingsOfCart, ['expires_at', 'created_at', 'updated_at'], fundingAmounts),
  },
  { isForMany: true },
)
