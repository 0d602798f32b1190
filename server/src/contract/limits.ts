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
  connections: {
    setting: 'PROKURA_LIMIT_CONNECTIONS',
    default: 8000,
    max: 1_000_000,
    description:
      'Connections that one API process has open. Beyond it a new one takes the place of the oldest that never showed a key, of the ' +
      'address that has most of these.',
  },
  addressConnections: {
    setting: 'PROKURA_LIMIT_ADDRESS_CONNECTIONS',
    default: 1000,
    max: 1_000_000,
    description:
      'Connections that one address (v6: one /64) has open to one API process. Beyond it a new one takes the place of its oldest that ' +
      'never showed a key. Behind trusted proxies: requests under way of one client, beyond which 429 `ip.requests`.',
  },
  takeSeconds: {
    setting: 'PROKURA_LIMIT_TAKE_SECONDS',
    default: 30,
    max: 3600,
    description:
      'Seconds for which a caller may take nothing of an answer that waits for him. Then the connection is closed.',
  },
  anonymousBodyBytes: {
    setting: 'PROKURA_LIMIT_ANONYMOUS_BODY_BYTES',
    default: 65_536,
    max: 262_144,
    description: 'The largest body without a key, signed answers of merchants included. Beyond it 413.',
  },
  heldBodyBytes: {
    setting: 'PROKURA_LIMIT_HELD_BODY_BYTES',
    default: 67_108_864,
    max: 999_999_999,
    description:
      'Bytes of unfinished bodies that one API process holds: one account, and all callers without a key together, a quarter of ' +
      'them; one address without a key a sixteenth. Beyond it 503 `busy`.',
  },
  keyGuesses: {
    setting: 'PROKURA_LIMIT_KEY_GUESSES',
    // A client that holds on to a wrong key is looked up once a second; several may share an address.
    default: 300,
    max: 1_000_000,
    description:
      'Unknown keys that one address (v6: one /64) may try in a minute, per API process. Beyond it 429 `ip` for every other unknown ' +
      'key; keys that exist go on working from there.',
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
