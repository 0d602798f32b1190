const shownBy = 'surfaces/elements/elements.http.test.ts'

/** Those of components in pages, and of the vault's door for them. */
export const elementsDurations = {
  'domain/buyers/elements/create-bootstrap.ts bootstrapMinutes': { value: '5', shownBy },
  'domain/buyers/elements/create-client-secret.ts secretMinutes': { value: '15', shownBy },
  'domain/buyers/elements/open-session.ts sessionMinutes': { value: '15', shownBy },
  'domain/buyers/elements/open-session.ts sessionMinutesMax': { value: '60', shownBy },
  'domain/buyers/elements/elements.sql.ts interval': { value: '15 minutes', shownBy },
  'domain/buying/credential-tickets/begin-ticket.ts ticketMinutes': {
    value: '10',
    shownBy: 'domain/buying/credential-tickets/credential-tickets.http.test.ts',
  },
  'domain/buying/credential-tickets/port.ts ticketBudgetMs': {
    value: '4_000',
    local: 'an answer of the vault',
  },
  'domain/buyers/payment-methods/port.ts vaultBudgetMs': { value: '4_000', local: 'an answer of the vault' },
  'domain/buying/verifications/port.ts cardBankBudgetMs': { value: '4_000', local: 'an answer of the bank' },
  'domain/buying/verifications/begin-verification.ts verificationMinutes': {
    value: '15',
    shownBy: 'domain/buying/verifications/verifications.http.test.ts',
  },
  'platform/passkeys/passkeys.ts waitMs': {
    value: '5 * 60_000',
    local: 'how long a browser asks the person for a passkey',
  },
  'domain/accounts/people/sign-in/challenges.ts challengeMinutes': {
    value: '5',
    shownBy: 'domain/accounts/people/people.http.test.ts',
  },
  'domain/accounts/people/sign-in/open-session.ts sessionDays': {
    value: '14',
    shownBy: 'domain/accounts/people/people.http.test.ts',
  },
  'domain/accounts/people/sign-in/sign-ins.sql.ts interval': {
    value: '5 minutes',
    local: 'how exactly it is known when a session was used',
  },
  'domain/accounts/people/sign-in/make-link.ts hourMs': { value: '3_600_000', local: 'an hour of a link' },
  'domain/accounts/people/sign-in/open-session.ts dayMs': { value: '86_400_000', local: 'a day of that' },
  'domain/buying/evidence-bundles/get-purchase-intent-evidence-bundle.ts signerBudgetMs': {
    value: '2_000',
    local: 'a read of the keys, which are in memory mostly',
  },
  'domain/buyers/card-setups/create-card-setup.ts setupHours': {
    value: '24',
    shownBy: '../test/flows/live-purchase.test.ts',
  },
  'domain/buyers/card-setups/create-card-setup.ts callMs': { value: '3_500', local: 'an answer of Stripe' },
  'domain/buyers/card-setups/kept-card.ts callMs': { value: '4_000', local: 'an answer of Stripe' },
  'domain/buyers/card-setups/port.ts keeperBudgetMs': { value: '8_000', local: 'two answers of Stripe' },
  'domain/buying/rails/reconcile-day.ts dayMs': {
    value: '86_400_000',
    local: 'a day of UTC, which is compared when it is over',
  },
  'domain/selling/payouts/work.ts callMs': { value: '8_000', local: 'an answer of Stripe' },
  'domain/selling/payouts/work.ts leaseSeconds': { value: '30', edge: 'leases' },
  'domain/selling/payouts/work.ts atThePageHours': {
    value: '2',
    local: 'how long an account is looked at often after a link; work.test.ts has both sides',
  },
  'domain/selling/payouts/work.ts atThePageSeconds': {
    value: '60',
    shownBy: '../test/flows/live-payouts.test.ts',
  },
  'domain/selling/payouts/work.ts waitingSeconds': {
    value: '3_600',
    local: 'how often an account that nobody is at is looked at; work.test.ts',
  },
  'domain/selling/payouts/work.ts readySeconds': {
    value: '21_600',
    shownBy: '../test/flows/live-payouts.test.ts',
  },
  'domain/selling/payouts/open-link.ts callMs': { value: '3_500', local: 'an answer of Stripe' },
  'domain/selling/payouts/open-link.ts linkBudgetMs': { value: '8_000', local: 'two answers of Stripe' },
  'domain/selling/payouts/open-link.ts firstLookSeconds': {
    value: '60',
    shownBy: '../test/flows/live-payouts.test.ts',
  },
  'domain/buying/rails/rail-holds.ts longestHoldDays': {
    value: '31',
    local: 'how far back a command lists the holds of live mode; longer than any can last',
  },
  'cli/commands/rail.ts callMs': { value: '15_000', local: 'an answer of Stripe to a command' },
  'domain/buyers/wallets/create-wallet-sign-in.ts callMs': { value: '4_000', local: 'an answer of Link' },
  'domain/buyers/wallets/port.ts walletBudgetMs': { value: '8_000', local: 'two answers of Link' },
  'domain/buyers/wallets/signed-in-wallet.ts callMs': { value: '3_500', local: 'an answer of Link' },
  'domain/buyers/wallets/signed-in-wallet.ts renewalMarginSeconds': {
    value: '120',
    local: 'a call that has begun with a token ends before the token does',
  },
  'domain/buyers/wallets/wallet-tokens.ts renewalSeconds': {
    value: '30',
    local: 'as long as a renewal can be under way, which is seconds',
  },
  'rails/link/limits.ts marginHours': {
    value: '1',
    shownBy: 'domain/buying/execution/offer/payable.test.ts',
  },
  'rails/link/limits.ts approvalMinutes': {
    value: '10',
    shownBy: '../test/conformance/link-rail.test.ts',
  },
  'rails/link/limits.ts cardHours': {
    value: '12',
    shownBy: 'rails/link/limits.test.ts',
  },
  'cli/purchases/evidence.ts keysTimeoutMs': {
    value: '10_000',
    local: 'an answer with the keys of a service',
  },
  'domain/buying/intents/decide/payment-proofs.ts typedCodesBudgetMs': {
    value: '4_000',
    local: 'an answer of the vault',
  },
  'contract/refusals-in-a-row.ts refusalSeconds': {
    value: '3_600',
    shownBy: 'domain/buyers/payment-methods/refusals.http.test.ts',
  },
  'contract/card-limits.ts windowSeconds': { value: '3600', shownBy: '../test/flows/vault-door.test.ts' },
  'vault/card-records.ts unclaimedMs': {
    value: '3_600_000',
    shownBy: '../test/flows/vault-kept-cards.test.ts',
  },
  'vault/vault.sql.ts interval': { value: '1 minute', shownBy: '../test/flows/vault-kept-cards.test.ts' },
  'vault/card-sessions.ts knownMs': { value: '1_000', local: 'how long a session is known without a look' },
  'vault/public-door.ts requestMs': { value: '10_000', local: 'a request of a browser' },
  'vault/public-door.ts lingerMs': { value: '1_000', local: 'how long a connection outlives a stop' },
  'vault/public-door.ts preflightSeconds': { value: '7_200', local: 'what a browser remembers' },
}
