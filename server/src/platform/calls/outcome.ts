import type { DownloadReply, StreamReply } from '../../contract/operation.ts'
import type { Refusal } from '../../contract/problem.ts'

/** How a call ended. A surface says it in its dialect. */
export type Outcome = (Answered | Refused | (StreamReply & { readonly kind: 'stream' }) | Downloaded) & {
  /** How long the call waited for something to happen, where it did. */
  waitedMs?: number
}

export type Answered = {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The object that was answered, as JSON. */
  readonly body: string
  /** An earlier request of the same idempotency key had this answer. */
  readonly isReplayed: boolean
}

export type Refused = {
  readonly kind: 'refused'
  readonly refusal: Refusal
  /** The request that was refused: of a replay the first one. */
  readonly requestId: string
  readonly isReplayed: boolean
}

export type Downloaded = { readonly kind: 'download'; readonly download: DownloadReply }

export function refusedWith(refusal: Refusal, requestId: string): Refused {
  return { kind: 'refused', refusal, requestId, isReplayed: false }
}
