import { expect, test } from 'vitest'
import { type AuditEntry, hashOf } from './audit-chain.ts'

type Hashed = Omit<AuditEntry, 'hash'>

const entry: Hashed = {
  accountId: 'acct_1',
  mode: 'test',
  position: 2n,
  eventId: 'evt_1',
  actorType: 'api_key',
  actorId: 'key_1',
  action: 'profile.created',
  targetId: 'prof_1',
  requestId: 'req_1',
  digest: Buffer.alloc(32, 1),
  at: new Date('2026-03-01T12:00:00Z'),
  previousHash: Buffer.alloc(32, 2),
}

const changed: Hashed = {
  accountId: 'acct_2',
  mode: 'live',
  position: 3n,
  eventId: 'evt_2',
  actorType: 'system',
  actorId: null,
  action: 'profile.archived',
  targetId: 'prof_2',
  requestId: 'req_2',
  digest: Buffer.alloc(32, 3),
  at: new Date('2026-03-01T12:00:01Z'),
  previousHash: Buffer.alloc(32, 4),
}

test.each(Object.entries(changed))('the hash of an entry holds its %s', (field, value) => {
  expect(hashOf({ ...entry, [field]: value })).not.toEqual(hashOf(entry))
  expect(hashOf({ ...entry })).toEqual(hashOf(entry))
})
