import { randomBytes } from 'node:crypto'
import type { Settings } from './contract/context.ts'
import { createIdSource } from './core/id.ts'
import type { ActingParts } from './platform/calls/act.ts'
import { type Clock, createClock, createTestClock } from './platform/clock/clock.ts'
import { openApart } from './platform/database/apart.ts'
import { openPools, type Pools } from './platform/database/pool.ts'
import type { Hints } from './platform/hints/hints.ts'
import type { KeyProvider } from './platform/secrets/keys.ts'
import { createSealers } from './platform/secrets/sealer.ts'

export type PartsOptions = {
  databaseUrl: string
  role: string
  keys: KeyProvider
  hints: Hints
  settings: Settings
  /** For databases whose clock people advance. */
  testClock: boolean
  writers: number
  readers: number
  onDatabaseError: (error: Error) => void
  random?: (length: number) => Uint8Array
}

/** What every role of the product stands on. */
export type Parts = ActingParts & {
  clock: Clock
  hashToken: (token: string) => Buffer
  close(): Promise<void>
}

export async function openParts(options: PartsOptions): Promise<Parts> {
  const pools = openPools({
    url: options.databaseUrl,
    writers: options.writers,
    readers: options.readers,
    applicationName: `prokura ${options.role}`,
    onError: options.onDatabaseError,
  })
  // Opens nothing before somebody reads by it.
  const { apart, close: closeApart } = openApart({
    url: options.databaseUrl,
    applicationName: `prokura ${options.role}`,
    onError: options.onDatabaseError,
  })
  const clock = await openClock(pools, options.testClock)
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
    hashToken,
    async close() {
      clock.close()
      await Promise.all([pools.close(), closeApart()])
    },
  }
}

/** Reads the database for the first time: where that fails nothing else will be opened, and nothing may stay open. */
async function openClock(pools: Pools, isTestClock: boolean): Promise<Clock> {
  if (isTestClock) return createTestClock(pools)
  try {
    return await createClock(pools)
  } catch (error) {
    await pools.close()
    throw error
  }
}
