import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Statement } from '../../contract/statement.ts'

export async function runStatement<Row>(client: pg.ClientBase, { name, text, values }: Statement<Row>) {
  sendTogether(client)
  const answer = Promise.withResolvers<pg.QueryResult>()
  // Of an object of settings the driver would make a copy, which costs more than sending it.
  const query = Object.assign(new pg.Query(text, values.map(sentValue)), {
    name,
    callback(error: Error | null, result: pg.QueryResult) {
      if (error) answer.reject(error)
      else answer.resolve(result)
    },
  })
  try {
    client.query(query)
    const { rows, rowCount, command } = await answer.promise
    return { rows: rows as Row[], rowCount: rowCount ?? 0, command }
  } catch (error) {
    // The trace that leads to the caller, and not to the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

let lastDate: Date | null = null
let lastText = ''

/** The rows of a call share one `now`, which the driver would take apart for each of its columns. */
function sentValue(value: unknown): unknown {
  if (!(value instanceof Date)) return value
  if (value !== lastDate) {
    lastDate = value
    lastText = value.toISOString()
  }
  // PostgreSQL does not read the form of years beyond 9999.
  return lastText.length === isoLength ? lastText : value
}

const isoLength = '2026-01-31T12:00:00.000Z'.length

export function streamOf(client: pg.ClientBase): Writable {
  return (client as unknown as { connection: { stream: Writable } }).connection.stream // the driver's own, without a type
}

/**
 * All statements that are sent on a connection in one turn of the event loop leave in one packet: a packet costs more than most
 * statements.
 */
function sendTogether(client: pg.ClientBase): void {
  const stream = streamOf(client)
  if (stream.writableCorked > 0) return
  stream.cork()
  // After everything that has come in this turn: the reads of all requests that have arrived, and all statements of a transaction.
  setImmediate(() => stream.uncork())
}
