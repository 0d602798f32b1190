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
  rateCards: {
    setting: 'PROKURA_LIMIT_RATE_CARDS',
    default: 500,
    max: 1000,
    description: 'Rate cards that a merchant may have active at once.',
  },
  rateCardZones: {
    setting: 'PROKURA_LIMIT_RATE_CARD_ZONES',
    default: 20_000,
    max: 1_000_000,
    description:
      'Zones of all active rate cards of a merchant together. A zone with postal prefixes counts once for each of them, and a card without zones counts one.',
  },
  rateCardEntries: {
    setting: 'PROKURA_LIMIT_RATE_CARD_ENTRIES',
    default: 10_000,
    max: 1_000_000,
    description:
      'Tiers, labels, markets and locations that all active rate cards of a merchant name together.',
  },
  marketRegions: {
    setting: 'PROKURA_LIMIT_MARKET_REGIONS',
    default: 20_000,
    max: 1_000_000,
    description:
      'Countries, subdivisions and postal prefixes that all markets of a merchant include and exclude together.',
  },
  simulationCpu: {
    setting: 'PROKURA_LIMIT_SIMULATION_CPU',
    default: 2000,
    max: 60_000,
    description:
      'Milliseconds of computing for one simulation of a policy over past intents, in slices; beyond that it is 503 `busy`.',
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
