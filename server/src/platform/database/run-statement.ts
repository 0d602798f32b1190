import type { Writable } from 'node:stream'
import type pg from 'pg'
import type { Statement } from '../../contract/statement.ts'

export async function runStatement<Row>(client: pg.ClientBase, statement: Statement<Row>) {
  const { name, text, values } = statement
  sendTogether(client)
  const result = await client.query({ name, text, values: values as unknown[] })
  return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0, command: result.command }
}

export function streamOf(client: pg.ClientBase): Writable {
  return (client as unknown as { connection: { stream: Writable } }).connection.stream // the driver's own, without a type
}

/** What is asked of a connection in one turn of the event loop leaves in one packet: a packet costs more than most statements. */
function sendTogether(client: pg.ClientBase): void {
  const stream = streamOf(client)
  if (stream.writableCorked > 0) return
  stream.cork()
  // After every promise of this turn, so that a handler's reads, or a transaction's statements, are all there.
  process.nextTick(() => stream.uncork())
}
