import { expect, test } from 'vitest'
import { envKeyProvider, UnknownKeyError } from '../secrets/keys.ts'
import { hashOf, schemes, type Unsigned } from './audit-chain.ts'
import { createAuditKeys } from './audit-keys.ts'

const keysOf = (fill: number) => `k1:${Buffer.alloc(32, fill).toString('base64')}`
const second = `k2:${Buffer.alloc(32, 9).toString('base64')}`
const keys = createAuditKeys(envKeyProvider(`${keysOf(7)},${second}`))

const keyed: Unsigned = {
  accountId: 'acct_1',
  mode: 'test',
  position: 2n,
  scheme: schemes.keyed,
  kind: 'events',
  range: { first: 2n, last: 2n, count: 1n },
  keyId: 'k1',
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

const changed = {
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
  kind: 'erasure',
  keyId: 'k2',
  'first of the range': { range: { first: 1n, last: 2n, count: 1n } },
  'last of the range': { range: { first: 2n, last: 3n, count: 1n } },
  'count of the range': { range: { first: 2n, last: 2n, count: 2n } },
}

test.each(Object.entries(changed))('the signature of an entry holds its %s', (field, value) => {
  const change = field.endsWith('of the range') ? (value as object) : { [field]: value }
  expect(hashOf(keys, { ...keyed, ...change })).not.toEqual(hashOf(keys, keyed))
  expect(hashOf(keys, { ...keyed })).toEqual(hashOf(keys, keyed))
})

test('without the key an entry can be neither made nor checked', () => {
  const stranger = createAuditKeys(envKeyProvider(keysOf(8)))
  expect(hashOf(stranger, keyed)).not.toEqual(hashOf(keys, keyed))
  expect(() => hashOf(stranger, { ...keyed, keyId: 'k2' })).toThrow(UnknownKeyError)
})

test('an entry that was signed under an older key is still checked under that key', () => {
  expect(keys.currentId).toBe('k2')
  const before = createAuditKeys(envKeyProvider(keysOf(7)))
  expect(hashOf(keys, keyed)).toEqual(hashOf(before, keyed))
})
