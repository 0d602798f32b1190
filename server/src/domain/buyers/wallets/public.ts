export { WalletKeepers, walletBudgetMs } from './port.ts'
export { sealedWallets } from './seal-tokens.ts'
export { readSignedIn, signOutOf } from './signed-in-wallet.ts'
export { openWalletTokens } from './wallet-tokens.ts'
