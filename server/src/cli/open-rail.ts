import type { Mode } from '../contract/context.ts'
import type { PaymentRail } from '../domain/buying/rails/port.ts'
import type { BookedRail } from '../domain/buying/rails/public.ts'
import type { Config } from '../platform/config/config.ts'
import { createEgress } from '../platform/egress/egress.ts'
import { createSandboxRail, sandboxRail } from '../rails/sandbox/sandbox.ts'
import { stripeBooks } from '../rails/stripe/balance-books.ts'
import { createStripeRail, liveStripeRail, type StripeAccount } from '../rails/stripe/stripe.ts'
import { openStripeApi } from '../rails/stripe/stripe-api.ts'

/** A rail for a command that asks it while workers use it too. */
type OpenedRail = {
  name: string
  mode: Mode
  rail: PaymentRail
  isAskedByCall: boolean
  close(): Promise<void>
}

/** Test mode's payment processor. */
export function openTestRail(railUrl: string): OpenedRail {
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [new URL(railUrl).origin] })
  const rail = createSandboxRail({ url: railUrl, egress })
  return { name: sandboxRail.name, mode: 'test', rail, isAskedByCall: false, close: () => egress.close() }
}

/** The account that live mode charges with, and its books; null: there is none. */
export function openLiveRail({
  liveRail,
  stripe: { live: account },
}: Pick<Config, 'liveRail'> & { stripe: { live?: StripeAccount } }): (OpenedRail & BookedRail) | null {
  if (liveRail !== 'stripe' || !account) return null
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [new URL(account.url).origin] })
  // It asks what is held, and sends nobody anywhere.
  const rail = createStripeRail({ ...account, egress, publicUrl: null, vault: null })
  return {
    name: liveStripeRail.name,
    mode: 'live',
    rail,
    books: stripeBooks(openStripeApi({ ...account, egress })),
    isAskedByCall: true,
    close: () => egress.close(),
  }
}
