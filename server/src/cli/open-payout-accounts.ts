import { noPayoutAccounts, type PayoutAccounts } from '../domain/selling/payouts/public.ts'
import type { Config } from '../platform/config/config.ts'
import { createEgress } from '../platform/egress/egress.ts'
import { stripePayoutAccounts } from '../rails/stripe/payout-accounts.ts'

type OpenedAccounts = { accounts: PayoutAccounts; close(): Promise<void> }

/** The rail that pays the merchants of live mode. */
export function openPayoutAccounts({
  liveRail,
  stripe,
}: Pick<Config, 'liveRail' | 'stripe'>): OpenedAccounts {
  const account = stripe.live
  if (liveRail !== 'stripe' || !account) return { accounts: noPayoutAccounts, close: () => Promise.resolve() }
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [new URL(account.url).origin] })
  return { accounts: stripePayoutAccounts({ ...account, egress }), close: () => egress.close() }
}
