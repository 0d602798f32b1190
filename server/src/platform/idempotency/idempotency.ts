import { statement } from '../../contract/statement.ts'
import { aggregate } from '../aggregate/aggregate.ts'
import type { Pools } from '../database/pool.ts'
import { unpackText } from '../events/packed-text.ts'
import type { IdempotencyScope, RequestDigest } from './request-digest.ts'

export type StoredReply = RequestDigest & {
  status: number
  headers: Record<string, string> | null
  object_id: string | null
  /** The reply's body, without secrets. */
  body: string
}

type ReadReply = Omit<StoredReply, 'body'> & {
  body: string | null
  /** The body where it is the object of an event, for `unpackText`. */
  object_bytes: Buffer | null
}

type ClaimedKey = RequestDigest & {
  operation: string
  key: string
  status: number
  headers: Record<string, string> | null
  event_id: string | null
  /** Whose the event is, where that is not the object. */
  event_aggregate_id: string | null
  object_id: string | null
  body: string | null
  created_at: Date
}

const keys = aggregate<ClaimedKey>()({
  table: 'idempotency_keys',
  columns: `operation, key, keyed_digest, digest_key, status, headers, event_id, event_aggregate_id, object_id, body, created_at`,
  key: ['operation', 'key'],
  json: ['headers'],
})

/**
 * The insert that claims a key, in the transaction of the effect. A second use violates the primary key, its transaction rolls back, and
 * a statement of its own reads the first reply: inside the same statement the loser would see neither row.
 */
export const claimKey = keys.insert('claim_idempotency_key')

const readKey = statement<ReadReply, { account_id: string; mode: string; operation: string; key: string }>(
  'read_idempotency_key',
  // guard key-of-its-operation: a key used for another operation replays nothing
  // guard key-of-its-tenant: the key of another account replays nothing
  // guard key-of-its-mode: the key of the other mode replays nothing
  `select k.keyed_digest, k.digest_key, k.status, k.headers, k.object_id, k.body, e.object_bytes
   from idempotency_keys k
   left join events e on e.account_id = k.account_id and e.mode = k.mode
     and e.aggregate_id = coalesce(k.event_aggregate_id, k.object_id) and e.id = k.event_id
   where k.account_id = $account_id and k.mode = $mode and k.operation = $operation and k.key = $key`,
)

/** What the first request with this key was answered. */
export async function readReply(
  pools: Pick<Pools, 'read'>,
  { tenant, operation, key }: IdempotencyScope,
): Promise<StoredReply | null> {
  const [read] = await pools.read(
    readKey({ account_id: tenant.accountId, mode: tenant.mode, operation, key }),
  )
  if (!read) return null
  const { body, object_bytes, ...reply } = read
  if (body !== null) return { ...reply, body }
  if (object_bytes === null) throw new Error('a reply stands neither beside its key nor in an event')
  return { ...reply, body: unpackText(object_bytes) }
}

/** Whether a database error says that another request has claimed this idempotency key. */
export function isKeyTaken(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    'constraint' in error &&
    error.constraint === 'idempotency_keys_pkey'
  )
}
