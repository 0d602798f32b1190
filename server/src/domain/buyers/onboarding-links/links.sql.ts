import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import { accountById } from '../../accounts/api-keys/reads.sql.ts'
import type { LinkRow } from './link.ts'

type Key = Tenanted & { id: string }

const links = aggregate<LinkRow>()({
  table: 'onboarding_links',
  columns: `account_id, mode, id, use_case, profile_id, status, token_hash, session_hash, expires_at, session_expires_at,
    metadata, due_at, seq, created_at, updated_at, opened_at, completed_at, revoked_at`,
  key: ['id'],
  json: ['metadata'],
  fixed: ['use_case', 'profile_id', 'token_hash', 'expires_at', 'metadata'],
})
const { columns } = links

export const insertLink = links.insert('insert_onboarding_link')
export const selectLink = links.select('select_onboarding_link')
/** Of two requests that open, send or revoke the link at once, the second sees what the first has done. */
export const lockLink = links.lock('lock_onboarding_link', 'for update')
export const updateLink = links.update('update_onboarding_link', { endsLease: true })

/** A link found by its token or its session, with the name of the account that asks. */
export type FoundLink = LinkRow & { account_name: string }

const shown = links.columnsOf('l')
const ofLink = correlate(accountById, { account_id: 'l.account_id' })

export const openTokenDoor = statement<FoundLink, { hash: Buffer }>(
  'open_onboarding_token',
  sql`select /* tenantless: the door from a link's token to its tenant */ ${shown}, a.name as account_name
   from onboarding_links l cross join lateral ${ofLink} a where l.token_hash = $hash`,
)

export const openSessionDoor = statement<FoundLink, { hash: Buffer }>(
  'open_onboarding_session',
  sql`select /* tenantless: the door from a link's session to its tenant */ ${shown}, a.name as account_name
   from onboarding_links l cross join lateral ${ofLink} a where l.session_hash = $hash`,
)

type LinkFilter = {
  account_id: Id<'acct'>
  mode: Mode
  status: string | null
  profile_id: string | null
}

// A link whose time is over is shown as expired, and filters find it so.
const filter = `account_id = $account_id and mode = $mode
  and ($profile_id::text is null or profile_id = $profile_id)
  and ($status::text is null or $status = case
    when status in ('pending', 'opened') and coalesce(session_expires_at, expires_at) <= prokura_now() then 'expired'
    else status end)`

export const selectLinks = statement<LinkRow, LinkFilter & { limit: number; offset: number }>(
  '',
  `select ${columns} from onboarding_links where ${filter} order by id desc limit $limit + 1 offset $offset`,
)

export const countLinks = statement<{ counted: number }, LinkFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from onboarding_links where ${filter} limit $cap + 1) as first_ones`,
)

export type ClaimedLink = Claimed & { id: Id<'onb'> }

/** Only links whose time is over are ever due. */
export const claimDueLinks = claimStatement<ClaimedLink>('onboarding_links')

/** For the worker that claimed it, as long as its lease is the last one and the link is still open. */
export const lockDueLink = statement<LinkRow, Key & { lease_token: bigint }>(
  'lock_due_onboarding_link',
  `select ${columns} from onboarding_links
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token
     and status in ('pending', 'opened') and coalesce(session_expires_at, expires_at) <= prokura_now()
   for update`,
)
