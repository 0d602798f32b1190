import type { Dispute, Memory } from '../memory.ts'

export const endedStatuses: readonly Dispute['status'][] = ['warning_closed', 'won', 'lost']

/** The bank has the money: nothing can be given back a second time. */
export function isChargedBack({ disputes }: Memory, intent: string): boolean {
  return [...disputes.values()].some(
    (one) => one.payment_intent === intent && one.withdrawn_ms !== null && one.reinstated_ms === null,
  )
}
