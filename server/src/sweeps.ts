import { sweepChecks } from './domain/readiness/integration-checks/sweep-checks.ts'
import { sweepImports } from './domain/selling/catalog-imports/sweep-imports.ts'
import { sweepDeliveries } from './domain/webhooks/destinations/sweep-deliveries.ts'
import { sweepSecrets } from './domain/webhooks/destinations/sweep-secrets.ts'
import { sweepIdempotencyKeys } from './platform/idempotency/sweep-keys.ts'
import type { Sweep } from './platform/retention/sweep.ts'

/**
 * All that is kept for a time only. What is not here is kept: events as long as their object, the audit chain for ever, and whatever says
 * what was bought, charged, held and given back.
 */
export const sweeps: readonly Sweep[] = [
  sweepIdempotencyKeys,
  sweepDeliveries,
  sweepImports,
  sweepChecks,
  sweepSecrets,
]
