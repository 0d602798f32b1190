import { statement } from '../../../../contract/statement.ts'
import { sql } from '../../../../platform/database/fragment.ts'
import { profilesNamed } from '../../../buyers/profiles/reads.sql.ts'
import {
  type AuditRowFilter,
  type AuditRowRow,
  auditRowColumns,
  nameOfProfile,
} from '../decide/audit-rows.sql.ts'
import type { SearchTerms } from './search-intents.ts'

/** Inserts the terms by which new purchases are found later. Purchases whose terms exist stay as they are. */
export const insertTerms = statement<
  never,
  { account_ids: readonly string[]; modes: readonly string[]; intent_ids: readonly string[] }
>(
  'insert_purchase_terms',
  `insert into purchase_terms (account_id, mode, term, intent_id)
   select /* tenantless: each row names its own */ i.account_id, i.mode, term, i.id
   from unnest($account_ids::text[], $modes::mode[], $intent_ids::text[]) as made (account_id, mode, id)
   join purchase_intents i on i.account_id = made.account_id and i.mode = made.mode and i.id = made.id,
     unnest(i.merchants || array(select item ->> 'domain' from jsonb_array_elements(i.items) item) || i.reference_id) as said (written),
     lower(written) as term
   where term <> ''
   on conflict do nothing`,
)

/**
 * Purchases found by a text. An index of all their text would cost every change of every purchase. So for the newest ten thousand the
 * whole text is read; for all others only what a person knows of them: the beginning of an id, a reference or a shop, and the name of the
 * person it was for.
 */
type SearchFilter = AuditRowFilter & SearchTerms & { reach: number }

const tenant = 'i.account_id = $account_id and i.mode = $mode'
const filtered = `${tenant} and ($status::text is null or i.status = $status)
  and ($profile_id::text is null or i.profile_id = $profile_id)`
const newestFirst = 'order by i.id desc limit $reach'
const ofTenant = 't.account_id = $account_id and t.mode = $mode'

// It steps from term to term, one index entry each, however many purchases have the same term. Without filters it does not read the
// purchases themselves.
const found = `with recursive people as materialized (${profilesNamed.text}), terms (term) as (
    (select t.term from purchase_terms t where ${ofTenant} and t.term >= $starts_from and t.term < $starts_before
     order by t.term limit 1)
    union all
    select (select t.term from purchase_terms t where ${ofTenant} and t.term > terms.term and t.term < $starts_before
      order by t.term limit 1)
    from terms where terms.term is not null
  ), fitting as materialized (
    select term from terms where term is not null limit 100
  ), newest as (
    select i.* from purchase_intents i where ${tenant} order by i.id desc limit 10000
  ), found as (
    (select i.id from newest i where ${filtered} and (i.search like $anywhere or i.profile_id in (select id from people))
     ${newestFirst})
    union
    (select i.id from purchase_intents i where ${filtered} and i.id >= $starts_from and i.id < $starts_before ${newestFirst})
    union
    (select i.id from fitting cross join lateral (
       select t.intent_id as id from purchase_terms t
       where ${ofTenant} and t.term = fitting.term and (($status::text is null and $profile_id::text is null)
         or exists (select from purchase_intents i where ${filtered} and i.id = t.intent_id))
       order by t.intent_id desc limit $reach) as i ${newestFirst})
    union
    (select i.id from people cross join lateral (
       select i.id from purchase_intents i where ${filtered} and i.profile_id = people.id ${newestFirst}) as i ${newestFirst})
  )`

export const searchAuditRows = statement<AuditRowRow, SearchFilter & { limit: number; offset: number }>(
  '',
  sql`${found}
   select ${auditRowColumns}
   from (select i.* from purchase_intents i
     where ${tenant} and i.id in (select id from found order by id desc limit $limit + 1 offset $offset)) as i
   cross join lateral ${nameOfProfile} p
   order by i.id desc`,
)

export const countFoundAuditRows = statement<{ counted: number }, SearchFilter>(
  '',
  `${found} select least(count(*), $reach)::int as counted from found`,
)
