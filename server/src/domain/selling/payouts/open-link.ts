import type { Reads, Tenant } from '../../../contract/context.ts'
import { readMerchant } from '../merchant/public.ts'
import { namePayoutAccount, selectPayoutAccount } from './payouts.sql.ts'
import type { PayoutAccounts } from './port.ts'

/** As long as the rail is waited for: an account and a link are two requests. */
export const linkBudgetMs = 8_000
const callMs = 3_500

/** Soon after the link somebody may be through with the page. */
const firstLookSeconds = 60

type Pages = { readonly returnUrl: string; readonly refreshUrl: string }

type LinkToAccount = {
  readonly kind: 'linked'
  readonly account: string
  readonly url: string
  readonly expiresAt: Date
}

/** A link to the page on which the people of a merchant tell the rail who they are. Its account is opened with the first one. */
export async function openLink(
  { reads, tenant }: { reads: Pick<Reads, 'maybe'>; tenant: Tenant },
  accounts: PayoutAccounts,
  pages: Pages,
): Promise<LinkToAccount | { readonly kind: 'away' } | { readonly kind: 'unknown_account' }> {
  const { accountId: account_id, mode } = tenant
  const call = { mode, timeoutMs: callMs }
  const known = await reads.maybe(selectPayoutAccount({ account_id, mode }))
  const opened =
    known === null ? await openAccount(reads, tenant, accounts) : { kind: 'opened' as const, id: known.id }
  if (opened.kind === 'away') return opened
  const said = await accounts.link({ account: opened.id, ...pages }, call)
  return said.kind === 'linked' ? { ...said, account: opened.id } : said
}

/**
 * Its country stays as it is for good, so a key is of one country. A crash between the answer and our row opens no second account while the
 * rail remembers the key; later it leaves one behind that nobody is paid to.
 */
async function openAccount(reads: Pick<Reads, 'maybe'>, tenant: Tenant, accounts: PayoutAccounts) {
  const { accountId, mode } = tenant
  const country = (await readMerchant(reads, tenant))?.country ?? null
  // guard one-account-a-merchant: a merchant whose first link was lost gets the same account again
  const key = `payout_account:${accountId}:${country ?? 'any'}`
  return await accounts.open({ key, country }, { mode, timeoutMs: callMs })
}

/** The account of a link that was given away. The rail is asked about it from now on. */
export function noteLink({ tenant, now }: { tenant: Tenant; now: Date }, account: string) {
  const { accountId: account_id, mode } = tenant
  const due_at = new Date(now.getTime() + firstLookSeconds * 1000)
  return namePayoutAccount({ account_id, mode, id: account, linked_at: now, due_at, now })
}
