import type { WorkKind } from '../../../platform/work/work.ts'
import { type ClaimedChat, chatLeases, claimDueChats } from '../chats.sql.ts'
import type { RunnerDeps } from './means.ts'
import { chatTiming, runChat } from './run-chat.ts'

/** Chats in which something is to be answered. */
export function chatWork(deps: RunnerDeps): WorkKind<ClaimedChat> {
  return {
    kind: 'chats',
    leaseSeconds: chatTiming.leaseSeconds,
    concurrency: 24,
    // Most of the time of a step is a model's.
    slow: { afterMs: 1000, places: 48 },
    slowPerAccount: 16,
    claim: claimDueChats,
    ...chatLeases,
    step: (ctx, claimed) => runChat(ctx, claimed, deps),
  }
}
