import { sweepImports } from './features/catalog-imports/sweep-imports.ts'
import { sweepDeliveries } from './features/destinations/sweep-deliveries.ts'
import { sweepSecrets } from './features/destinations/sweep-secrets.ts'
import { sweepChecks } from './features/integration-checks/sweep-checks.ts'
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
