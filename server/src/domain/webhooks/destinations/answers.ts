import type { CallContext, Mode, Reads } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { recordResponse, selectRefusedResponse } from './deliveries.sql.ts'

type Asked = { accountId: Id<'acct'>; mode: Mode; destinationId: string; eventId: string }

/** Writes down, at once and even if the call fails later, that an answer to this delivery was refused. */
export async function recordRefusedAnswer(
  ctx: Pick<CallContext, 'commitNow' | 'now'>,
  asked: Asked,
): Promise<void> {
  await ctx.commitNow(recordResponse({ ...paramsOf(asked), accepted: false, now: ctx.now }))
}

/** Whether answers to this delivery arrived, and all were refused. */
export async function hasOnlyRefusedAnswers(reads: Pick<Reads, 'maybe'>, asked: Asked): Promise<boolean> {
  return (await reads.maybe(selectRefusedResponse(paramsOf(asked)))) !== null
}

function paramsOf({ accountId, mode, destinationId, eventId }: Asked) {
  return { account_id: accountId, mode, destination_id: destinationId, event_id: eventId }
}
