import type { CardBank } from '../domain/buying/verifications/port.ts'
import type { Config } from '../platform/config/config.ts'
import { createEgress } from '../platform/egress/egress.ts'
import { createSandboxBank } from '../rails/sandbox/card-bank.ts'

type OpenedBank = { bank: CardBank; close(): Promise<void> }

/** The banks that the windows of this process send people to; null: there are none. */
export function openCardBank({ railUrl }: Pick<Config, 'railUrl'>): OpenedBank | null {
  if (railUrl === null) return null
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [new URL(railUrl).origin] })
  return { bank: createSandboxBank({ url: railUrl, egress }), close: () => egress.close() }
}
