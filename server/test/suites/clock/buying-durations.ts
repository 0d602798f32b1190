import { shoppingDurations } from './shopping-durations.ts'

const shownBy = 'domain/buying/execution/place/decide-stranger.test.ts'
const byMessages = 'server/src/surfaces/ucp/order-messages.http.test.ts'

const byDisputes = '../test/flows/disputes.test.ts'
const byFeed = '../test/flows/rail-movements.test.ts'

/** Those of buying, of its policies and of merchants elsewhere. */
export const buyingDurations = {
  'domain/buying/execution/lifetimes.ts codeMinutes': {
    value: '10',
    shownBy: '../test/flows/sign-in-purchase.test.ts',
  },
  ...shoppingDurations,
  'domain/policies/periods.ts dayMs': { value: '86_400_000', edge: 'windows' },
  'domain/policies/periods.ts hourMs': { value: '3_600_000', shownBy: 'domain/policies/periods.test.ts' },
  'domain/policies/periods.ts zonesApartMs': {
    value: '93_600_000',
    shownBy: 'domain/policies/periods.test.ts',
  },
  'protocols/ucp/verify-message.ts offMaxMs': {
    value: '300_000',
    shownBy: 'protocols/ucp/message-signature.test.ts',
  },
  'domain/buying/intents/decide/input-field.ts inputHours': {
    value: '24',
    shownBy: '../test/flows/told-merchants.test.ts',
  },
  'domain/policies/windows.sql.ts interval': {
    value: '2 days',
    shownBy: 'domain/policies/sweep-windows.test.ts',
  },
  'domain/buying/execution/offer/hear-offer.ts questionSeconds': {
    value: '30',
    shownBy: 'domain/buying/execution/offer/hear-offer.test.ts',
  },
  'domain/buying/execution/step.ts personMaxSeconds': {
    value: '20',
    shownBy: 'domain/buying/execution/place/decide-reconcile.test.ts',
  },
  'domain/buying/execution/step.ts roomMaxSeconds': {
    value: '15',
    shownBy: 'domain/buying/execution/decide-step.test.ts',
  },
  'domain/buying/execution/step.ts fundsSeconds': {
    value: '30',
    shownBy: '../test/flows/live-pages.test.ts',
  },
  'domain/buying/looks/work.ts crowdedSecondsMax': {
    value: '600',
    local:
      'how long a look without room is tried; nothing is bought by it, and the next question begins another',
  },
  'domain/buying/execution/step.ts strangerChargesSeconds': { value: '60', shownBy },
  'domain/buying/execution/step.ts strangerReleasesSeconds': { value: '30', shownBy },
  'domain/buying/execution/step.ts strangerGiveUpSeconds': { value: '40', shownBy },
  'domain/buying/execution/step.ts strangerSettlesSeconds': { value: '30 * 86_400', shownBy },
  'domain/buying/execution/step.ts settlingMaxSeconds': { value: '3600', shownBy },
  'domain/buying/rail-movements/read-feed.ts newsSeconds': { value: '2', shownBy: byFeed },
  'domain/buying/rail-movements/read-feed.ts idleMaxSeconds': { value: '60', shownBy: byFeed },
  'domain/buying/rail-movements/read-feed.ts matchedSeconds': { value: '600', shownBy: byFeed },
  'domain/buying/rail-movements/movements.sql.ts interval': { value: '24 hours', shownBy: byFeed },
  'cli/commands/rail-fallback.ts confirmedDays': {
    value: '90',
    shownBy: 'cli/commands/rail-fallback.test.ts',
  },
  'cli/commands/rail-fallback.ts dayMs': {
    value: '86_400_000',
    shownBy: 'cli/commands/rail-fallback.test.ts',
  },
  'domain/buying/disputes/take-event.ts knownWithinMs': { value: '15 * 60_000', shownBy: byDisputes },
  'domain/buying/disputes/read-events.ts lookAgainSeconds': { value: '300', shownBy: byDisputes },
  'domain/buying/disputes/follow-dispute.ts sendAgainSeconds': { value: '30', shownBy: byDisputes },
  'domain/buying/disputes/follow-dispute.ts payAgainSeconds': {
    value: '3_600',
    local: 'when the account of the operator is tried again; follow-dispute.test.ts sees that it is',
  },
  'domain/buying/disputes/run-dispute.ts lookAgainSeconds': {
    value: '6 * 3_600',
    local: 'how often an open dispute is looked at of which nothing is told',
  },
  'domain/buying/disputes/run-dispute.ts readAgainSeconds': {
    value: '60',
    local: 'when a rail is asked again that could not be read',
  },
  'domain/buying/disputes/feed.sql.ts interval': { value: '5 days', shownBy: byDisputes },
  'domain/buying/rails/timing.ts renewMs': {
    value: '5_000',
    local: 'how often a worker renews the lease of a row while it makes a long call',
  },
  'domain/selling/payouts/work.ts pollMs': { value: '5_000', local: 'how often a process looks' },
  'rails/stripe/issue-card.ts issuedWithinDays': {
    value: '31',
    local: 'how far back cards are looked for, thirty times as long as one can be good',
  },
  'rails/stripe/webhook-signature.ts toleranceSeconds': {
    value: '300',
    shownBy: 'rails/stripe/authorization-request.test.ts',
  },
  'surfaces/inbound/card-authorizations.ts answerWithinMs': {
    value: '1_500',
    local: 'an answer that somebody waits for; card-authorizations.http.test.ts sees it end',
  },
  'surfaces/inbound/card-authorizations.ts writtenAfterMs': {
    value: '250',
    local:
      'an answer that somebody waits for; card-authorizations.http.test.ts sees one that comes within it',
  },
  'domain/buying/cart-results/cart-result.ts resultDays': {
    value: '30',
    shownBy: 'domain/buying/cart-results/get-cart-result.http.test.ts',
  },
  'domain/buying/cart-results/cart-result.ts dayMs': {
    value: '86_400_000',
    shownBy: 'domain/buying/cart-results/get-cart-result.http.test.ts',
  },
  'platform/retention/retention.ts resultDays': {
    value: '30',
    shownBy: 'domain/buying/cart-results/get-cart-result.http.test.ts',
  },
  'domain/buying/evidence/evidence.ts evidenceDays': {
    value: '30',
    shownBy: 'domain/buying/evidence/purchase-intent-evidence.http.test.ts',
  },
  'domain/buying/evidence/evidence.ts dayMs': {
    value: '86_400_000',
    shownBy: 'domain/buying/evidence/purchase-intent-evidence.http.test.ts',
  },
  'platform/retention/retention.ts evidenceDays': {
    value: '30',
    shownBy: 'domain/buying/evidence/purchase-intent-evidence.http.test.ts',
  },
  'domain/buying/stranger-orders/stranger-orders.sql.ts interval': { value: '24 hours', shownBy: byMessages },
  'surfaces/ucp/order-messages.ts oldestMs': { value: '3 * 86_400_000', shownBy: byMessages },
  'surfaces/ucp/order-messages.ts aheadMs': { value: '300_000', shownBy: byMessages },
  'surfaces/ucp/order-messages.ts fullRetrySeconds': { value: '600', shownBy: byMessages },
  'surfaces/ucp/order-messages.ts unknownRetrySeconds': { value: '5', shownBy: byMessages },
  'domain/chats/runner/run-chat.ts leaseSeconds': {
    value: '30',
    local: 'a lease of work; leases.test.ts has both sides of one',
  },
  'domain/chats/runner/run-chat.ts renewMs': { value: '8_000', local: 'how often a lease is renewed' },
  'domain/chats/runner/run-chat.ts marginMs': {
    value: '2_000',
    local: 'what must be left of a lease before a call',
  },
  'domain/chats/runner/run-chat.ts stopLookMs': {
    value: '1_000',
    local: 'how often a run that thinks looks whether it is stopped; models.http.test.ts stops one',
  },
  'domain/chats/runner/work.ts afterMs': {
    value: '1000',
    local: 'after which a step gives its place to another',
  },
  'domain/chats/streams/follow-chat.ts heartbeatMs': { value: '15_000', local: 'a sign of life on a stream' },
  'domain/chats/post-message.ts windowSeconds': {
    value: '1',
    local: 'a number at once has no time: the answer says a second',
  },
  'domain/chats/post-message.ts retryAfterSeconds': {
    value: '2',
    local: 'advice to a client; nothing waits for it',
  },
  'platform/retention/retention.ts chatDays': {
    value: '365',
    local: 'days after which a chat is deleted; chats.http.test.ts sees one of an archived profile go',
  },
  'platform/retention/retention.ts messageDays': { value: '30', shownBy: byMessages },
  'domain/buying/looks/work.ts longestLookMs': {
    value: '60_000',
    local: 'how long a shop has to answer a look',
  },
  'domain/buying/looks/work.ts longestDemoMs': {
    value: '120_000',
    local: 'the same where each step is filled in for a buyer who is made up',
  },
  'domain/buying/looks/work.ts leaseSeconds': {
    value: '150',
    local: 'how long a worker holds a look; longer than the longest one',
  },
  'domain/buying/looks/work.ts crowdedSeconds': {
    value: '1',
    local: 'how soon a look at a host that has enough of them is tried again',
  },
  'domain/buying/looks/work.ts seenSeconds': {
    value: '600',
    shownBy: '../test/flows/looking.test.ts',
  },
  'domain/buying/looks/work.ts awaySeconds': {
    value: '10',
    local: 'how soon a shop that did not answer a look may be asked again',
  },
  'domain/buying/looks/ask-looks.ts lookWaitMs': {
    value: '25_000',
    local: 'how long a request waits for looks',
  },
  'domain/buying/looks/ask-looks.ts lookRetrySeconds': {
    value: '5',
    local: 'how soon a caller that waited in vain asks again',
  },
  'domain/buying/looks/ask-looks.ts probeMs': {
    value: '200',
    local: 'how often a request that waits for looks reads whether they are answered',
  },
} as const
