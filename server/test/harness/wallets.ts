import type { WalletKeeper } from '../../src/domain/buyers/wallets/port.ts'

/** A keeper of wallets in both modes, whose people sign in at once. */
export const walletsOfTests: WalletKeeper = {
  rail: 'link',
  modes: ['test', 'live'],
  begin: async () => ({
    kind: 'begun',
    device: crypto.randomUUID(),
    url: 'https://wallet.example/device',
    code: 'apple-grape',
    seconds: 600,
  }),
  finish: async () => ({
    kind: 'signed_in',
    tokens: { access: crypto.randomUUID(), refresh: crypto.randomUUID(), seconds: 3600 },
  }),
  methodOf: async () => ({ kind: 'read', method: 'csmrpd_OfTests' }),
  renew: async () => ({ kind: 'ended' }),
  signOut: async () => ({ kind: 'gone' }),
}
