import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { orderDestinations, quoteResponder } from '../../webhooks/destinations/reads.sql.ts'
import type { MerchantRecord, MerchantRow, Seller } from './merchant.ts'
import type { VerificationRow } from './verification.sql.ts'

export const merchants = aggregate<MerchantRow>()({
  table: 'merchants',
  columns: `account_id, mode, slug, domain, domain_verified_at, verification_token, name, mcc, country, mcc_confirmed,
    mcc_confirmed_at, country_confirmed, country_confirmed_at, test_domain, currency, tax_basis_points, seq, created_at, updated_at`,
  key: [],
})
const { columns } = merchants

/** Times of a `MerchantRecord`. */
export const merchantTimes = ['domain_verified_at'] as const satisfies readonly (keyof MerchantRecord)[]

/** An account's own merchant record in a mode, if it has one. */
export const merchantRecord: Fragment<MerchantRecord, Tenanted> =
  sql`select ${columns} from merchants where account_id = $account_id and mode = $mode`

export const merchantOfSlug: Fragment<MerchantRecord, { mode: Mode; slug: string }> =
  sql`/* tenantless: a slug is public and names one merchant of its mode */
   select ${columns} from merchants where mode = $mode and slug = $slug`

/**
 * The merchants that sell at these hosts, for purchases of `account_id`: merchants with a verified domain, and the account's own merchant
 * whether or not its domain is proved.
 */
export const merchantsAtHosts: Fragment<MerchantRecord, Tenanted & { hosts: readonly string[] }> =
  sql`select ${columns} from merchants
   where mode = $mode and domain = any($hosts::text[]) and (domain_verified_at is not null or account_id = $account_id)`

const mayAnswer = correlate(orderDestinations, { account_id: 'm.account_id', mode: 'm.mode' })

/** These merchants as a buyer needs them. */
export function sellersAmong<Params extends object>(
  merchants: Fragment<MerchantRecord, Params>,
): Fragment<Seller, Params> {
  return sql`select m.*,
     exists (select from ${mayAnswer} d where d.confirmed_at is null)
       and not exists (select from ${mayAnswer} d where d.confirmed_at is not null) as awaits_confirmation
   from ${merchants} m`
}

/** The same decision as `isPublicInMode`, about a merchant of a published item. */
const isPublic = sql`m.slug is not null
  and (m.mode = 'test' or m.domain_verified_at is not null and exists (select from ${mayAnswer} d where d.confirmed_at is not null))`

/** The merchant of a slug that strangers may name. */
export const publicMerchantOfSlug: Fragment<{ account_id: Id<'acct'> }, { mode: Mode; slug: string }> =
  sql`/* tenantless: a slug is public and names one merchant of its mode */
   select m.account_id from merchants m where m.mode = $mode and m.slug = $slug and ${isPublic}`

/** A merchant that strangers may name. */
export const publicMerchant: Fragment<{ slug: string; domain: string | null }, Tenanted> =
  sql`select m.slug, m.domain from merchants m where m.account_id = $account_id and m.mode = $mode and ${isPublic}`

/** Whether a destination answers the quotes of a merchant. */
export const answersQuotes: Fragment<{ answers_quotes: boolean }, Tenanted> =
  sql`select exists (select from ${quoteResponder} d where d.confirmed_at is not null) as answers_quotes`

/**
 * A merchant that `viewer` may find: one that is public in the mode, or its own. `answers_quotes`: a destination answers its quotes.
 */
export const findableMerchant: Fragment<
  Pick<MerchantRecord, 'account_id' | 'name' | 'slug' | 'domain' | 'country'> & {
    is_verified: boolean
    answers_quotes: boolean
  },
  Tenanted & { viewer: Id<'acct'> }
> =
  sql`select m.account_id, m.name, m.slug, m.domain, m.country, m.domain_verified_at is not null as is_verified,
     ${correlate(answersQuotes, { account_id: 'm.account_id', mode: 'm.mode' })} as answers_quotes
   from merchants m
   where m.account_id = $account_id and m.mode = $mode and (m.account_id = $viewer or ${isPublic})`

const listed = `m.account_id, m.name, m.slug, m.domain, m.country, m.created_at, m.updated_at,
  lower(coalesce(m.name, m.slug, m.domain, m.account_id)) as sorted_name`

/** A merchant as lists of merchants show it. `sorted_name`: what they are sorted by. */
type Listed = Pick<MerchantRecord, 'account_id' | 'name' | 'slug' | 'domain' | 'country'> & {
  /** Everybody finds it, once it has published something. */
  is_public: boolean
  created_at: Date
  updated_at: Date
  sorted_name: string
}

/** Merchants with a slug and a proved domain. */
export const verifiedMerchants: Fragment<Listed, { mode: Mode }> =
  sql`/* tenantless: merchants that are public are there for everybody */
   select ${listed}, ${isPublic} as is_public from merchants m where m.mode = $mode and m.slug is not null and m.domain_verified_at is not null`

/** Merchants with a slug whose domain is not proved. In live mode none of them is public. */
export const unverifiedMerchants: Fragment<Listed, { mode: Mode }> =
  sql`/* tenantless: merchants that are public are there for everybody */
   select ${listed}, ${isPublic} as is_public from merchants m where m.mode = $mode and m.slug is not null and m.domain_verified_at is null`

/** The merchant of an account, which finds it in any state. */
export const ownMerchant: Fragment<Listed & { is_verified: boolean }, Tenanted> =
  sql`select ${listed}, coalesce(${isPublic}, false) as is_public, m.domain_verified_at is not null as is_verified
   from merchants m where m.account_id = $account_id and m.mode = $mode`

/** The merchants that these ids, slugs or domains name. */
export const merchantsNamed: Fragment<
  { account_id: Id<'acct'> },
  { mode: Mode; ids: readonly string[]; slugs: readonly string[]; domains: readonly string[] }
> = sql`/* tenantless: ids, slugs and domains are public names */
   select account_id from merchants
   where mode = $mode and (account_id = any($ids::text[]) or slug = any($slugs::text[])
     or domain = any($domains::text[]) and domain_verified_at is not null)`

/** The accounts whose merchants name these hosts, proved or not. */
export const accountsAtHosts: Fragment<{ account_id: Id<'acct'> }, { mode: Mode; hosts: readonly string[] }> =
  sql`select account_id from merchants where mode = $mode and domain = any($hosts::text[])`

/** The last look at the proof of the merchant's domain. */
export const domainVerification: Fragment<VerificationRow, Tenanted> =
  sql`select domain, token, status, detail, checked_at, failing_since, lapsed_at from domain_verifications
   where account_id = $account_id and mode = $mode`
