import type { Apart } from '../../contract/context.ts'
import type { Statement } from '../../contract/statement.ts'
import { sqlState } from './errors.ts'
import { OwnerShares, TookTooLong } from './owner-shares.ts'
import { connectionLost, openPools, type PoolOptions, patientTimes } from './pool.ts'

const connections = 8
/** The reads of a merchant for a purchase take a few milliseconds. */
const statementMs = 1000
const slowMs = 250
const rememberMs = 60_000

/**
 * Reads whose length depends on another party's data. They use connections of their own, with a second for each statement and a share of
 * the connections for each owner. A read that takes too long throws `TookTooLong`.
 */
export function openApart(options: Pick<PoolOptions, 'url' | 'applicationName' | 'onError' | 'isPooled'>): {
  apart: Apart
  close(): Promise<void>
} {
  const pools = openPools({
    ...options,
    writers: connections,
    readers: 0,
    times: { ...patientTimes, write: statementMs },
  })
  const shares = new OwnerShares({ places: connections, slowMs, rememberMs })
  return {
    apart: (owner, work) =>
      shares.run(
        owner.accountId,
        async () => {
          const connection = await pools.connect()
          const sent: Promise<unknown>[] = []
          async function rows<Row>(statement: Statement<Row>): Promise<Row[]> {
            const asked = connection.query(statement)
            sent.push(asked)
            return (await asked).rows
          }
          let failure: Error | undefined
          try {
            return await work({ rows, maybe: async (statement) => (await rows(statement))[0] ?? null })
          } catch (error) {
            failure = connectionLost(error)
            throw isCancelled(error)
              ? new TookTooLong('reading of its data took too long', { cause: error })
              : error
          } finally {
            // Wait for what else was sent with it: its answers still arrive on this connection.
            await Promise.allSettled(sent)
            connection.release(failure)
          }
        },
        (error) => error instanceof TookTooLong,
      ),
    close: () => pools.close(),
  }
}

/** By its statement timeout. */
function isCancelled(error: unknown): boolean {
  return sqlState(error) === '57014'
}
