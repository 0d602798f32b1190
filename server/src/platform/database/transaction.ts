import type { Statement } from '../../contract/statement.ts'
import { fuseNeighbours, isInsert } from './fuse.ts'
import { insertGroupsOf } from './insert-groups.ts'
import { type Connection, connectionLost, type Pools } from './pool.ts'
import { WriteQueue } from './write-queue.ts'

/** The database half of a call's transaction; `calls` adds events and idempotency to it. */
export type DatabaseTransaction = {
  rows<Row>(statement: Statement<Row>): Promise<Row[]>
  /** The same, while what is queued stays queued, unless it writes a table that the statement names. */
  rowsAhead<Row>(statement: Statement<Row>): Promise<Row[]>
  write(statement: Statement<unknown>, replaces?: string): void
  isQueued(name: string): boolean
  /**
   * Does `work` and sends what it queued, or undoes both: returns the error that it failed with, or null. The transaction continues
   * either way, and ends only where the database cannot go back.
   */
  attempt(work: () => Promise<void>): Promise<{ error: unknown } | null>
  /** Sends what is queued, then `last`, then COMMIT, in one round trip. Throws when any statement failed: then nothing happened. */
  commit(last: readonly Statement<unknown>[]): Promise<void>
  /** Ends without effect; harmless after a commit or a failure. */
  rollback(): Promise<void>
}

/**
 * A transaction that opens with its first awaited statement. It holds its connection alone. It succeeded only if every statement did and
 * COMMIT returned the tag COMMIT: in a failed pipeline COMMIT resolves with the tag ROLLBACK.
 */
export function openTransaction(pools: Pools, tenant?: string): DatabaseTransaction {
  let connection: Connection | null = null
  let connecting: Promise<Connection> | null = null
  let begun: Promise<unknown> | null = null
  const queue = new WriteQueue()
  let ended = false
  /** Why the transaction failed; later statements report only that it has failed. */
  let cause: unknown = null

  function assertOpen(): void {
    if (ended) throw new Error('a statement was sent on a transaction that has ended')
  }

  /** One connection, also when several statements are sent at once: they then travel together, in order. */
  function begin(): Promise<Connection> {
    connecting ??= pools.connect(tenant).then((opened) => {
      connection = opened
      begun = quiet(opened.query(control('begin')))
      return opened
    })
    return connecting
  }

  function release(error?: unknown): void {
    connection?.release(connectionLost(error))
    connection = null
  }

  async function rollback(): Promise<void> {
    ended = true
    await connecting?.catch(() => undefined)
    if (!connection) return
    const held = connection
    try {
      await held.query(control('rollback'))
      release(cause)
    } catch (error) {
      release(error)
    }
  }

  async function rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    return await ask(statement, (held) => {
      return fuseNeighbours(queue.take()).map((write) => quiet(held.query(write)))
    })
  }

  /** `first` sends what is to be sent before the statement, in the same packet. */
  async function ask<Row>(
    statement: Statement<Row>,
    first: (held: Connection) => Settled<unknown>[],
  ): Promise<Row[]> {
    assertOpen()
    const held = await begin()
    const before = first(held)
    const asked = quiet(held.query(statement))
    await firstFailure([begun, ...before, asked]).catch((error: unknown) => {
      cause ??= error
      throw cause
    })
    return (await unwrap(asked)).rows as never
  }

  return {
    rows,
    rowsAhead: (statement) => (queue.concerns(statement) ? rows(statement) : ask(statement, () => [])),
    async attempt(work) {
      await rows(savepoint('set'))
      try {
        await work()
        await rows(savepoint('release'))
        return null
      } catch (error) {
        queue.take()
        cause = null
        // guard a-failed-attempt-is-undone: a failed attempt undoes its own writes and no others
        await rows(savepoint('undo'))
        return { error }
      }
    },
    write(statement, replaces) {
      assertOpen()
      queue.add(statement, replaces)
    },
    isQueued: (name) => queue.has(name),
    async commit(last) {
      assertOpen()
      const writes = [...queue.take(), ...last]
      if (!connection && writes.length === 0) {
        ended = true
        return
      }
      if (!connection && writes.every(isInsert)) {
        ended = true
        return await insertGroupsOf(pools).send(writes, tenant)
      }
      const held = await begin()
      ended = true
      const sent = fuseNeighbours(writes).map((write) => quiet(held.query(write)))
      const committed = quiet(held.query(control('commit')))
      try {
        await firstFailure([begun, ...sent, committed])
        const { command } = await unwrap(committed)
        // guard commit-is-a-commit: a transaction that was rolled back does not answer as if it had happened
        if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
        release()
      } catch (error) {
        await Promise.allSettled([...sent, committed])
        release(error)
        throw error
      }
    },
    rollback,
  }
}

/** Commits everything that `work` does, or nothing. */
export async function inTransaction<T>(
  pools: Pools,
  work: (tx: DatabaseTransaction) => Promise<T>,
): Promise<T> {
  const tx = openTransaction(pools)
  try {
    const result = await work(tx)
    await tx.commit([])
    return result
  } catch (error) {
    await tx.rollback()
    throw error
  }
}

type Settled<T> = Promise<{ ok: true; value: T } | { ok: false; error: unknown }>

/** The statements of a pipeline settle at different times; none may become an unhandled rejection while an earlier one is awaited. */
function quiet<T>(promise: Promise<T>): Settled<T> {
  return promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  )
}

async function unwrap<T>(settled: Settled<T>): Promise<T> {
  const outcome = await settled
  if (!outcome.ok) throw outcome.error
  return outcome.value
}

/** Throws the earliest failure: the later ones only say that the transaction is aborted. */
async function firstFailure(sent: readonly (Promise<unknown> | null)[]): Promise<void> {
  for (const one of sent) {
    const outcome = (await one) as { ok: boolean; error?: unknown } | null
    if (outcome && !outcome.ok) throw outcome.error
  }
}

const savepoints = {
  set: 'savepoint attempt',
  release: 'release savepoint attempt',
  undo: 'rollback to savepoint attempt',
}

function savepoint(what: keyof typeof savepoints): Statement<never> {
  return { name: `tx_savepoint_${what}`, text: savepoints[what], values: [] }
}

/** What begins and ends a transaction, prepared like every other statement. */
export function control(text: 'begin' | 'commit' | 'rollback'): Statement<never> {
  return { name: `tx_${text}`, text, values: [] }
}
