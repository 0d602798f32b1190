import { randomBytes } from 'node:crypto'
import { product } from './composition.ts'
import type { Settings } from './contract/context.ts'
import { createIdSource } from './core/id.ts'
import { type AuditKeys, createAuditKeys } from './platform/audit/audit-keys.ts'
import type { ActingParts } from './platform/calls/run-as.ts'
import { type Clock, createClock, createTestClock } from './platform/clock/clock.ts'
import { openApart } from './platform/database/apart.ts'
import { callerTimes, openPools, type PoolOptions, type Pools } from './platform/database/pool.ts'
import { openAtOnce } from './platform/events/at-once.ts'
import type { Hints } from './platform/hints/hints.ts'
import { createRequestDigests, type RequestDigests } from './platform/idempotency/request-digest.ts'
import type { KeyProvider } from './platform/secrets/keys.ts'
import { createSealers } from './platform/secrets/sealer.ts'
import { createSigningKeys, type SigningKeys } from './platform/signatures/signing-keys.ts'

export type PartsOptions = {
  databaseUrl: string
  role: string
  keys: KeyProvider
  hints: Hints
  settings: Settings
  /** For databases whose clock is advanced by people. */
  testClock: boolean
  writers: number
  readers: number
  isPooled?: boolean
  /** For a process that serves callers: they share its time and its connections. Nobody waits for any other process. */
  serving?: { longReaders: number; bulkReaders: number } & Pick<PoolOptions, 'times' | 'waits'>
  onDatabaseError: (error: Error) => void
  random?: (length: number) => Uint8Array
}

/** The parts that every role of the product needs. */
export type Parts = ActingParts & {
  clock: Clock
  hashToken: (token: string) => Buffer
  auditKeys: AuditKeys
  requestDigests: RequestDigests
  /** The keys of the service: every process makes the next one when it is due. */
  signingKeys: SigningKeys
  close(): Promise<void>
}

export async function openParts(options: PartsOptions): Promise<Parts> {
  const pools = openPools({
    url: options.databaseUrl,
    writers: options.writers,
    readers: options.readers,
    isPooled: options.isPooled ?? false,
    ...(options.serving
      ? { times: callerTimes, ...options.serving, shares: sharesOf(options.settings) }
      : {}),
    applicationName: `prokura ${options.role}`,
    onError: options.onDatabaseError,
  })
  // Opens nothing before the first read.
  const { apart, close: closeApart } = openApart({
    url: options.databaseUrl,
    applicationName: `prokura ${options.role}`,
    isPooled: options.isPooled ?? false,
    onError: options.onDatabaseError,
  })
  const clock = await firstRead(pools, options.testClock)
  const random = options.random ?? randomBytes
  const { sealerOf, hashToken } = createSealers(options.keys)
  return {
    pools,
    apart,
    hints: options.hints,
    clock,
    random,
    newId: createIdSource(random),
    sealer: sealerOf,
    settings: options.settings,
    scopeCatalog: product.scopes,
    atOnce: openAtOnce(product.followers, pools),
    hashToken,
    auditKeys: createAuditKeys(options.keys),
    requestDigests: createRequestDigests(options.keys),
    signingKeys: createSigningKeys({ pools, clock, sealer: sealerOf }),
    async close() {
      clock.close()
      await Promise.all([pools.close(), closeApart()])
    },
  }
}

function sharesOf({ limits }: Settings) {
  return { long: limits.reads, bulk: limits.bulk_reads, write: limits.writes }
}

/** Reads the database for the first time: when that fails nothing else will be opened, and nothing may stay open. */
async function firstRead(pools: Pools, isTestClock: boolean): Promise<Clock> {
  try {
    return isTestClock ? createTestClock(pools) : await createClock(pools)
  } catch (error) {
    await pools.close()
    throw error
  }
}
