import { sweepImports } from './features/catalog-imports/sweep-imports.ts'
import { sweepDeliveries } from './features/destinations/sweep-deliveries.ts'
import { sweepSecrets } from './features/destinations/sweep-secrets.ts'
import { sweepChecks } from './features/integration-checks/sweep-checks.ts'
import { sweepIdempotencyKeys } from './platform/idempotency/sweep-keys.ts'
import { runSweep, type SweepDeps } from './platform/retention/run-sweep.ts'
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

/** All of it at once, for an operator who asks for it. */
export const sweepTask = {
  name: 'sweep',
  async run(deps: SweepDeps): Promise<{ rows: number }> {
    let rows = 0
    for (const sweep of sweeps) rows += (await runSweep(deps, sweep)).rows
    return { rows }
  },
} as const
