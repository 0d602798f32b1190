import type { Mode } from '../../../contract/context.ts'
import { type Fragment, statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { merchantRecord, publicMerchant } from '../merchant/reads.sql.ts'
import type { MppApiRow } from './mpp-api.ts'
import { isWithin } from './reads.sql.ts'

const mppApis = aggregate<MppApiRow>()({
  table: 'mpp_apis',
  columns: `id, name, description, method, url, host, request_schema, offers, categories, status, metadata, seq, created_at, updated_at,
    archived_at`,
  key: ['id'],
  json: ['request_schema', 'offers', 'metadata'],
})

export const insertMppApi = mppApis.insert('insert_mpp_api')
export const selectMppApi = mppApis.select('select_mpp_api')
export const lockMppApi = mppApis.lock('lock_mpp_api', 'for no key update')
export const updateMppApiRow = mppApis.update('update_mpp_api')

type MppApiFilter = Tenanted & { status: string | null }

const filter = `account_id = $account_id and mode = $mode and ($status::text is null or status = $status)`

export const selectMppApis = statement<MppApiRow, MppApiFilter & { limit: number; offset: number }>(
  'select_mpp_apis',
  `select ${mppApis.columns} from mpp_apis where ${filter} order by id desc limit $limit + 1 offset $offset`,
)

export const countMppApis = statement<{ counted: number }, MppApiFilter & { cap: number }>(
  'count_mpp_apis',
  `select count(*)::int as counted from (select 1 from mpp_apis where ${filter} limit $cap + 1) as first_ones`,
)

/** Run it under `lockAccount`. */
export const countPublishedMppApis = statement<{ published: number }, Tenanted>(
  'count_published_mpp_apis',
  `select count(*)::int as published from mpp_apis
   where account_id = $account_id and mode = $mode and status = 'published'`,
)

/** What a merchant shows of itself: published, and at its domain still. The newest first. */
export const selectShownMppApis = statement<MppApiRow, Tenanted>(
  'select_shown_mpp_apis',
  sql`select ${mppApis.columnsOf('a')} from ${merchantRecord} m join mpp_apis a on a.account_id = m.account_id and a.mode = m.mode
   where a.account_id = $account_id and a.mode = $mode and a.status = 'published' and ${isWithin('a.host', 'm.domain')}
   order by a.id desc`,
)

/** What payers are shown of one among many. */
export type NewestApi = Pick<MppApiRow, 'id' | 'name' | 'method' | 'url' | 'offers'> & { slug: string }

const newestOnes: Fragment<
  Pick<MppApiRow, 'id' | 'name' | 'method' | 'url' | 'host' | 'offers'> & { account_id: Id<'acct'> },
  { mode: Mode; scanned: number }
> = sql`/* tenantless: what is published is there for everybody, and each row says whose it is */
   select account_id, id, name, method, url, host, offers from mpp_apis
   where mode = $mode and status = 'published' order by id desc limit $scanned`

/** The newest of every merchant that is public, then the second newest of each, among the last `scanned` that were published. */
export const selectNewestMppApis = statement<NewestApi, { mode: Mode; scanned: number; limit: number }>(
  'select_newest_mpp_apis',
  sql`select /* tenantless: as in the list that it reads */ id, name, method, url, offers, slug
   from (select a.id, a.name, a.method, a.url, a.offers, m.slug, row_number() over (partition by a.account_id order by a.id desc) as place
     from ${newestOnes} a cross join lateral ${correlate(publicMerchant, { account_id: 'a.account_id', mode: '$mode' })} m
     where ${isWithin('a.host', 'm.domain')}) as placed
   order by place, id desc limit $limit`,
)
