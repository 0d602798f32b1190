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
  reads: {
    setting: 'PROKURA_LIMIT_READS',
    default: 4,
    max: 1000,
    description:
      'Lists, searches and calculations that one account and mode may have under way at once, per API process; more wait for two seconds. Always below `PROKURA_LONG_READERS`.',
  },
  bulk_reads: {
    setting: 'PROKURA_LIMIT_BULK_READS',
    default: 1,
    max: 1000,
    description:
      'The same of exports and of pages beyond an offset of 10,000, which wait for five seconds. Always below `PROKURA_BULK_READERS`.',
  },
  writes: {
    setting: 'PROKURA_LIMIT_WRITES',
    default: 11,
    max: 1000,
    description:
      'Transactions that one account and mode may have under way at once, per API process; more wait for ten seconds. Always below `PROKURA_WRITERS`.',
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
