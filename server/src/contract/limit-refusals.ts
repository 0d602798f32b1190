import { Problem } from './problem.ts'

type Exceeded = {
  /** Names the limit, as clients see it: `api_key`, `ip`, `account.streams` … */
  scope: string
  limit: number
  /** The seconds over which it is counted; 1 for a number at once. */
  windowSeconds: number
  retryAfterSeconds: number
}

/** 429: a rate, or a number of things at once. Nothing was done. */
export function rateLimited({ scope, limit, windowSeconds, retryAfterSeconds }: Exceeded): Problem {
  const retryAfter = Math.max(1, Math.ceil(retryAfterSeconds))
  return new Problem('rate_limited', {
    headers: {
      'retry-after': String(retryAfter),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-window': String(windowSeconds),
    },
    extra: { limit, window_seconds: windowSeconds, retry_after_seconds: retryAfter, scope },
  })
}

/** 503: time or places ran out before anything was done. */
export function busy(retryAfterSeconds = 1): Problem {
  return new Problem('busy', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })
}
