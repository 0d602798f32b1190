import { exponentialSeconds } from '../../../core/backoff.ts'
import { type PutOff, putOff } from '../../../core/put-off.ts'
import type { NotNow, RailCall } from './port.ts'

/** How many seconds a callee is left alone at most, before it is called again. */
export const againPace = {
  retryMaxSeconds: 60,
  /** Releases and refunds are tried for ever; while they are turned away, at least this often. */
  releaseMaxSeconds: 900,
  /** The longest wait, even where a callee asks for a longer one. */
  retryAfterMaxSeconds: 900,
} as const

type Step = RailCall['step'] | 'place'

/** How many seconds a call waits that was made `attempt` times. */
export function backoffSeconds(attempt: number): number {
  return exponentialSeconds(Math.max(1, attempt), 1, againPace.retryMaxSeconds)
}

/** How many seconds a call waits that was turned away `count` times in a row. */
export function putOffSeconds(step: Step, count: number, retryAfterSeconds: number | null): number {
  const isRelease = step === 'void' || step === 'revoke' || step === 'refund'
  const own = exponentialSeconds(
    Math.max(1, count),
    1,
    isRelease ? againPace.releaseMaxSeconds : againPace.retryMaxSeconds,
  )
  // guard retry-after-is-bounded: a callee that asks to be left alone is not left alone for ever
  return Math.max(own, Math.min(retryAfterSeconds ?? 0, againPace.retryAfterMaxSeconds))
}

/** How long a call waits that was turned away once more. */
export function putOffBy(
  now: Date,
  { step, put_off }: { readonly step: Step; readonly put_off: PutOff | null },
  { reason, retryAfterSeconds }: NotNow,
): PutOff {
  const isCounted = reason !== 'circuit_open'
  const count = (put_off?.count ?? 0) + (isCounted ? 1 : 0)
  const seconds = isCounted ? putOffSeconds(step, count, retryAfterSeconds) : (retryAfterSeconds ?? 1)
  return putOff(put_off, { now, seconds, reason, isCounted })
}
