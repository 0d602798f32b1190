import { buyingDurations } from './buying-durations.ts'
import { elementsDurations } from './elements-durations.ts'
import { vaultDurations } from './vault-durations.ts'

/** One duration that the product promises or uses, and the edge of this suite that tests its last moment. */
type Placed =
  | { value: string; edge: string }
  | { value: string; local: string }
  | { value: string; shownBy: string }

/**
 * Every duration in the sources of the product, by file and name. `local`: it is counted on one process's own monotonic clock and nothing
 * that is stored depends on it. `shownBy`: a test elsewhere moves the clock over it. A duration that is added or changed fails the suite
 * until it stands here.
 */
export const durations: Readonly<Record<string, Placed>> = {
  ...buyingDurations,
  'main.ts lingerMs': {
    value: '250',
    local: 'how long a command that has failed waits for what it left open',
  },
  'contract/limit-refusals.ts retryAfterSeconds': {
    value: '1',
    local: 'when to come back, told where nobody knows',
  },
  'contract/limits.ts windowSeconds': {
    value: '60',
    shownBy: 'domain/discovery/listings/discovery-rates.http.test.ts',
  },
  ...elementsDurations,
  ...vaultDurations,
  'domain/discovery/sources/ask-source.ts sourceTimeoutMs': {
    value: '3_000',
    local: 'a source that is asked',
  },
  'domain/discovery/sources/catalog-sources.ts catalogsFreshMs': {
    value: '10_000',
    local: 'how often a process reads the list of merchants that may be asked',
  },
  'domain/discovery/sources/source-circuit.ts openMs': {
    value: '30_000',
    local: 'how long a failing source is left out by one process',
  },
  'domain/discovery/sources/source-circuit.ts openMsMax': {
    value: '600_000',
    local: 'how long a failing source is left out by one process',
  },
  'domain/discovery/listings/cursor.ts cursorMinutes': {
    value: '60',
    shownBy: 'domain/discovery/listings/cursor.test.ts',
  },
  'domain/buying/intents/read/await-change.ts waitSecondsMax': { value: '25', local: 'a request that waits' },
  'domain/buying/intents/read/await-change.ts quietMs': {
    value: '10_000',
    local: 'how often a request that waits looks, where no hint comes',
  },
  'domain/policies/policy-terms.ts approvalExpiresMinutesDefault': {
    value: '7 * 24 * 60',
    edge: 'approval',
  },
  'domain/selling/promotions/promotion.ts ttlMinutesMax': {
    value: '43_200',
    local: 'the most a merchant may write',
  },
  'domain/selling/promotions/work.ts leaseSeconds': {
    value: '30',
    local: 'two who end one promotion write it once',
  },
  'domain/selling/promotions/work.ts pollMs': { value: '1000', local: 'how often a process looks' },
  'domain/buyers/onboarding-links/link.ts linkHours': { value: '24', edge: 'onboarding link' },
  'domain/buyers/onboarding-links/link.ts formMinutes': { value: '30', edge: 'onboarding form' },
  'domain/buyers/onboarding-links/work.ts leaseSeconds': {
    value: '30',
    local: 'two who mark one link write it once',
  },
  'domain/buyers/onboarding-links/work.ts pollMs': { value: '5000', local: 'how often a process looks' },
  'domain/trade/orders/create-order.ts orderExpiryHours': { value: '24', edge: 'order answer' },
  'domain/trade/orders/work.ts leaseSeconds': { value: '30', edge: 'leases' },
  'domain/trade/orders/work.ts pollMs': { value: '1000', local: 'how often a process looks' },
  'domain/trade/orders/create-merchant-order-refund.ts refundWaitMs': {
    value: '3000',
    local: 'a request that waits',
  },
  'platform/audit/prove-event.ts earliestMs': {
    value: '60_000',
    local: 'where the search for an event in its chain begins; it goes on with the whole chain',
  },
  'platform/signatures/key-states.ts publishedAheadMs': {
    value: '3_600_000',
    shownBy: 'platform/signatures/key-states.test.ts',
  },
  'platform/signatures/key-states.ts retiredForMs': {
    value: '604_800_000',
    shownBy: 'platform/signatures/key-states.test.ts',
  },
  'platform/signatures/key-states.ts clocksApartMs': {
    value: '60_000',
    local: 'how far the clocks of two processes may be apart',
  },
  'platform/signatures/key-states.ts rotatedEveryMs': {
    value: '7_776_000_000',
    shownBy: 'platform/signatures/key-states.test.ts',
  },
  'platform/signatures/signing-keys.ts freshMs': {
    value: '10_000',
    local: 'for how long a process remembers the keys',
  },
  'platform/retention/retention.ts idempotencyDays': {
    value: '30',
    shownBy: 'server/test/flows/sweep.test.ts',
  },
  'platform/retention/retention.ts deliveriesDays': {
    value: '90',
    shownBy: 'server/src/domain/webhooks/destinations/sweep-deliveries.http.test.ts',
  },
  'platform/retention/retention.ts finishedWorkDays': {
    value: '7',
    shownBy: 'server/src/domain/selling/catalog-imports/sweep-imports.http.test.ts',
  },
  'platform/retention/retention.ts dayMs': {
    value: '86_400_000',
    shownBy: 'server/test/flows/sweep.test.ts',
  },
  'platform/retention/sweeper.ts lookMs': { value: '60_000', local: 'how often a process looks' },
  'platform/retention/sweeper.ts leaseSeconds': {
    value: '60',
    local: 'two who sweep take each row away once',
  },
  'platform/retention/sweeper.ts roundSeconds': { value: '3600', local: 'how often somebody sweeps' },
  'domain/discovery/attributions/attribution-id.ts attributionDays': {
    value: '90',
    shownBy: 'domain/discovery/attributions/confirm-impressions.http.test.ts',
  },
  'domain/discovery/attributions/attribution-id.ts dayMs': {
    value: '86_400_000',
    shownBy: 'domain/discovery/attributions/confirm-impressions.http.test.ts',
  },
  'platform/retention/retention.ts attributionDays': {
    value: '90',
    shownBy: 'domain/discovery/attributions/confirm-impressions.http.test.ts',
  },
  'domain/discovery/listings/invariants.sql.ts interval': {
    value: '60 seconds',
    shownBy: 'domain/discovery/listings/listed.http.test.ts',
  },
  'domain/trade/orders/invariants.sql.ts interval': { value: '60 seconds', edge: 'overdue' },
  'domain/webhooks/destinations/queue-test.ts storeSecretSeconds': {
    value: '2',
    shownBy: 'domain/webhooks/destinations/confirm-endpoint.http.test.ts',
  },
  'domain/webhooks/destinations/host-hour.ts hostWindowSeconds': {
    value: '3_600',
    shownBy: 'domain/webhooks/destinations/host-hour.http.test.ts',
  },
  'domain/webhooks/destinations/confirmations.sql.ts interval': {
    value: '1 h',
    shownBy: 'domain/webhooks/destinations/host-hour.http.test.ts',
  },
  'domain/selling/catalog-imports/work.ts leaseSeconds': { value: '30', edge: 'leases' },
  'domain/selling/catalog-imports/work.ts pollMs': { value: '2000', local: 'how often a process looks' },
  'domain/selling/catalog-imports/run-import.ts turnMs': { value: '5_000', local: 'one turn of a file' },
  'domain/buying/intents/invariants.sql.ts interval': { value: '60 seconds', edge: 'overdue' },
  'domain/buying/execution/invariants.sql.ts interval': { value: '1 hour', edge: 'unanswered call' },
  'cli/operator/trouble.sql.ts interval': { value: '1 hour', edge: 'unanswered call' },
  'domain/accounts/api-keys/revoke-key.ts overlapHoursMax': { value: '24', edge: 'key overlap' },
  'domain/buying/rails/rail-circuit.ts openSeconds': {
    value: '5',
    local: 'how long a process leaves a rail alone',
  },
  'domain/buying/rails/rail-circuit.ts openSecondsMax': {
    value: '60',
    local: 'how long a process leaves a rail alone',
  },
  'domain/buying/rails/rail-circuit.ts retryAfterMaxSeconds': {
    value: '900',
    local: 'how long a process leaves a rail alone',
  },
  'domain/buying/rails/rail-circuit.ts probeSeconds': {
    value: '10',
    local: 'how long a process waits for its one call',
  },
  'domain/buying/rails/rail-holds.ts settledMs': {
    value: '2 *',
    local: 'the time that an audit leaves to running work',
  },
  'domain/buying/rails/call-again.ts releaseMaxSeconds': {
    value: '900',
    shownBy: 'server/test/flows/rail-not-now.test.ts',
  },
  'domain/buying/rails/call-again.ts retryAfterMaxSeconds': {
    value: '900',
    shownBy: 'server/test/flows/rail-not-now.test.ts',
  },
  'domain/buying/execution/step.ts patienceSeconds': {
    value: '1800',
    shownBy: 'server/test/flows/rail-not-now.test.ts',
  },
  'domain/buying/intents/intent.ts approvalDays': {
    value: '7',
    shownBy: 'server/src/domain/buying/intents/retry/retry-decisions.http.test.ts',
  },
  'domain/buying/rails/timing.ts leaseSeconds': { value: '30', edge: 'leases' },
  'domain/buying/rails/timing.ts longestCallMs': { value: '8_000', edge: 'lost order' },
  'domain/buying/rails/timing.ts marginMs': { value: '1_000', edge: 'lost order' },
  'domain/buying/execution/lifetimes.ts authorizationDays': { value: '7', edge: 'authorization' },
  'domain/buying/execution/lifetimes.ts liveAuthorizationHours': {
    value: '114',
    shownBy: '../test/flows/live-purchase.test.ts',
  },
  'domain/buying/execution/lifetimes.ts credentialHours': { value: '24', edge: 'credential' },
  'domain/buying/execution/lifetimes.ts tokenMinutes': {
    value: '15',
    shownBy: 'server/test/flows/payment-token-times.test.ts',
  },
  'domain/buying/execution/lifetimes.ts claimedHours': {
    value: '25',
    shownBy: 'server/test/flows/payment-token-times.test.ts',
  },
  'domain/buying/intents/create/execution-method.ts tokenDays': {
    value: '7',
    shownBy: 'server/test/flows/payment-token-times.test.ts',
  },
  'domain/buying/payment-tokens/create-purchase-intent-payment-token.ts issueWaitMs': {
    value: '3000',
    local: 'a request that waits',
  },
  'domain/buying/execution/lifetimes.ts signInHours': { value: '24', edge: 'sign-in' },
  'domain/buying/execution/step.ts sweepSeconds': { value: '900', edge: 'paces' },
  'domain/buying/rails/call-again.ts retryMaxSeconds': { value: '60', edge: 'silent shop' },
  'domain/buying/execution/step.ts giveUpSeconds': { value: '900', edge: 'giving up' },
  'domain/buying/execution/step.ts holdMarginSeconds': { value: '3600', edge: 'authorization' },
  'domain/readiness/integration-checks/create-integration-check.ts checkMinutesMax': {
    value: '2',
    edge: 'integration check',
  },
  'domain/readiness/integration-checks/write-check.ts lookAgainSeconds': {
    value: '1',
    edge: 'integration check',
  },
  'domain/readiness/integration-checks/work.ts leaseSeconds': { value: '30', edge: 'integration check' },
  'domain/readiness/integration-checks/invariants.sql.ts interval': {
    value: '60 seconds',
    edge: 'overdue integration check',
  },
  'domain/selling/sales/decide-sale.ts giveUpSeconds': {
    value: '900',
    shownBy: 'domain/selling/sales/decide-sale.test.ts',
  },
  'domain/selling/sales/decide-sale.ts retryMaxSeconds': {
    value: '60',
    shownBy: 'domain/selling/sales/decide-sale.test.ts',
  },
  'domain/selling/sales/decide-sale.ts sweepSeconds': {
    value: '900',
    shownBy: 'domain/selling/sales/decide-sale.test.ts',
  },
  'domain/selling/sales/decide-sale.ts holdDays': {
    value: '7',
    shownBy: 'domain/selling/sales/decide-sale.test.ts',
  },
  'domain/selling/sales/invariants.sql.ts interval': {
    value: '60 seconds',
    shownBy: '../test/flows/sale-invariants.test.ts',
  },
  'domain/selling/sales/run-sale.ts longestCallMs': { value: '8_000', local: 'one call' },
  'domain/selling/sales/run-sale.ts marginMs': { value: '1_000', local: 'what one call leaves of a lease' },
  'domain/selling/sales/work.ts leaseSeconds': {
    value: '30',
    local: 'two who make one call make it under one key',
  },
  'domain/selling/sales/work.ts afterMs': { value: '1000', local: 'when a call counts as slow' },
  'domain/selling/checkouts/write-checkout.ts openHours': {
    value: '6',
    shownBy: '../test/flows/ucp-checkout.test.ts',
  },
  'domain/selling/checkouts/carts/change-cart.ts cartHours': {
    value: '72',
    shownBy: '../test/flows/ucp-cart.test.ts',
  },
  'domain/selling/checkouts/complete-checkout.ts completeWaitMs': {
    value: '5000',
    local: 'a request that waits',
  },
  'domain/selling/paid-orders/create-order.ts paymentWaitMs': {
    value: '8000',
    local: 'a request that waits',
  },
  'surfaces/mpp/run-paid.ts challengeMinutes': { value: '10', shownBy: 'flows/mpp-order.test.ts' },
  'domain/selling/checkouts/work.ts attemptTimeoutMs': { value: '10_000', local: 'one call' },
  'domain/selling/checkouts/work.ts marginMs': { value: '1_000', local: 'what one call leaves of a lease' },
  'domain/selling/checkouts/work.ts giveUpDays': {
    value: '3',
    shownBy: '../test/flows/ucp-order.test.ts',
  },
  'domain/selling/checkouts/work.ts leaseSeconds': {
    value: '30',
    local: 'two who tell of one order tell it under one id',
  },
  'domain/selling/checkouts/work.ts afterMs': { value: '1000', local: 'when a call counts as slow' },
  'domain/discovery/registry/decide-look.ts recheckHours': {
    value: '24',
    shownBy: 'domain/discovery/registry/look.http.test.ts',
  },
  'domain/discovery/registry/decide-look.ts retrySeconds': {
    value: '3600',
    shownBy: 'domain/discovery/registry/look.http.test.ts',
  },
  'domain/discovery/registry/read-document.ts siteTimeoutMs': { value: '5000', local: 'a call' },
  'domain/discovery/registry/look-at-host.ts strangerTimeoutMs': { value: '2000', local: 'a call' },
  'domain/discovery/registry/work.ts lookLeaseSeconds': {
    value: '30',
    local: 'of two who look at one site, one writes',
  },
  'domain/discovery/registry/work.ts pollMs': { value: '5000', local: 'how often a process looks' },
  'domain/selling/merchant/decide-verification.ts recheckHours': { value: '24', edge: 'domain proof' },
  'domain/selling/merchant/decide-verification.ts recheckMissingHours': { value: '1', edge: 'domain proof' },
  'domain/selling/merchant/decide-verification.ts missingDaysMax': { value: '7', edge: 'domain proof' },
  'domain/selling/merchant/decide-verification.ts hourMs': { value: '3_600_000', edge: 'domain proof' },
  'domain/selling/merchant/invariants.sql.ts interval': { value: '60 seconds', edge: 'domain proof' },
  'domain/selling/merchant/work.ts leaseSeconds': { value: '30', edge: 'domain proof' },
  'domain/selling/merchant/verify-merchant-domain.ts waitMs': {
    value: '6_000',
    local: 'a request that waits',
  },
  'domain/selling/merchant/domain-proof.ts fileTimeoutMs': { value: '5_000', local: 'one call' },
  'domain/selling/catalog-imports/create-import.ts uploadMinutesMax': {
    value: '60',
    shownBy: 'server/test/flows/limits.test.ts',
  },
  'domain/buying/intents/read/list-purchase-intent-events.ts heartbeatMs': {
    value: '15_000',
    local: 'a comment on an open stream',
  },
  'domain/webhooks/destinations/identify-signed-response.ts toleranceSeconds': {
    value: '60',
    edge: 'signature',
  },
  'domain/webhooks/destinations/secrets.ts overlapHours': { value: '24', edge: 'rotation' },
  'domain/webhooks/destinations/secrets.ts keptMs': { value: '60_000', local: 'an opened secret in memory' },
  'domain/webhooks/destinations/test-destination.ts waitMs': {
    value: '10_000',
    local: 'a request that waits',
  },
  'domain/webhooks/destinations/work.ts leaseSeconds': { value: '30', edge: 'delivery lease' },
  'domain/buying/execution/work.ts afterMs': {
    value: '1000',
    local: 'from when on a step leaves its place to another one',
  },
  'domain/webhooks/destinations/work.ts afterMs': {
    value: '1_000',
    local: 'when an attempt leaves its place to another',
  },
  'domain/webhooks/destinations/attempt.ts attemptTimeoutMs': { value: '15_000', local: 'one call' },
  'domain/webhooks/destinations/decide-attempt.ts retryAfterMaxSeconds': {
    value: '86_400',
    edge: 'retry after',
  },
  'domain/webhooks/destinations/decide-attempt.ts failingDaysMax': { value: '5', edge: 'failing' },
  'domain/webhooks/destinations/follow-deliveries.sql.ts interval': { value: '1 s', edge: 'subscription' },
  'domain/webhooks/destinations/delivery-work.sql.ts lookBackSeconds': {
    value: '10',
    edge: 'delivery lease',
  },
  'domain/webhooks/destinations/delivery-work.sql.ts interval': {
    value: '2 s',
    local: 'how far behind the last claim the next one begins',
  },
  'domain/webhooks/destinations/known-subscriptions.ts freshMs': {
    value: '5_000',
    local: 'how old what a process knows of subscriptions may be; their version decides',
  },
  'domain/webhooks/destinations/invariants.sql.ts interval': {
    value: '1 s',
    local: 'the time that an audit leaves to running work',
  },
  'core/backoff.ts deliveryRetrySeconds': {
    value: '[5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]',
    edge: 'retries',
  },
  'core/backoff.ts quoteRetrySeconds': { value: '[1, 3, 6]', edge: 'quote retries' },
  'domain/webhooks/destinations/decide-attempt.ts urgentWindowSeconds': {
    value: '10',
    edge: 'quote retries',
  },
  'domain/trade/quotes/request-quote.ts windowSeconds': { value: '10', edge: 'quote answer' },
  'domain/trade/quotes/request-quote.ts answerMinutes': { value: '15', edge: 'quote answer' },
  'domain/trade/quotes/quote-reply.ts retryAfterSeconds': {
    value: '2',
    local: 'advice to clients that poll',
  },
  'domain/trade/quotes/work.ts leaseSeconds': { value: '30', edge: 'leases' },
  'domain/trade/quotes/work.ts pollMs': { value: '1000', local: 'how often a process looks' },
  'domain/trade/quotes/invariants.sql.ts interval': { value: '60 seconds', edge: 'overdue' },
  'platform/secrets/keys.ts lockPatienceMs': {
    value: '5_000',
    local: 'how long a command waits for another one',
  },
  'platform/audit/platform-invariants.ts interval': { value: '60 seconds', edge: 'relay' },
  'platform/audit/verify-audit.ts tailSecondsMax': { value: '60', edge: 'relay' },
}
