import type { ActingContext } from '../../../contract/context.ts'
import { selectTestDomainHolder } from './merchant.sql.ts'
import type { MerchantRow } from './merchant.ts'
import { hostsOf, isHostWithin } from './merchant-of-url.ts'

/** Names that nobody can own (RFC 2606, RFC 6761), and so nobody can prove. */
const sharedSuffixes = ['.example', '.test', '.localhost']

/** The domains of the sandbox's own merchants. */
export const sandboxDomains = ['sandbox-merchant.example', 'sandbox-other.example'] as const

type TestDomainHold = Pick<MerchantRow, 'domain' | 'domain_verified_at' | 'test_domain'>

/** Whether accounts divide domains like this one among them: the first account that claims it holds it, and it counts as verified. */
export function isSharedTestDomain(ctx: Pick<ActingContext, 'tenant' | 'settings'>, domain: string): boolean {
  const isReservedName = sharedSuffixes.some((suffix) => domain.endsWith(suffix))
  return ctx.settings.sharesTestDomains && ctx.tenant.mode === 'test' && isReservedName
}

/** Whether the merchant's domain counts as verified because the account holds it, without any proof. */
export function holdsTestDomain(row: TestDomainHold): boolean {
  return row.domain !== null && row.domain === row.test_domain && row.domain_verified_at !== null
}

/**
 * The columns that change when an account takes a shared domain; null where another account, or the sandbox, has it. A domain covers
 * everything below it. Of two accounts that take one at once, the unique index of verified domains refuses the second.
 */
export async function takeTestDomain(
  ctx: Pick<ActingContext, 'tenant' | 'tx' | 'now'>,
  domain: string,
): Promise<TestDomainHold | null> {
  // guard sandbox-domains-are-reserved: no account takes the domains of the sandbox
  if (isSandboxDomain(domain)) return null
  const { accountId: account_id, mode } = ctx.tenant
  const names = hostsOf([`https://${domain}`])
  const holder = await ctx.tx.maybe(selectTestDomainHolder({ account_id, mode, names }))
  // guard one-holder-of-a-test-domain: a domain of another account is not taken from it, nor a domain below it
  return holder ? null : heldTestDomain(ctx, domain)
}

/** The same without a check, for the sandbox itself. */
export function heldTestDomain({ now }: Pick<ActingContext, 'now'>, domain: string): TestDomainHold {
  return { domain, domain_verified_at: now, test_domain: domain }
}

export function isSandboxDomain(domain: string): boolean {
  return sandboxDomains.some((reserved) => isHostWithin(domain, reserved))
}
