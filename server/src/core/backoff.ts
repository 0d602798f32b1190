/** Seconds from the failure of the first attempt to each retry of a delivery (contract section 4.1). */
export const deliveryRetrySeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** Retries of `quote.requested` inside its ten-second window, seconds from the first attempt. */
export const quoteRetrySeconds = [1, 3, 6] as const

/** `seconds` spread by ±20 %; `unit` is a random number in [0, 1). */
export function jittered(seconds: number, unit: number): number {
  return seconds * (0.8 + 0.4 * unit)
}

/** Exponential: base, 2 base, 4 base … never above `maxSeconds`. `attempt` starts at 1. */
export function exponentialSeconds(attempt: number, baseSeconds: number, maxSeconds: number): number {
  return Math.min(maxSeconds, baseSeconds * 2 ** Math.min(attempt - 1, 30))
}

export function after(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000)
}
