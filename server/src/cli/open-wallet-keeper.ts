import type { WalletKeeper } from '../domain/buyers/wallets/port.ts'
import { openWalletTokens } from '../domain/buyers/wallets/public.ts'
import type { ActingParts } from '../platform/calls/run-as.ts'
import type { Config } from '../platform/config/config.ts'
import { createEgress } from '../platform/egress/egress.ts'
import type { LinkParts } from '../rails/link/link.ts'
import { createWalletKeeper, type LinkAccount } from '../rails/link/sign-in.ts'

type OpenedWallets = { keeper: WalletKeeper; close(): Promise<void> }

/** The tokens of wallets, for a worker. */
export function openWallets(
  parts: ActingParts,
  link: LinkAccount,
): { readonly parts: LinkParts; close(): Promise<void> } {
  const { keeper, close } = opened(link)
  return { parts: { url: link.url, wallets: openWalletTokens(parts, keeper) }, close }
}

/** Who keeps the wallets of live mode; null: nobody does. */
export function openWalletKeeper({ linkAccount }: Pick<Config, 'linkAccount'>): OpenedWallets | null {
  return linkAccount === null ? null : opened(linkAccount)
}

function opened(link: LinkAccount): OpenedWallets {
  const origins = [link.url, link.loginUrl].map((url) => new URL(url).origin)
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: origins })
  return { keeper: createWalletKeeper({ ...link, egress }), close: () => egress.close() }
}
