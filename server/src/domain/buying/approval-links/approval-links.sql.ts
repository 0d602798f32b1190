import { type Fragment, statement } from '../../../contract/statement.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import type { LinkedPage } from '../../../platform/doors/element-door.ts'
import type { Sweep } from '../../../platform/retention/sweep.ts'
import { sweepByTime } from '../../../platform/retention/sweep-by-time.ts'
import { accountById, liveKey } from '../../accounts/api-keys/reads.sql.ts'
import type { ApprovalLinkRow } from './approval-link.ts'

const links = aggregate<ApprovalLinkRow>()({
  table: 'approval_links',
  columns: `account_id, mode, id, hash, purchase_intent_id, profile_id, key_id, return_url, created_at, expires_at, claimed_at,
    secret_hash`,
  key: ['id'],
})

export const insertLink = links.insert('insert_approval_link')

type NamedLink = ApprovalLinkRow & { account_name: string }

const linkOfHash: Fragment<NamedLink, Tenanted & { hash: Buffer }> =
  sql`select ${links.columnsOf('l')}, a.name as account_name
   from approval_links l cross join lateral ${correlate(accountById, { account_id: 'l.account_id' })} a
   where l.account_id = $account_id and l.mode = $mode and l.hash = $hash`

export const selectLink = statement<NamedLink, Tenanted & { hash: Buffer }>(
  'select_approval_link',
  linkOfHash,
)

type OfQuestion = Tenanted & Pick<ApprovalLinkRow, 'purchase_intent_id' | 'expires_at'>

/** The newest link for one question about a purchase, as long as the key that made it is live. */
export const selectOpenLink = statement<Pick<ApprovalLinkRow, 'id'>, OfQuestion>(
  'select_open_approval_link',
  sql`select l.id from approval_links l
   cross join lateral ${correlate(liveKey, { account_id: 'l.account_id', mode: 'l.mode', key_id: 'l.key_id' })} k
   where l.account_id = $account_id and l.mode = $mode and l.purchase_intent_id = $purchase_intent_id
     and l.expires_at = $expires_at
   order by l.created_at desc, l.id desc limit 1`,
)

/** Of two browsers that claim it at once, the second sees what the first has done. */
export const lockLink = statement<NamedLink, Tenanted & { hash: Buffer }>(
  'lock_approval_link',
  `${linkOfHash.text} for update of l`,
)

export const claimLink = statement<
  never,
  Tenanted & Pick<ApprovalLinkRow, 'id' | 'claimed_at' | 'secret_hash'>
>(
  'claim_approval_link',
  `update approval_links set claimed_at = $claimed_at, secret_hash = $secret_hash
   where account_id = $account_id and mode = $mode and id = $id`,
)

export const openLinkDoor = statement<LinkedPage, { hash: Buffer }>(
  'door_approval_link',
  sql`/* tenantless: the door from a link's token to its tenant */
   select l.account_id, l.mode, l.key_id, l.profile_id from approval_links l
   cross join lateral ${correlate(liveKey, {
     account_id: 'l.account_id',
     mode: 'l.mode',
     key_id: 'l.key_id',
   })} k
   where l.hash = $hash`,
)

export const sweepLinks: Sweep = sweepByTime({
  table: 'approval_links',
  since: 'expires_at',
  key: 'id',
  removes: 'links to pages on which people approve',
})
