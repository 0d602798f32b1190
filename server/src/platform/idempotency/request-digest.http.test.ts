import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp, testKeys } from '../../../test/harness/app.ts'
import { envKeyProvider } from '../secrets/keys.ts'
import { createRequestDigests, readUnkeyedUntil } from './request-digest.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await app.stop()
})

const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }

type Row = { digests: Buffer[]; digest_key: string | null }

async function rowOf(key: string): Promise<Row> {
  const [row] = await app.sql<Row>(
    `select array_remove(array[request_digest, keyed_digest], null) as digests, digest_key
     from idempotency_keys where key = $1`,
    [key],
  )
  if (!row) throw new Error(`no row of ${key}`)
  return row
}

/** What anybody can compute who reads the database: all but the birth date stands in it. */
function unkeyed(body: Record<string, unknown>): Buffer {
  const sorted = Object.fromEntries(Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256')
    .update(JSON.stringify([{}, {}, sorted]))
    .digest()
}

function* birthDates(): Generator<{ day: number; month: number; year: number }> {
  for (let at = Date.UTC(1980, 0, 1); at < Date.UTC(1990, 0, 1); at += 86_400_000) {
    const date = new Date(at)
    yield { day: date.getUTCDate(), month: date.getUTCMonth() + 1, year: date.getUTCFullYear() }
  }
}

test('a birth date is not found by trying all of them against what the database holds', async () => {
  const dob = { day: 10, month: 12, year: 1985 }
  expect([...birthDates()]).toContainEqual(dob)
  const headers = { 'idempotency-key': 'birth' }
  const created = await app.post('/v1/profiles', { ...person, dob }, { headers })
  expect(created.status).toBe(201)
  const { digests } = await rowOf('birth')
  const found = [...birthDates()].filter((guess) =>
    digests.some((digest) => digest.equals(unkeyed({ ...person, dob: guess }))),
  )
  expect(found).toEqual([])
})

test('two equal requests under two keys do not show as equal', async () => {
  for (const key of ['equal-1', 'equal-2'])
    expect((await app.post('/v1/profiles', person, { headers: { 'idempotency-key': key } })).status).toBe(201)
  const [first, second] = [await rowOf('equal-1'), await rowOf('equal-2')]
  expect(first.digest_key).toBe('k1')
  expect(first.digests[0]).not.toEqual(second.digests[0])
})

test('a row of before is compared the old way: its request is replayed, another one is a conflict', async () => {
  const headers = { 'idempotency-key': 'before' }
  const created = await app.post('/v1/profiles', person, { headers })
  await app.sql(
    `update idempotency_keys set request_digest = $1, keyed_digest = null, digest_key = null where key = 'before'`,
    [unkeyed(person)],
  )
  const again = await app.post('/v1/profiles', person, { headers })
  expect(again.status).toBe(201)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.body).toEqual(created.body)
  const other = await app.post('/v1/profiles', { ...person, first_name: 'Augusta' }, { headers })
  expect(other.status).toBe(409)
  expect(other.body.detail.code).toBe('idempotency_key_conflict')
})

test('null in what may be left out is the same request as without it, over REST and as a tool', async () => {
  const headers = { 'idempotency-key': 'null' }
  const created = await app.post('/v1/profiles', { ...person, phone: null, metadata: null }, { headers })
  expect(created.status).toBe(201)
  const again = await app.post('/v1/profiles', person, { headers })
  expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([
    201,
    'true',
    created.body,
  ])
  const tool = await app.mcp('v1_create_profile', { ...person, dob: null, idempotency_key: 'null' })
  expect([tool.status, tool.body]).toEqual([201, created.body])
})

test('where null clears a field it is another request than without it', async () => {
  const { body: profile } = await app.post('/v1/profiles', person)
  const headers = { 'idempotency-key': 'clear' }
  const path = `/v1/profiles/${profile.id}`
  expect((await app.post(path, { first_name: 'Augusta', phone: null }, { headers })).status).toBe(200)
  const without = await app.post(path, { first_name: 'Augusta' }, { headers })
  expect(without.body.detail.code).toBe('idempotency_key_conflict')
  const same = await app.post(path, { first_name: 'Augusta', phone: null, email: null }, { headers })
  expect([same.status, same.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
})

test('a row of a version that distinguished null from left out is matched by the bytes of the request', async () => {
  const headers = { 'idempotency-key': 'told-apart' }
  const policy = { name: 'Office', description: null }
  const created = await app.post('/v1/policies', policy, { headers })
  await app.sql(
    `update idempotency_keys set request_digest = $1, keyed_digest = null, digest_key = null where key = 'told-apart'`,
    [unkeyed(policy)],
  )
  const again = await app.post('/v1/policies', policy, { headers })
  expect([again.status, again.body]).toEqual([201, created.body])
  expect((await app.post('/v1/policies', { name: 'Office' }, { headers })).status).toBe(409)
})

const scope = {
  tenant: { accountId: 'acct_1', mode: 'test' },
  operation: 'v1_create_profile',
  key: 'once',
} as const
const request = { path: {}, query: {}, body: person }
const newer = `k2:${Buffer.alloc(32, 8).toString('base64')}`
const now = new Date('2026-01-01T00:00:00Z')
const digestsOf = (keys: string, unkeyedUntil: Date | null = null) =>
  createRequestDigests({ keys: envKeyProvider(keys), unkeyedUntil })

test('a key that was rotated still compares what it digested, and the new one digests what comes', () => {
  const before = digestsOf(testKeys).of(scope, request, now)
  const rotated = digestsOf(`${testKeys},${newer}`)
  expect(rotated.isOf(before, scope, request)).toBe(true)
  expect(rotated.isOf(before, scope, { ...request, body: { ...person, first_name: 'Augusta' } })).toBe(false)
  const after = rotated.of(scope, request, now)
  expect(after.digest_key).toBe('k2')
  expect(after.keyed_digest).not.toEqual(before.keyed_digest)
  expect(() => digestsOf(testKeys).isOf(after, scope, request)).toThrow('k2')
})

test('while processes of before may run beside, a row carries what they compare, and afterwards no longer', () => {
  const digests = digestsOf(testKeys, new Date(now.getTime() + 1))
  expect(digests.of(scope, request, now).request_digest).toEqual(unkeyed(person))
  expect(digests.of(scope, request, new Date(now.getTime() + 1)).request_digest).toBe(null)
  const beside = digests.of(scope, request, now)
  expect(digests.isOf({ ...beside, request_digest: Buffer.alloc(32) }, scope, request)).toBe(true)
})

test('a new database never has an unkeyed digest', async () => {
  expect(await readUnkeyedUntil(app.parts.pools)).toBe(null)
  await app.sql(`update idempotency_digests set unkeyed_until = '2100-01-01'`)
  expect(await readUnkeyedUntil(app.parts.pools)).toEqual(new Date('2100-01-01T00:00:00Z'))
  await app.sql(`update idempotency_digests set unkeyed_until = '-infinity'`)
})
