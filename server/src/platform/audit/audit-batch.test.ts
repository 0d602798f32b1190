import fc from 'fast-check'
import { expect, test } from 'vitest'
import { envKeyProvider, UnknownKeyError } from '../secrets/keys.ts'
import { hashOfBatch, isWhole, memberAt, placeInBatch, type UnsignedBatch } from './audit-batch.ts'
import { schemes } from './audit-chain.ts'
import { createAuditKeys } from './audit-keys.ts'

const keysOf = (fill: number) => `k1:${Buffer.alloc(32, fill).toString('base64')}`
const keys = createAuditKeys(envKeyProvider(`${keysOf(7)},k2:${Buffer.alloc(32, 9).toString('base64')}`))

const batch: UnsignedBatch = {
  accountId: 'acct_1',
  mode: 'test',
  firstPosition: 4n,
  position: 6n,
  scheme: schemes.batched,
  keyId: 'k1',
  ranges: [
    { aggregateId: 'pi_1', first: 2, last: 3 },
    { aggregateId: 'ord_1', first: 1, last: 1 },
  ],
  digests: Buffer.alloc(96, 1),
  at: new Date('2026-03-01T12:00:00Z'),
  previousHash: Buffer.alloc(32, 2),
}

const changed = {
  accountId: 'acct_2',
  mode: 'live',
  firstPosition: 5n,
  position: 7n,
  keyId: 'k2',
  ranges: [...batch.ranges].reverse(),
  digests: Buffer.concat([Buffer.alloc(95, 1), Buffer.alloc(1, 2)]),
  at: new Date('2026-03-01T12:00:01Z'),
  previousHash: Buffer.alloc(32, 4),
} satisfies Partial<UnsignedBatch>

test.each(Object.entries(changed))('the signature of a batch holds its %s', (field, value) => {
  expect(hashOfBatch(keys, { ...batch, [field]: value })).not.toEqual(hashOfBatch(keys, batch))
  expect(hashOfBatch(keys, { ...batch })).toEqual(hashOfBatch(keys, batch))
})

test('without the key a batch can be neither made nor checked', () => {
  const stranger = createAuditKeys(envKeyProvider(keysOf(8)))
  expect(hashOfBatch(stranger, batch)).not.toEqual(hashOfBatch(keys, batch))
  expect(() => hashOfBatch(stranger, { ...batch, keyId: 'k2' })).toThrow(UnknownKeyError)
})

test.each([
  ['a digest too few', { digests: Buffer.alloc(64) }],
  ['a digest that is too short', { digests: Buffer.alloc(95) }],
  ['a position too many', { position: 7n }],
  ['a range that ends before it begins', { ranges: [{ aggregateId: 'pi_1', first: 3, last: 2 }] }],
  ['a sequence that cannot be', { ranges: [{ aggregateId: 'pi_1', first: 0, last: 2 }] }],
  ['no event', { ranges: [], digests: Buffer.alloc(0), position: 3n, firstPosition: 4n }],
])('a batch with %s is not whole', (_, change) => {
  expect(isWhole({ ...batch, hash: Buffer.alloc(32) })).toBe(true)
  expect(isWhole({ ...batch, ...change, hash: Buffer.alloc(32) })).toBe(false)
})

test('each place of a batch is one event, and each event is at its place', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(50), fc.nat(5)), { minLength: 1, maxLength: 8 }), (lengths) => {
      const ranges = lengths.map(([before, more], at) => ({
        aggregateId: `thing_${at}`,
        first: before + 1,
        last: before + 1 + more,
      }))
      const count = lengths.reduce((sum, [, more]) => sum + more + 1, 0)
      const digests = Buffer.from(Array.from({ length: count * 32 }, (_, byte) => (byte >> 5) & 255))
      const whole = {
        ...batch,
        ranges,
        digests,
        position: batch.firstPosition + BigInt(count) - 1n,
        hash: Buffer.alloc(32),
      }
      expect(isWhole(whole)).toBe(true)
      for (let place = 0; place < count; place++) {
        const member = memberAt(whole, place)
        expect(placeInBatch(whole, member)).toBe(place)
        expect(member.digest).toEqual(Buffer.alloc(32, place & 255))
      }
      expect(placeInBatch(whole, { aggregateId: 'thing_0', sequence: 1000 })).toBeNull()
    }),
  )
})
