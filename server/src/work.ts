import { createSimulatedChannel } from './adapters/merchants/simulated.ts'
import { createSandboxRail } from './adapters/processors/sandbox.ts'
import { catalogImportWork } from './features/catalog-imports/work.ts'
import { followDeliveries } from './features/destinations/follow-deliveries.ts'
import { createDeliveryWork } from './features/destinations/work.ts'
import { cartWork, followDecisions, intentWork, refundWork } from './features/execution/public.ts'
import { checkWork } from './features/integration-checks/work.ts'
import { createDomainWork } from './features/merchant/work.ts'
import { onboardingWork } from './features/onboarding-links/work.ts'
import { orderWork } from './features/orders/work.ts'
import { followPromotedOrders } from './features/promotions/follow-orders.ts'
import { promotionWork, redemptionWork } from './features/promotions/work.ts'
import { followAddresses, followCreated } from './features/purchase-intents/public.ts'
import { failUnanswered } from './features/quotes/fail-unanswered.ts'
import { quoteWork } from './features/quotes/work.ts'
import { createEgress } from './platform/egress/egress.ts'
import { resolveForeignText } from './platform/egress/resolve-text.ts'
import type { Follower } from './platform/events/follower.ts'
import type { WorkKind } from './platform/work/work.ts'

export type WorkOptions = {
  /** Test mode's payment processor and shops; null: nothing can be bought in test mode. */
  railUrl: string | null
  sandboxUrl: string | null
  allowLoopback: boolean
}

/** Every kind of work and everything that follows from events. */
export type Work = { kinds: readonly WorkKind[]; followers: readonly Follower[]; close(): Promise<void> }

export function openWork({ railUrl, sandboxUrl, allowLoopback }: WorkOptions): Work {
  const egress = createEgress({
    allowLoopback: (mode) => allowLoopback && mode === 'test',
    trustedOrigins: [railUrl, sandboxUrl].flatMap((url) => (url === null ? [] : [new URL(url).origin])),
  })
  const execution = {
    rails: { test: railUrl === null ? null : createSandboxRail({ url: railUrl, egress }), live: null },
    simulated: sandboxUrl === null ? null : createSimulatedChannel({ shopsUrl: sandboxUrl, egress }),
  }
  return {
    kinds: [
      intentWork(execution),
      cartWork(execution),
      refundWork(execution),
      orderWork,
      quoteWork,
      catalogImportWork,
      onboardingWork,
      promotionWork,
      redemptionWork,
      checkWork,
      createDomainWork({ egress, resolveText: (name) => resolveForeignText(name) }),
      createDeliveryWork({ egress, wallNow: () => new Date(), onFailed: failUnanswered }),
    ],
    followers: [followDeliveries, followDecisions, followCreated, followAddresses, followPromotedOrders],
    close: () => egress.close(),
  }
}
