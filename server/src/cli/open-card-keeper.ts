import type { CardKeeper } from '../domain/buyers/card-setups/port.ts'
import type { Config } from '../platform/config/config.ts'
import { createEgress } from '../platform/egress/egress.ts'
import { createCardKeeper } from '../rails/stripe/card-keeper.ts'

type OpenedKeeper = { keeper: CardKeeper; close(): Promise<void> }

/** Who keeps cards of live mode; null: nobody does. Test mode always keeps its own. */
export function openCardKeeper({
  liveRail,
  stripe,
}: Pick<Config, 'liveRail' | 'stripe'>): OpenedKeeper | null {
  const account = stripe.live
  if (liveRail !== 'stripe' || !account || account.publishableKey === null) return null
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [new URL(account.url).origin] })
  const live = { ...account, publishableKey: account.publishableKey }
  return { keeper: createCardKeeper({ egress, accounts: { live } }), close: () => egress.close() }
}
