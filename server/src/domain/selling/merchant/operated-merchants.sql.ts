import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { MerchantRow } from './merchant.ts'
import { merchants } from './reads.sql.ts'

/**
 * The merchants of a mode, or those of live mode that claim a category or a country which no operator has looked at. That includes values
 * from before confirmation was required.
 */
export const selectOperatedMerchants = statement<MerchantRow, { mode: Mode; only_unconfirmed: boolean }>(
  'select_operated_merchants',
  `/* tenantless: the operator lists merchants of every account_id */
   select ${merchants.columns} from merchants
   where mode = $mode and (not $only_unconfirmed or mode = 'live' and (
     mcc is not null and (mcc is distinct from mcc_confirmed or mcc_confirmed_at is null)
     or country is not null and (country is distinct from country_confirmed or country_confirmed_at is null)))
   order by created_at, account_id`,
)

export const selectMerchantOfSlug = statement<{ account_id: Id<'acct'> }, { mode: Mode; slug: string }>(
  'select_merchant_of_slug',
  `/* tenantless: the operator names a merchant by its slug, which is one account_id's in a mode */
   select account_id from merchants where mode = $mode and slug = $slug`,
)

/** The account that holds a shared test domain. */
export const selectHeldTestDomain = statement<{ account_id: Id<'acct'> }, { domain: string }>(
  'select_held_test_domain',
  `/* tenantless: the operator names the domain, which is one account_id's */
   select account_id from merchants
   where mode = 'test' and domain = $domain and test_domain = domain and domain_verified_at is not null`,
)

/**
 * Reserved names that accounts claim in test mode without a verification, the oldest merchant first; and whether another merchant has a
 * verification of the same name.
 */
export const selectClaimedTestDomains = statement<
  { account_id: Id<'acct'>; domain: string; is_taken: boolean },
  Record<never, never>
>(
  'select_claimed_test_domains',
  `/* tenantless: the operator's command shares the domains out among every account_id */
   select m.account_id, m.domain, exists (
       select from merchants o where o.mode = m.mode and o.domain = m.domain and o.domain_verified_at is not null) as is_taken
   from merchants m
   where m.mode = 'test' and m.domain_verified_at is null and m.domain ~ '[.](example|test|localhost)$'
   order by m.created_at, m.account_id`,
)
