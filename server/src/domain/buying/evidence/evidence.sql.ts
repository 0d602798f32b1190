import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'
import { buyer } from '../../buyers/profiles/reads.sql.ts'
import { heldCart, storedIntents } from '../intents/reads.sql.ts'
import type { EvidenceRow } from './evidence.ts'

type OfIntent = { account_id: Id<'acct'>; mode: Mode; intent_id: string }

const columns = `account_id, mode, id, intent_id, cart_id, attempt, stage, taken_at, url_host, bytes, sha256, total_text, hosts,
     created_at`

const ofIntent = 'account_id = $account_id and mode = $mode and intent_id = $intent_id'
const readable = `${ofIntent} and sealed is not null and created_at > $since`

type NewEvidence = Omit<EvidenceRow, 'created_at' | 'hosts'> & {
  hosts: readonly string[]
  sealed: Buffer
  lease_token: bigint
  most: number
}

/**
 * Writes nothing for a worker that holds the cart no more, for a profile that was archived, and beyond the most that an attempt may have.
 */
export const insertEvidence = statement<{ is_held: boolean; is_kept: boolean }, NewEvidence>(
  'insert_purchase_evidence',
  sql`with held as (
     select cart.profile_id from ${heldCart} cart
     cross join lateral ${correlate(buyer, { profile_id: 'cart.profile_id' })} person where person.status <> 'archived'
   ), kept as (
     insert into purchase_evidence (${columns}, profile_id, sealed)
     select $account_id, $mode, $id, $intent_id, $cart_id, $attempt::int, $stage, $taken_at::timestamptz, $url_host, $bytes::int,
       $sha256::bytea, $total_text, $hosts::text[], prokura_now(), held.profile_id, $sealed::bytea
     from held
     where (select count(*) from purchase_evidence where ${ofIntent} and cart_id = $cart_id and attempt = $attempt) < $most
     on conflict do nothing returning id
   )
   select exists (select from held) as is_held, exists (select from kept) as is_kept`,
)

/** Whether the profile that is bought for was archived; no row: there is no such purchase. */
export const selectOwner = statement<{ is_archived: boolean }, OfIntent>(
  'select_owner_of_evidence',
  sql`select person.status = 'archived' as is_archived from ${storedIntents} bought
   cross join lateral ${correlate(buyer, {
     account_id: 'bought.account_id',
     mode: 'bought.mode',
     profile_id: 'bought.profile_id',
   })} person
   where bought.account_id = $account_id and bought.mode = $mode and bought.id = $intent_id`,
)

export const selectEvidence = statement<
  EvidenceRow,
  OfIntent & { since: Date; limit: number; offset: number }
>(
  'select_purchase_evidence',
  `select ${columns} from purchase_evidence where ${readable} order by created_at, id limit $limit::int + 1 offset $offset`,
)

export const countEvidence = statement<{ counted: number }, OfIntent & { since: Date; cap: number }>(
  'count_purchase_evidence',
  `select count(*)::int as counted from (
     select from purchase_evidence where ${readable} limit $cap::int + 1
   ) counted`,
)

export const selectPicture = statement<
  EvidenceRow & { sealed: Buffer | null },
  OfIntent & { evidence_id: string }
>(
  'select_purchase_picture',
  `select ${columns}, sealed from purchase_evidence where ${ofIntent} and id = $evidence_id`,
)

/** The picture goes, and what was read on its page. That there was one stays. */
const shredded = `sealed = null, total_text = null, hosts = '{}'`

const shredOldEvidence = statement<Swept, { before: Date; limit: number }>(
  'sweep_purchase_evidence',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, id from purchase_evidence where sealed is not null and created_at < $before
     order by created_at limit $limit for update skip locked
   ), gone as (
     update purchase_evidence e set ${shredded} from old o
     where e.account_id = o.account_id and e.mode = o.mode and e.id = o.id returning e.created_at
   )
   select count(*)::int as rows, min(created_at) as oldest from gone`,
)

export const shredEvidenceOfProfiles = statement<
  never,
  { account_ids: readonly string[]; modes: readonly string[]; profile_ids: readonly string[] }
>(
  'shred_evidence_of_profiles',
  `/* tenantless: the relay's batch holds events of several tenants; each profile is named with its own account_id and mode */
   update purchase_evidence e set ${shredded}
   from unnest($account_ids::text[], $modes::mode[], $profile_ids::text[]) as named (account_id, mode, profile_id)
   where e.account_id = named.account_id and e.mode = named.mode and e.profile_id = named.profile_id and e.sealed is not null`,
)

/** A picture has up to a mebibyte, so that few of them make a statement that takes some milliseconds. */
const picturesAtOnce = 20

/** The pictures of pages, once nobody can read them any more. */
export const sweepEvidence: Sweep = {
  name: 'purchase_evidence',
  removes: 'pictures of the pages that were bought on',
  keeps: 'evidenceDays',
  batches: (pools, before) =>
    byAge(pools, (limit) => shredOldEvidence({ before, limit }), { rows: picturesAtOnce }),
}
