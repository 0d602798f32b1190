import { hash } from 'node:crypto'
import type { RelayedEvent } from '../events/follower.ts'

export const digestBytes = 32

/**
 * The digest of everything that an event says, as batches hold it; events never change, so it can be computed again at any time. The form
 * is the one in which PostgreSQL sends an array of texts: lengths and bytes, so that no two events have the same form.
 */
export function digestOfEvent(event: RelayedEvent): Buffer {
  const texts = [
    'event-2',
    event.tenant.accountId,
    event.tenant.mode,
    event.id,
    event.type,
    event.aggregateId,
    event.cartId,
    event.actor.type,
    event.actor.id,
    event.requestId,
    event.object,
    event.recipientAccountId,
    event.envelope,
  ]
  const lengths = texts.map((text) => (text === null ? nullLength : Buffer.byteLength(text)))
  const size = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), headBytes + tailBytes)
  const form = Buffer.allocUnsafe(size)
  let at = 0
  for (const number of [1, lengths.includes(nullLength) ? 1 : 0, textType, texts.length, 1]) {
    at = form.writeInt32BE(number, at)
  }
  for (const [index, text] of texts.entries()) {
    at = form.writeInt32BE(lengths[index] ?? nullLength, at)
    if (text !== null) at += form.write(text, at)
  }
  at = form.writeInt32BE(event.sequence, at)
  form.writeBigInt64BE(BigInt(event.createdAt.getTime() - epochMs) * 1000n, at)
  return hash('sha256', form, 'buffer')
}

/** One dimension, whether there are nulls, the type of the elements, how many, and the number of the first. */
const headBytes = 5 * 4
/** The sequence and the time, which is in microseconds since the year 2000. */
const tailBytes = 4 + 8
const nullLength = -1
/** The object identifier of `text`, the same in every database. */
const textType = 25
const epochMs = Date.UTC(2000, 0, 1)
