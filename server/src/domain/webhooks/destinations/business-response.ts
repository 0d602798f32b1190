import type { ActingContext } from '../../../contract/context.ts'
import { recordResponse } from './deliveries.sql.ts'

/**
 * Queues the note on a delivery that its receiver answered, and whether that answer was accepted. For `ctx` of the merchant's tenant; of
 * one event only the first accepted answer is noted.
 */
export function recordBusinessResponse(
  ctx: ActingContext,
  answer: { destinationId: string; eventId: string; accepted: boolean },
): void {
  ctx.tx.write(
    recordResponse({
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      destination_id: answer.destinationId,
      event_id: answer.eventId,
      accepted: answer.accepted,
      now: ctx.now,
    }),
  )
}
