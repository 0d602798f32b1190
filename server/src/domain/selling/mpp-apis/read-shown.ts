import type { Mode, Reads, Tenant } from '../../../contract/context.ts'
import type { MppApiRow } from './mpp-api.ts'
import { type NewestApi, selectNewestMppApis, selectShownMppApis } from './mpp-apis.sql.ts'

type ShownApi = Pick<
  MppApiRow,
  'id' | 'name' | 'description' | 'method' | 'url' | 'request_schema' | 'offers' | 'categories'
>

/** What a merchant shows to payers, the newest first. */
export async function readShownApis(
  reads: Pick<Reads, 'rows'>,
  { accountId, mode }: Tenant,
): Promise<ShownApi[]> {
  return await reads.rows(selectShownMppApis({ account_id: accountId, mode }))
}

/** Everybody may read this often, so that it looks at a bounded number of rows, however many there are. */
const scanned = 1000

/** Up to `limit` APIs of merchants that are public: the newest of each, then the second newest of each, so that none fills the list. */
export async function readNewestApis(
  reads: Pick<Reads, 'rows'>,
  mode: Mode,
  limit: number,
): Promise<NewestApi[]> {
  return await reads.rows(selectNewestMppApis({ mode, scanned, limit }))
}
