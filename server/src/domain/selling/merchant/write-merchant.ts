import type { ActingContext } from '../../../contract/context.ts'
import { decideReadiness } from './decide-readiness.ts'
import type { VerificationChange } from './decide-verification.ts'
import type { merchantEvents } from './events.ts'
import { insertMerchant, lockMerchant, updateMerchantRow } from './merchant.sql.ts'
import type { Merchant, MerchantRow } from './merchant.ts'
import { type ReadinessFacts, selectReadinessFacts } from './readiness.sql.ts'

type MerchantEvent = keyof typeof merchantEvents | VerificationChange

/**
 * Changes the merchant record of `ctx.tenant`, which comes into being with its first change: locks it, lets `change` decide (it
 * may throw a refusal), writes the row and the event. `type`: what the event is called, where a change of the row is not what it is
 * about; null writes none. A change of nothing of the row writes nothing else.
 */
export async function changeMerchant(
  ctx: ActingContext,
  change: (row: MerchantRow) => Partial<MerchantRow> | Promise<Partial<MerchantRow>>,
  type?: MerchantEvent | (() => MerchantEvent | null),
): Promise<Merchant> {
  const row = await lockedMerchant(ctx)
  const changes = await change(row)
  const event = (typeof type === 'function' ? type() : type) ?? null
  const isChanged = row.seq === 0 || Object.keys(changes).length > 0
  const facts = await readinessFacts(ctx)
  if (event === null && !isChanged) return renderMerchant(row, facts)
  const changed = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
  const merchant = renderMerchant(changed, facts)
  ctx.tx.write(updateMerchantRow(changed))
  ctx.tx.emit({
    type: event ?? 'merchant.updated',
    aggregateId: merchantAggregate(row.account_id),
    sequence: changed.seq,
    object: merchant,
  })
  return merchant
}

/** A record of which nothing is set. */
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

/** What the merchant publishes to prove its domain. */
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
    ...decideReadiness(row, facts),
  }
}

/** The merchant's id is its account's, whose own events count by themselves. */
export function merchantAggregate(accountId: string): string {
  return `merchant/${accountId}`
}

async function lockedMerchant(ctx: ActingContext): Promise<MerchantRow> {
  const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
  const known = await ctx.tx.maybe(lockMerchant(key))
  if (known) return known
  ctx.tx.write(insertMerchant(blankMerchant(ctx, ctx.now)))
  const made = await ctx.tx.maybe(lockMerchant(key))
  if (!made) throw new Error('a merchant record was made and is not there')
  return made
}

async function readinessFacts(ctx: ActingContext): Promise<ReadinessFacts> {
  const facts = await ctx.tx.maybe(
    selectReadinessFacts({ account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }),
  )
  if (!facts) throw new Error('an account that acts does not exist')
  return facts
}
