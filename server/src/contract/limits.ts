import { Problem } from './problem.ts'

type LimitSpec = {
  /** The setting that changes it. */
  readonly setting: `PROKURA_LIMIT_${string}`
  readonly default: number
  readonly max: number
  /** What is counted, over what, and what is answered beyond it. */
  readonly description: string
}

/** Every limit that one caller may not exceed, so that nobody can stop everybody. Each is a setting; docs/operations.md tells them. */
export const limitsTable = {
  streams: {
    setting: 'PROKURA_LIMIT_STREAMS',
    default: 50,
    max: 100_000,
    description: 'Event streams that one account and mode may have open at once, per API process.',
  },
  destinationTests: {
    setting: 'PROKURA_LIMIT_DESTINATION_TESTS',
    default: 5,
    max: 10_000,
    description:
      'Attempts of `destination.test` at one host in an hour, over all accounts; this machine is not counted. Tests that are asked for beyond it get 429, others are put off.',
  },
} as const satisfies Record<string, LimitSpec>

export type LimitName = keyof typeof limitsTable

/** What holds here, by name. */
export type Limits = { readonly [Name in LimitName]: number }

export const defaultLimits: Limits = mapLimits((name) => limitsTable[name].default)

export function mapLimits(valueFor: (name: LimitName) => number): Limits {
  const names = Object.keys(limitsTable) as LimitName[] // the keys of a constant
  return Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Limits // one value under each of its names
}

type Exceeded = {
  /** Names the limit, as clients see it: `api_key`, `ip`, `account.streams` … */
  scope: string
  limit: number
  /** Over how long it is counted; one second for what is counted at once. */
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

/** 503: time or place ran out before anything was done. */
export function busy(retryAfterSeconds = 1): Problem {
  return new Problem('busy', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })
}
