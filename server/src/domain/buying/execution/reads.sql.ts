import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { EffectRow, HoldRow } from './journal.ts'

/** What the rail holds for the first attempt of a cart. */
export const holdOfFirstAttempt: Fragment<
  { reference: string; rail: string | null; claimed_at: Date | null },
  { account_id: Id<'acct'>; mode: Mode; cart_id: string }
> = sql`select reference, rail, claimed_at from authorizations
   where account_id = $account_id and mode = $mode and cart_id = $cart_id and attempt = 1`

type OfCarts = { account_id: Id<'acct'>; mode: Mode; cart_ids: readonly string[] }

/** What rails hold, or have held, for each attempt of these carts; behind an issued card, at the buyer's own as well. */
// guard tenant-of-holds-of-carts: rows of other accounts and of the other mode do not exist for the caller
export const holdsOfCarts: Fragment<
  Pick<
    HoldRow,
    | 'cart_id'
    | 'attempt'
    | 'rail'
    | 'reference'
    | 'amount'
    | 'captured_amount'
    | 'refunded_amount'
    | 'capture_reference'
    | 'currency'
    | 'status'
    | 'claimed_at'
    | 'created_at'
    | 'updated_at'
  > & { kind: HoldRow['kind'] | 'funding' },
  OfCarts
> =
  sql`select cart_id, attempt, kind, rail, reference, amount, captured_amount, refunded_amount, capture_reference, currency, status,
     claimed_at, created_at, updated_at
   from authorizations where account_id = $account_id and mode = $mode and cart_id = any($cart_ids::text[])
   union all
   select cart_id, attempt, 'funding', rail, reference, amount, captured_amount, returned_amount, capture_reference, currency, status,
     null, created_at, updated_at
   from fundings where (account_id, mode) = ($account_id, $mode) and cart_id = any($cart_ids::text[]) order by cart_id, attempt, kind`

/** What was asked of rails and merchants for these carts, and what came of it. What a merchant or a bank wrote is not among it. */
// guard tenant-of-calls-of-carts: rows of other accounts and of the other mode do not exist for the caller
export const callsOfCarts: Fragment<
  Pick<EffectRow, 'cart_id' | 'attempt' | 'step' | 'rail' | 'state' | 'sent_at' | 'settled_at'> & {
    /** What the rail calls a capture or a refund. */
    reference: string | null
    amount: bigint | null
    refusal_code: string | null
    decline_code: string | null
  },
  OfCarts
> = sql`select cart_id, attempt, step, rail, state, sent_at, settled_at,
     case answer ->> 'kind' when 'captured' then answer ->> 'captureReference' when 'refunded' then answer ->> 'reference' end as reference,
     (answer ->> 'amount')::bigint as amount, answer ->> 'code' as refusal_code, answer ->> 'declineCode' as decline_code
   from effects where account_id = $account_id and mode = $mode and cart_id = any($cart_ids::text[]) order by cart_id, attempt, sent_at, step`

/** The attempt whose hold on the buyer's card a rail names so, also where it stands behind an issued card. Banks dispute payments of live mode alone, which an index is for. */
export const attemptOfHold: Fragment<
  { account_id: Id<'acct'>; mode: Mode; cart_id: string; attempt: number },
  { mode: Mode; hold: string }
> = sql`select account_id, mode, cart_id, attempt from authorizations
   where mode = $mode and mode = 'live' and kind = 'authorization' and reference = $hold
   union all select account_id, mode, cart_id, attempt from fundings where mode = $mode and mode = 'live' and reference = $hold`
