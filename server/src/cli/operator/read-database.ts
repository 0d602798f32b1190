import { type Clock, createClock, createTestClock } from '../../platform/clock/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { openPools, type Pools } from '../../platform/database/pool.ts'
import { servedDatabase } from '../role-config.ts'
import { checkDatabase, withDatabaseTrouble } from './database-trouble.ts'

type ReadableDatabase = { pools: Pools; clock: Clock }

/**
 * Opens the database for a command that only reads what was never sealed, and closes it again in every case: it needs no keys and nothing
 * of the product but the statements that it reads with. It says in words what is wrong with the database.
 */
export async function readDatabase<T>(
  config: Config,
  work: (database: ReadableDatabase) => Promise<T>,
): Promise<T> {
  const named = servedDatabase(config)
  const { isPooled } = await checkDatabase(named)
  return withDatabaseTrouble(named, async () => {
    const pools = openPools({
      url: named.url,
      applicationName: 'prokura command',
      isPooled,
      writers: 1,
      readers: 1,
      onError: () => undefined, // the statement under way fails with it
    })
    try {
      const clock = config.testClock ? createTestClock(pools) : await createClock(pools)
      return await work({ pools, clock }).finally(() => clock.close())
    } finally {
      await pools.close()
    }
  })
}
