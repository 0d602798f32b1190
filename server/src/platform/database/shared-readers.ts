import type pg from 'pg'
import type { Statement } from '../../contract/statement.ts'
import { isStalePlan } from './errors.ts'
import { runStatement, streamOf } from './run-statement.ts'
import { SessionClient, type SessionConfig } from './session.ts'

type SharedReaders = {
  read<Row>(statement: Statement<Row>): Promise<Row[]>
  close(): Promise<void>
}

type SharedReadersOptions = {
  config: SessionConfig
  connections: number
  /** No statement takes this many milliseconds, so a connection with statements under way that is silent for longer is lost. */
  silentMsMax: number
  onError: (error: Error) => void
}

type Reader = { client: pg.Client; pending: number; answered: number; isStale: boolean }

const lookEveryMs = 1_000

/**
 * A few connections that each carry many reads at once. The least busy one takes all reads of a turn, since together they are one
 * packet. Opened on first use, replaced when lost.
 */
export function createSharedReaders(options: SharedReadersOptions): SharedReaders {
  const slots: (Promise<Reader> | null)[] = Array.from({ length: options.connections }, () => null)
  const load = slots.map(() => 0)
  let closed = false
  let turn: number | null = null

  /** The connection for the reads of this turn of the event loop. */
  function slotOfTurn(): number {
    if (turn !== null) return turn
    turn = load.indexOf(Math.min(...load))
    setImmediate(() => {
      turn = null
    })
    return turn
  }

  async function open(slot: number): Promise<Reader> {
    const client = new SessionClient({ ...options.config, pipeline: true } as SessionConfig)
    const reader = { client, pending: 0, answered: 0, isStale: false }
    let hasLeft = false
    // One that has left its place, because it is stale or at its first error, may have left it to another one.
    const leave = () => {
      if (!reader.isStale && !hasLeft) slots[slot] = null
      hasLeft = true
    }
    client.on('error', (error) => {
      leave()
      if (!closed) options.onError(error)
    })
    client.on('end', leave)
    await client.connect()
    const stopWatching = endWhenSilent(reader, options.silentMsMax)
    client.once('end', stopWatching)
    return reader
  }

  function openIn(slot: number): Promise<Reader> {
    const opening = open(slot)
    slots[slot] = opening
    opening.catch(() => {
      if (slots[slot] === opening) slots[slot] = null
    })
    return opening
  }

  /**
   * All of them existed when the schema changed. Their places are free for others; reads that are under way on them are still answered.
   */
  function retireAll(): void {
    for (const [slot, opened] of slots.entries()) {
      slots[slot] = null
      opened?.then(retire, () => undefined)
    }
  }

  function retire(reader: Reader): void {
    reader.isStale = true
    if (reader.pending === 0) reader.client.end().catch(() => undefined)
  }

  async function ask<Row>(reader: Reader, statement: Statement<Row>): Promise<Row[]> {
    reader.pending += 1
    try {
      return (await runStatement(reader.client, statement)).rows
    } finally {
      reader.pending -= 1
      reader.answered += 1
      if (reader.isStale) retire(reader)
    }
  }

  async function read<Row>(statement: Statement<Row>, isSecond = false): Promise<Row[]> {
    if (closed) throw new Error('the database pools are closed')
    const slot = slotOfTurn()
    load[slot] = (load[slot] ?? 0) + 1
    let reader: Reader | null | undefined
    try {
      reader = await (slots[slot] ?? openIn(slot))
      if (!reader) throw new Error('the reading connection was lost')
      if (!reader.isStale) return await ask(reader, statement)
    } catch (error) {
      if (!reader || isSecond || !isStalePlan(error)) throw error
      if (!reader.isStale) retireAll()
    } finally {
      load[slot] = (load[slot] ?? 0) - 1
    }
    return read(statement, true)
  }

  return {
    read: <Row>(statement: Statement<Row>) => read(statement),
    async close() {
      closed = true
      await Promise.all(slots.map(async (slot) => (await slot?.catch(() => null))?.client.end()))
    },
  }
}

/**
 * A host that has disappeared is silent for minutes, and without this all reads on its connection would wait. Silence is counted in
 * looks, between which answers are taken in, so that a process that was busy itself blames no host.
 */
function endWhenSilent(reader: Reader, silentMsMax: number): () => void {
  let answered = 0
  let silentMs = 0
  const timer = setInterval(() => {
    const isSilent = reader.pending > 0 && reader.answered === answered
    silentMs = isSilent ? silentMs + lookEveryMs : 0
    answered = reader.answered
    if (silentMs >= silentMsMax)
      streamOf(reader.client).destroy(new Error('Connection terminated: no answer'))
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
