import { browserChannel } from './channels/browser/browser.ts'
import { browserLooks } from './channels/browser/look.ts'
import { mppChannel } from './channels/mpp/mpp.ts'
import { simulatedChannel } from './channels/simulated/simulated.ts'
import { ucpChannel, ucpLooks } from './channels/ucp/ucp.ts'
import { standsOn } from './contract/operation.ts'
import { apiKeys } from './domain/accounts/api-keys/slice.ts'
import { controls } from './domain/accounts/controls/slice.ts'
import { liveLimits } from './domain/accounts/live-limits/slice.ts'
import { people } from './domain/accounts/people/slice.ts'
import { cardSetups } from './domain/buyers/card-setups/slice.ts'
import { elements } from './domain/buyers/elements/slice.ts'
import { onboardingLinks } from './domain/buyers/onboarding-links/slice.ts'
import { paymentMethods } from './domain/buyers/payment-methods/slice.ts'
import { profiles } from './domain/buyers/profiles/slice.ts'
import { shopAnswers } from './domain/buyers/shop-answers/slice.ts'
import { wallets } from './domain/buyers/wallets/slice.ts'
import { approvalLinks } from './domain/buying/approval-links/slice.ts'
import { cardAuthorizations } from './domain/buying/card-authorizations/slice.ts'
import { cartResults } from './domain/buying/cart-results/slice.ts'
import { channels as buyingChannels } from './domain/buying/channels/slice.ts'
import { credentialTickets } from './domain/buying/credential-tickets/slice.ts'
import { disputes } from './domain/buying/disputes/slice.ts'
import { evidence } from './domain/buying/evidence/slice.ts'
import { evidenceBundles } from './domain/buying/evidence-bundles/slice.ts'
import { purchaseHolds, purchaseMoves } from './domain/buying/execution/public.ts'
import { execution } from './domain/buying/execution/slice.ts'
import { intents } from './domain/buying/intents/slice.ts'
import { looks } from './domain/buying/looks/slice.ts'
import { native } from './domain/buying/native/slice.ts'
import { paymentTokens } from './domain/buying/payment-tokens/slice.ts'
import { railMovements } from './domain/buying/rail-movements/slice.ts'
import { rails as paymentRails } from './domain/buying/rails/slice.ts'
import { refunds } from './domain/buying/refunds/slice.ts'
import { standingBudgets } from './domain/buying/standing-budgets/slice.ts'
import { strangerOrders } from './domain/buying/stranger-orders/slice.ts'
import { verifications } from './domain/buying/verifications/slice.ts'
import { chats } from './domain/chats/slice.ts'
import { attributions } from './domain/discovery/attributions/slice.ts'
import { listings } from './domain/discovery/listings/slice.ts'
import { mppCatalog } from './domain/discovery/mpp-catalog/slice.ts'
import { registry } from './domain/discovery/registry/slice.ts'
import { sources } from './domain/discovery/sources/slice.ts'
import { ucpCatalog } from './domain/discovery/ucp-catalog/slice.ts'
import { policies } from './domain/policies/slice.ts'
import { integrationChecks } from './domain/readiness/integration-checks/slice.ts'
import { merchantReadiness } from './domain/readiness/merchant-readiness/slice.ts'
import { catalog } from './domain/selling/catalog/slice.ts'
import { catalogImports } from './domain/selling/catalog-imports/slice.ts'
import { checkouts } from './domain/selling/checkouts/slice.ts'
import { locations } from './domain/selling/locations/slice.ts'
import { markets } from './domain/selling/markets/slice.ts'
import { merchant } from './domain/selling/merchant/slice.ts'
import { mppApis } from './domain/selling/mpp-apis/slice.ts'
import { paidOrders } from './domain/selling/paid-orders/slice.ts'
import { payouts } from './domain/selling/payouts/slice.ts'
import { pricing } from './domain/selling/pricing/slice.ts'
import { promotions } from './domain/selling/promotions/slice.ts'
import { rateCards } from './domain/selling/rate-cards/slice.ts'
import { saleHolds, saleMoves } from './domain/selling/sales/public.ts'
import { sales } from './domain/selling/sales/slice.ts'
import { refundMoves } from './domain/trade/orders/public.ts'
import { orders } from './domain/trade/orders/slice.ts'
import { quotes } from './domain/trade/quotes/slice.ts'
import { destinations } from './domain/webhooks/destinations/slice.ts'
import exampleAnswers from './example-answers.json' with { type: 'json' }
import type { Invariant } from './platform/audit/invariants.ts'
import { platformInvariants } from './platform/audit/platform-invariants.ts'
import type { BoundAgents } from './platform/calls/bound-agent.ts'
import { sweepIdempotencyKeys } from './platform/idempotency/sweep-keys.ts'
import type { MaintenanceTask } from './platform/maintenance/maintenance.ts'
import { sweepTask } from './platform/maintenance/sweep-task.ts'
import type { Sweep } from './platform/retention/sweep.ts'
import { boundAgentsOf } from './platform/slices/bound-agents.ts'
import { composeSlices } from './platform/slices/slice.ts'
import { failingInvariants } from './platform/work/failing-invariants.sql.ts'
import { forgetWorkers } from './platform/work/forget-workers.ts'
import { linkRail } from './rails/link/link.ts'
import { sandboxRail } from './rails/sandbox/sandbox.ts'
import { liveStripeRail, stripeRail } from './rails/stripe/stripe.ts'
import { stripeIssuer } from './rails/stripe/token-issuer.ts'
import { aboutDocuments, documentsTag } from './surfaces/http/public-document.ts'
import { keySetDocuments } from './surfaces/key-set/key-set.ts'
import { mppDocuments } from './surfaces/mpp/described-documents.ts'
import { ucpDocuments } from './surfaces/ucp/described-documents.ts'
import { introduction } from './surfaces/v1/introduction.ts'

