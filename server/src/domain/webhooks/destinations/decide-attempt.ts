import type { Audience } from '../../../contract/event.ts'
import { deliveryRetrySeconds, jittered, quoteRetrySeconds } from '../../../core/backoff.ts'

/** The result of a call: a status, or why there is none. A status with an error is an answer that was not read to its end. */
export type Answer = {
  httpStatus: number | null
  error: string | null
  retryAfterSeconds: number | null
}

export type Verdict =
  | { result: 'succeeded' }
  | { result: 'failed'; delaySeconds: number; isGone: boolean }
  | { result: 'exhausted'; isGone: boolean }

/** The longest wait that a receiver can ask for, in seconds. */
const retryAfterMaxSeconds = 86_400

/**
 * Any 2xx acknowledges, whatever its body is and even if it was not read to its end; everything else is tried again. `attempt` is the
 * number of this attempt in its series, from 1. `unit`, a number in [0, 1) that only a failure asks for, spreads the wait.
 */
export function decideAttempt(answer: Answer, attempt: number, unit: () => number): Verdict {
  const { httpStatus, retryAfterSeconds } = answer
  if (isAcknowledged(httpStatus)) return { result: 'succeeded' }
  const isGone = httpStatus === 410
  const wait = deliveryRetrySeconds[attempt - 1]
  // guard deliveries-end: a delivery is tried as often as it says, and then visibly no more
  if (wait === undefined) return { result: 'exhausted', isGone }
  const asked = Math.min(retryAfterSeconds ?? 0, retryAfterMaxSeconds)
  return { result: 'failed', delaySeconds: Math.max(jittered(wait, unit()), asked), isGone }
}

/**
 * The same for a test by which an endpoint confirms itself: it is repeated, at the longest interval, until the endpoint has confirmed.
 */
export function decideConfirmation(answer: Answer, attempt: number, unit: () => number): Verdict {
  return decideAttempt(answer, Math.min(attempt, deliveryRetrySeconds.length), unit)
}

/**
 * The same for a request that somebody waits for: it is tried again only within its window, at fixed moments after it was sent;
 * `ageSeconds` is its age when the answer arrived. A 3xx or 4xx is final, unless it says that this was the wrong moment.
 */
export function decideUrgentAttempt(answer: Answer, attempt: number, ageSeconds: number): Verdict {
  const { httpStatus, retryAfterSeconds } = answer
  if (isAcknowledged(httpStatus)) return { result: 'succeeded' }
  const exhausted = { result: 'exhausted', isGone: httpStatus === 410 } as const
  const at = quoteRetrySeconds[attempt - 1]
  if (isLastWord(httpStatus) || at === undefined) return exhausted
  const delaySeconds = Math.max(at - ageSeconds, retryAfterSeconds ?? 0, 0)
  if (ageSeconds + delaySeconds > urgentWindowSeconds - answerSecondsMin) return exhausted
  return { result: 'failed', delaySeconds, isGone: false }
}

/** For how many seconds a request that somebody waits for is tried. */
export const urgentWindowSeconds = 10

/** With less time than this left, no merchant can answer. A timer may also end an attempt a moment before the window does. */
const answerSecondsMin = 0.05

/** Whether a status says that trying again is useless. */
function isLastWord(httpStatus: number | null): boolean {
  return httpStatus !== null && httpStatus >= 300 && httpStatus < 500 && ![408, 425, 429].includes(httpStatus)
}

/** After how many days of nothing but failures a destination is disabled. */
const failingDaysMax = 5

export function isFailingTooLong(failingSince: Date | null, now: Date): boolean {
  // guard failing-destinations-end: a destination that only fails is disabled
  return failingSince !== null && now.getTime() - failingSince.getTime() >= failingDaysMax * 86_400_000
}

/** Whether somebody waits for its answer; the event about it for the buyer's side can wait. */
export function isUrgent({ audience, event_type }: { audience: Audience; event_type: string }): boolean {
  return audience === 'merchant' && event_type === 'quote.requested'
}

function isAcknowledged(httpStatus: number | null): boolean {
  // guard redirects-are-failures: a redirect leads nowhere and acknowledges nothing
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300
}
