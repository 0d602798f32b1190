import { banksByMode, type CardBank } from '../domain/buying/verifications/port.ts'
import type { Config } from '../platform/config/config.ts'
import { createEgress } from '../platform/egress/egress.ts'
import { createSandboxBank } from '../rails/sandbox/card-bank.ts'
import { createStripeBank } from '../rails/stripe/card-bank.ts'

type OpenedBank = { bank: CardBank; close(): Promise<void> }

/** The banks that the windows of this process send people to. A mode without a rail has none. */
export function openCardBank({
  railUrl,
  liveRail,
  stripe,
}: Pick<Config, 'railUrl' | 'liveRail' | 'stripe'>): OpenedBank {
  const live = liveRail === 'stripe' ? stripe.live : undefined
  const urls = [railUrl, live?.url].filter((url) => typeof url === 'string')
  const egress = createEgress({
    allowLoopback: () => false,
    trustedOrigins: urls.map((url) => new URL(url).origin),
  })
  const bank = banksByMode({
    ...(railUrl === null ? {} : { test: createSandboxBank({ url: railUrl, egress }) }),
    ...(live === undefined ? {} : { live: createStripeBank({ ...live, egress }) }),
  })
  return { bank, close: () => egress.close() }
}
