import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { EvidenceRow } from './evidence.ts'

/** The pictures of a purchase, those too that are deleted: a copy that somebody has kept is still the one of this digest. */
// guard tenant-of-pictures-of-a-purchase: rows of other accounts and of the other mode do not exist for the caller
export const picturesOfPurchase: Fragment<
  Pick<EvidenceRow, 'id' | 'cart_id' | 'attempt' | 'stage' | 'taken_at' | 'url_host' | 'bytes' | 'sha256'>,
  { account_id: Id<'acct'>; mode: Mode; intent_id: string }
> = sql`select id, cart_id, attempt, stage, taken_at, url_host, bytes, sha256 from purchase_evidence
   where account_id = $account_id and mode = $mode and intent_id = $intent_id order by created_at, id`
