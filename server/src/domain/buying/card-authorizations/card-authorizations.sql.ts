import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** Whose card it is; no row: it is nobody's here. */
export const selectCardOwner = statement<{ account_id: Id<'acct'> }, { mode: Mode; reference: string }>(
  'select_card_owner',
  `/* tenantless: whose card it is is found out here, by its account_id */
   select account_id from chargeable_cards where mode = $mode and reference = $reference`,
)

export type CardRow = {
  cart_id: string
  profile_id: string
  agent_id: string | null
  limit_amount: bigint
  allowed_amount: bigint
  currency: string
  countries: string[] | null
  is_open: boolean
  network_id: string | null
  network_name: string | null
}

export const lockCard = statement<CardRow, Tenanted & { reference: string }>(
  'lock_chargeable_card',
  // guard charges-one-by-one: two merchants at once are not allowed the same money
  `select cart_id, profile_id, agent_id, limit_amount, allowed_amount, currency, countries, is_open, network_id, network_name
   from chargeable_cards where account_id = $account_id and mode = $mode and reference = $reference for update`,
)

type Requested = Tenanted & { authorization_id: string; request: number }

/** The answer that was given before. */
export const selectAnswer = statement<{ declined_because: string | null }, Requested>(
  'select_card_authorization',
  `select declined_because from card_authorizations
   where account_id = $account_id and mode = $mode and authorization_id = $authorization_id and request = $request`,
)

type Answer = Requested & {
  reference: string
  amount: bigint
  currency: string
  network_id: string
  network_name: string
  country: string | null
  declined_because: string | null
  decided_at: Date
}

export const insertAnswer = statement<never, Answer>(
  'insert_card_authorization',
  `insert into card_authorizations (account_id, mode, authorization_id, request, reference, amount, currency, network_id, network_name,
     country, declined_because, decided_at)
   values ($account_id, $mode, $authorization_id, $request, $reference, $amount, $currency, $network_id, $network_name,
     $country, $declined_because, $decided_at)`,
)

/** Run it under the lock of the card. */
export const updateAllowed = statement<
  never,
  Tenanted & { reference: string; amount: bigint; network_id: string; network_name: string }
>(
  'update_chargeable_card',
  `update chargeable_cards set allowed_amount = allowed_amount + $amount, network_id = $network_id, network_name = $network_name
   where account_id = $account_id and mode = $mode and reference = $reference`,
)

type Opened = Tenanted & {
  reference: string
  cart_id: string
  attempt: number
  profile_id: string
  agent_id: string | null
  limit_amount: bigint
  currency: string
}

export const insertCard = statement<never, Opened>(
  'insert_chargeable_card',
  `insert into chargeable_cards (account_id, mode, reference, cart_id, attempt, profile_id, agent_id, limit_amount, currency)
   values ($account_id, $mode, $reference, $cart_id, $attempt, $profile_id, $agent_id, $limit_amount, $currency)`,
)

export const updateCardClosed = statement<never, Tenanted & { reference: string; closed_at: Date }>(
  'close_chargeable_card',
  `update chargeable_cards set is_open = false, closed_at = coalesce(closed_at, $closed_at) where account_id = $account_id and mode = $mode and reference = $reference`,
)

type OfBalance = { mode: Mode; currency: string }

/** One row for each currency, made by the first card: who opens a card waits for it. */
export const lockBalance = statement<{ currency: string }, OfBalance>(
  'lock_card_balance',
  `/* tenantless: one balance pays for the cards of every account_id */
   insert into card_balances (mode, currency) values ($mode, $currency)
   on conflict (mode, currency) do update set currency = excluded.currency returning currency`,
)

/** What cards could spend that are open, or were when the balance was read. */
export const selectUnspent = statement<{ unspent: bigint }, OfBalance & { since: Date }>(
  'select_unspent_of_cards',
  `/* tenantless: one balance pays for the cards of every account_id */
   select coalesce(sum(limit_amount), 0)::bigint as unspent from chargeable_cards
   where mode = $mode and currency = $currency and (closed_at is null or closed_at >= $since)`,
)
