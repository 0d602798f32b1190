import type { PaymentRail } from '../domain/buying/rails/port.ts'
import { createEgress } from '../platform/egress/egress.ts'
import { createSandboxRail, sandboxRail } from '../rails/sandbox/sandbox.ts'

/** A rail for a command that asks it while workers use it too. */
type OpenedRail = { name: string; rail: PaymentRail; close(): Promise<void> }

/** Test mode's payment processor. */
export function openTestRail(railUrl: string): OpenedRail {
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [new URL(railUrl).origin] })
  const rail = createSandboxRail({ url: railUrl, egress })
  return { name: sandboxRail.name, rail, close: () => egress.close() }
}
