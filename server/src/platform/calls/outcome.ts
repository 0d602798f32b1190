import type { DownloadReply, Reply, StreamReply } from '../../contract/operation.ts'
import type { Refusal } from '../../contract/problem.ts'
import { visibleJson } from '../../core/visible-text.ts'

/** How a call ended. A surface says it in its dialect. */
export type Outcome = (Answered | Refused | (StreamReply & { readonly kind: 'stream' }) | Downloaded) & {
  /** How many milliseconds the call waited for something to happen, where it waited. */
  waitedMs?: number
}

export type Answered = {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The object that was answered, as JSON. */
  readonly body: string
  /** Whether an earlier request with the same idempotency key got this answer. */
  readonly isReplayed: boolean
}

export type Refused = {
  readonly kind: 'refused'
  readonly refusal: Refusal
  /** The request that was refused; for a replay, the first request. */
  readonly requestId: string
  readonly isReplayed: boolean
}

type Downloaded = { readonly kind: 'download'; readonly download: DownloadReply }

export function refusedWith(refusal: Refusal, requestId: string): Refused {
  return { kind: 'refused', refusal, requestId, isReplayed: false }
}

const noHeaders = {}

export function answered(
  { status, headers = noHeaders }: Pick<Reply, 'status' | 'headers'>,
  body: string,
): Answered {
  // Here texts reach their readers, whoever wrote them and whichever surface carries them.
  // guard seen-texts-alone: an answer says to a model what it says to a person
  return { kind: 'answered', status, headers, body: visibleJson(body), isReplayed: false }
}