/** Every slice, in the order of the reference. */
const composed = composeSlices([
  apiKeys,
  profiles,
  shopAnswers,
  paymentMethods,
  cardSetups,
  wallets,
  elements,
  policies,
  controls,
  liveLimits,
  people,
  intents,
  credentialTickets,
  approvalLinks,
  paymentRails,
  buyingChannels,
  native,
  railMovements,
  execution,
  cardAuthorizations,
  refunds,
  disputes,
  paymentTokens,
  standingBudgets,
  verifications,
  cartResults,
  evidence,
  evidenceBundles,
  strangerOrders,
  looks,
  merchant,
  payouts,
  catalog,
  locations,
  markets,
  rateCards,
  catalogImports,
  promotions,
  pricing,
  onboardingLinks,
  destinations,
  orders,
  quotes,
  sales,
  checkouts,
  paidOrders,
  mppApis,
  integrationChecks,
  merchantReadiness,
  attributions,
  sources,
  listings,
  registry,
  ucpCatalog,
  mppCatalog,
  chats,
])

/** What the slices are together, the documents that surfaces serve beside them, and what the reference begins with and shows. */
export const product = {
  ...composed,
  documents: [...ucpDocuments, ...mppDocuments, ...keySetDocuments],
  tags: new Map([...composed.tags, [documentsTag, aboutDocuments]]),
  introduction,
  answers: exampleAnswers,
}

export const { slices, events, queues, followers } = product

/** The operations of the public interface. */
export const operations = product.operations.filter(
  (operation) => standsOn(operation, 'v1') || standsOn(operation, 'mcp'),
)

/** Those and the ones that only callers in other protocols know. */
export const everyOperation = product.operations

/** Every way of buying at merchants elsewhere: a folder in `channels/`, and its place here. */
export const channels = [ucpChannel, mppChannel, browserChannel, simulatedChannel]

/** Every way of looking at them before anything is bought, beside its way of buying. */
export const lookers = [ucpLooks, browserLooks]

/**
 * Every payment rail: a folder in `rails/`, and its place here. The first one that serves a mode holds the money of all its accounts from
 * now on. What another one holds, it captures and gives back: it stays listed as long as it holds anything. One of wallets pays beside it,
 * for buyers who pay by their wallet.
 */
export const rails = [sandboxRail, liveStripeRail, linkRail]

/** Every rail that charges what other payment networks have issued to merchants here, in the same way. */
export const sharedTokenRails = [stripeRail('test'), stripeRail('live')]

/** Every issuer of shared payment tokens, which purchases pay by where a merchant takes nothing else. */
export const tokenIssuers = [stripeIssuer('test'), stripeIssuer('live')]

/** The rows that say what rails hold. */
export const railHolds = [purchaseHolds, saleHolds]

/** Rows that say what a payment rail has captured and given back. */
export const railMoves = [purchaseMoves, saleMoves, refundMoves]

/** Everything `prokura audit` checks. */
export const invariants: readonly Invariant[] = [
  ...platformInvariants,
  ...product.invariants,
  ...failingInvariants(queues),
]

/**
 * All rows that are kept for a limited time. Others are kept: events as long as their object, the audit chain for ever, and everything
 * that says what was bought, charged, held and refunded.
 */
export const sweeps: readonly Sweep[] = [sweepIdempotencyKeys, ...product.sweeps]

/** What an agent that is bound to one profile may see, slice by slice. */
export const boundAgents: BoundAgents = boundAgentsOf(product)

/** Everything that is removed after its time, in the order in which it is searched. Workers sweep as well, more slowly. */
export const maintenanceTasks: readonly MaintenanceTask[] = [forgetWorkers, ...sweeps.map(sweepTask)]
