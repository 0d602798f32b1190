import type { Fragment } from '../../../contract/statement.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { sql } from '../../../platform/database/fragment.ts'

/** `isHostWithin` for columns. A host that is null is on this machine, which only test mode takes. */
export function isWithin(host: string, domain: string): string {
  return `(${host} is null or ${host} = ${domain} or right(${host}, length(${domain}) + 1) = '.' || ${domain})`
}

const shown = `a.account_id = $account_id and a.mode = $mode and a.status = 'published' and ${isWithin('a.host', '$domain')}`

/** The words under which a merchant files the APIs that it shows. */
export const shownCategories: Fragment<{ category: string }, Tenanted & { domain: string | null }> =
  sql`select distinct word as category from mpp_apis a cross join unnest(a.categories) as word where ${shown} order by word`

/** Whether one of these words is `mpp_category`. */
export const hasShownCategory: Fragment<
  { is_shown: boolean },
  Tenanted & { domain: string | null; mpp_category: string | null }
> =
  sql`select exists (select from mpp_apis a where ${shown} and $mpp_category = any(a.categories)) as is_shown`
