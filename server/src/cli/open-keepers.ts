import type { CardKeeper } from '../domain/buyers/card-setups/port.ts'
import type { WalletKeeper } from '../domain/buyers/wallets/port.ts'
import type { Config } from '../platform/config/config.ts'
import { openCardKeeper } from './open-card-keeper.ts'
import { openWalletKeeper } from './open-wallet-keeper.ts'

type OpenedKeepers = {
  readonly keepers: { readonly cardKeeper?: CardKeeper; readonly walletKeeper?: WalletKeeper }
  close(): Promise<unknown>
}

/** The rails that keep what people pay with. */
export function openKeepers(config: Pick<Config, 'liveRail' | 'stripe' | 'linkAccount'>): OpenedKeepers {
  const [cards, wallets] = [openCardKeeper(config), openWalletKeeper(config)]
  return {
    keepers: {
      ...(cards === null ? {} : { cardKeeper: cards.keeper }),
      ...(wallets === null ? {} : { walletKeeper: wallets.keeper }),
    },
    close: () => Promise.all([cards?.close(), wallets?.close()]),
  }
}
