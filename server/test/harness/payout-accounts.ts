import type { PayoutAccounts } from '../../src/domain/selling/payouts/port.ts'

/** A rail that pays merchants, in both modes, for what only asks whether a link is to be had. */
export const payoutAccountsOfTests: PayoutAccounts = {
  modes: ['test', 'live'],
  open: async () => ({ kind: 'opened', id: 'acct_1OfTests' }),
  link: async () => ({
    kind: 'linked',
    url: 'https://pay.example/open/1',
    expiresAt: new Date(Date.now() + 300_000),
  }),
  read: async () => ({
    kind: 'read',
    state: { chargesEnabled: true, payoutsEnabled: true, requirementsDue: [] },
  }),
}
