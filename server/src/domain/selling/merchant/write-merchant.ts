import type { ActingContext } from '../../../contract/context.ts'
import { decideReadiness } from './decide-readiness.ts'
import type { Merchant, MerchantRow } from './merchant.ts'
import type { ReadinessFacts } from './port.ts'

/** A record in which nothing is set. */
export function blankMerchant(ctx: Pick<ActingContext, 'tenant' | 'random'>, at: Date): MerchantRow {
  return {
    account_id: ctx.tenant.accountId,
    mode: ctx.tenant.mode,
    slug: null,
    domain: null,
    domain_verified_at: null,
    verification_token: newVerificationToken(ctx),
    name: null,
    mcc: null,
    country: null,
    mcc_confirmed: null,
    mcc_confirmed_at: null,
    country_confirmed: null,
    country_confirmed_at: null,
    test_domain: null,
    currency: null,
    tax_basis_points: 0,
    seq: 0,
    created_at: at,
    updated_at: at,
  }
}

/** The token that the merchant publishes to prove its domain. */
export function newVerificationToken(ctx: Pick<ActingContext, 'random'>): string {
  return Buffer.from(ctx.random(16)).toString('hex')
}

export function renderMerchant(row: MerchantRow, facts: ReadinessFacts): Merchant {
  return {
    id: row.account_id,
    object: 'merchant',
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    slug: row.slug,
    domain: row.domain,
    name: row.name,
    mcc: row.mcc,
    country: row.country,
    currency: row.currency,
    tax_basis_points: row.tax_basis_points,
    payout_account: shownAccount(facts),
    ...decideReadiness(row, facts),
  }
}

function shownAccount({ payout_account: account }: ReadinessFacts): Merchant['payout_account'] {
  if (account === null) return null
  const { read_at: readAt, ...shown } = account
  return { ...shown, checked_at: readAt === null ? null : new Date(readAt).toISOString() }
}

/** The merchant's id is its account's, whose own events have sequences of their own. */
export function merchantAggregate(accountId: string): string {
  return `merchant/${accountId}`
}
