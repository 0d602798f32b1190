import type { Mode } from '../../../contract/context.ts'
import type { Audience } from '../../../contract/event.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { keyIdOf, type SealedSample } from '../../../platform/secrets/sealed-witness.ts'
import type { DestinationRow, DestinationStatus, DisabledReason } from './destination.ts'

/** An id names a destination of one audience: for the other audience it does not exist. */
type Key = { account_id: Id<'acct'>; mode: Mode; audience: Audience; id: string }

/** The columns of a destination that operations write; only deliveries write `failing_since`. */
export type DestinationWrite = {
  account_id: Id<'acct'>
  mode: Mode
  audience: Audience
  id: Id<'dest'>
  name: string
  responds_to_quotes: boolean
  event_types: readonly string[]
  endpoint_url: string
  status: DestinationStatus
  disabled_reason: DisabledReason | null
  disabled_at: Date | null
  archived_at: Date | null
  confirmed_at: Date | null
  metadata: string
  seq: number
  created_at: Date
  updated_at: Date
}

export const insertDestination = statement<never, DestinationWrite>(
  'insert_destination',
  `insert into webhook_destinations (account_id, mode, audience, id, name, responds_to_quotes, event_types, endpoint_url, status,
     disabled_reason, disabled_at, archived_at, confirmed_at, metadata, seq, created_at, updated_at)
   values ($account_id, $mode, $audience, $id, $name, $responds_to_quotes, $event_types, $endpoint_url, $status,
     $disabled_reason, $disabled_at, $archived_at, $confirmed_at, $metadata, $seq, $created_at, $updated_at)`,
)

const columns = `d.audience, d.id, d.name, d.responds_to_quotes, d.event_types, d.endpoint_url, d.status, d.disabled_reason, d.disabled_at,
  d.archived_at, d.metadata, d.seq, d.created_at, d.updated_at, d.failing_since, d.confirmed_at,
  d.endpoint_changes, last.position as secret_position,
  last.prefix as secret_prefix,
  (select p.expires_at from destination_secrets p
   where p.account_id = d.account_id and p.mode = d.mode and p.destination_id = d.id and p.position = last.position - 1
     and p.expires_at > prokura_now()) as previous_expires_at`

const withSecret = `webhook_destinations d
  join lateral (
    select s.position, s.prefix from destination_secrets s
    where s.account_id = d.account_id and s.mode = d.mode and s.destination_id = d.id
    order by s.position desc limit 1
  ) last on true`

export const selectDestination = statement<DestinationRow, Key>(
  'select_destination',
  // guard tenant-of-destination: rows of other accounts and of the other mode do not exist for the caller
  `select ${columns} from ${withSecret} where d.account_id = $account_id and d.mode = $mode and d.id = $id and d.audience = $audience`,
)

/**
 * Not `for update`: deliveries that refer to the destination can still be inserted. It reads nothing else: after waiting for a lock a
 * statement sees the changed row, but everything that it joins as it was before.
 */
export const lockDestinationForShare = statement<{ id: Id<'dest'> }, Key>(
  'hold_destination',
  `select id from webhook_destinations
   where account_id = $account_id and mode = $mode and id = $id and audience = $audience for no key update`,
)

/** Run it under `lockDestination`. */
export const updateDestinationRow = statement<never, DestinationWrite>(
  'update_destination',
  `update webhook_destinations set name = $name, responds_to_quotes = $responds_to_quotes, event_types = $event_types,
     endpoint_url = $endpoint_url, status = $status, disabled_reason = $disabled_reason, disabled_at = $disabled_at,
     archived_at = $archived_at, confirmed_at = $confirmed_at, metadata = $metadata, seq = $seq, created_at = $created_at, updated_at = $updated_at,
     endpoint_changes = endpoint_changes + (endpoint_url <> $endpoint_url)::int,
     event_types_changes = event_types_changes + (not (event_types @> $event_types and event_types <@ $event_types))::int,
     responder_changes = responder_changes + (responds_to_quotes <> $responds_to_quotes)::int
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** A destination that is enabled again starts without earlier failures. */
export const forgetFailures = statement<never, Omit<Key, 'audience'>>(
  'forget_destination_failures',
  `update webhook_destinations set failing_since = null where account_id = $account_id and mode = $mode and id = $id`,
)

type Of = Omit<Key, 'id'>

export const selectDestinations = statement<DestinationRow, Of & { limit: number; offset: number }>(
  'select_destinations',
  // guard tenant-of-destinations: rows of other accounts and of the other mode do not exist for the caller
  `select ${columns} from ${withSecret} where d.account_id = $account_id and d.mode = $mode and d.audience = $audience
   order by d.id desc limit $limit + 1 offset $offset`,
)

export const countDestinations = statement<{ counted: number; unarchived: number }, Of>(
  'count_destinations',
  `select count(*)::int as counted, (count(*) filter (where status <> 'archived'))::int as unarchived
   from webhook_destinations where account_id = $account_id and mode = $mode and audience = $audience`,
)

type SecretWrite = {
  account_id: Id<'acct'>
  mode: Mode
  destination_id: Id<'dest'>
  position: number
  sealed: Buffer
  prefix: string
  now: Date
}

export const insertSecret = statement<never, SecretWrite>(
  'insert_destination_secret',
  `insert into destination_secrets (account_id, mode, destination_id, position, sealed, prefix, created_at)
   values ($account_id, $mode, $destination_id, $position, $sealed, $prefix, $now)`,
)

export const expireSecret = statement<
  never,
  { account_id: Id<'acct'>; mode: Mode; destination_id: string; position: number; expires_at: Date }
>(
  'expire_destination_secret',
  `update destination_secrets set expires_at = $expires_at
   where account_id = $account_id and mode = $mode and destination_id = $destination_id and position = $position`,
)

type SubscriptionChange = {
  account_id: Id<'acct'>
  mode: Mode
  destination_id: Id<'dest'>
  types: readonly string[]
  seq: number
  now: Date
}

export const openSubscriptions = statement<never, SubscriptionChange>(
  'open_destination_subscriptions',
  `insert into destination_subscriptions (account_id, mode, destination_id, event_type, since_seq, subscribed_from)
   select $account_id, $mode::mode, $destination_id, type, $seq, $now from unnest($types::text[]) as wanted (type)`,
)

export const closeSubscriptions = statement<never, Omit<SubscriptionChange, 'seq'>>(
  'close_destination_subscriptions',
  `update destination_subscriptions set subscribed_until = $now
   where account_id = $account_id and mode = $mode and destination_id = $destination_id and event_type = any ($types)
     and subscribed_until is null`,
)

/** One for each encryption key. */
export const selectSealedSecrets = statement<SealedSample, Record<never, never>>(
  'select_sealed_secrets',
  `/* tenantless: of the installation */
   select distinct on (key_id) account_id, mode, destination_id || '/' || position as id, sealed as sealed, ${keyIdOf('sealed')} as key_id
   from destination_secrets order by key_id`,
)
