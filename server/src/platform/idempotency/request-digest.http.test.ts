import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp, testKeys } from '../../../test/harness/app.ts'
import { envKeyProvider } from '../secrets/keys.ts'
import { createRequestDigests } from './request-digest.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await app.stop()
})

const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }

type Row = { keyed_digest: Buffer; digest_key: string }

async function rowOf(key: string): Promise<Row> {
  const [row] = await app.sql<Row>(`select keyed_digest, digest_key from idempotency_keys where key = $1`, [
    key,
  ])
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
  const { keyed_digest } = await rowOf('birth')
  const found = [...birthDates()].filter((guess) => keyed_digest.equals(unkeyed({ ...person, dob: guess })))
  expect(found).toEqual([])
})

test('two equal requests under two keys do not show as equal', async () => {
  for (const key of ['equal-1', 'equal-2'])
    expect((await app.post('/v1/profiles', person, { headers: { 'idempotency-key': key } })).status).toBe(201)
  const [first, second] = [await rowOf('equal-1'), await rowOf('equal-2')]
  expect(first.digest_key).toBe('k1')
  expect(first.keyed_digest).not.toEqual(second.keyed_digest)
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

test('the order of fields, spaces and the writing of a number make no other request, and a key is of its operation', async () => {
  const headers = { 'idempotency-key': 'written-otherwise', 'content-type': 'application/json' }
  const card = (amount: string) =>
    `"fulfillment_type":"shipping","currency":"USD","timing":{},"zones":[{"country":"US"}],"rate":{"kind":"flat","amount":${amount}}`
  const send = (raw: string) => app.request('POST', '/v1/rate_cards', { headers, raw })
  const first = await send(`{"name":"Post",${card('500')}}`)
  const again = await send(`{ ${card('500.0')} ,\n "name":"Post" }`)
  expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
  expect(again.body).toEqual(first.body)
  const other = await send(`{"name":"Post",${card('501')}}`)
  expect([other.status, other.body.detail.code]).toEqual([409, 'idempotency_key_conflict'])
  expect((await app.post('/v1/profiles', person, { headers })).status).toBe(201)
})

test('a request that was refused leaves its key free for the one that is mended', async () => {
  const headers = { 'idempotency-key': 'mended' }
  const { email: _, ...without } = person
  expect((await app.post('/v1/profiles', without, { headers })).status).toBe(422)
  const mended = await app.post('/v1/profiles', person, { headers })
  expect([mended.status, mended.headers.get('idempotent-replayed')]).toEqual([201, null])
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

const scope = {
  tenant: { accountId: 'acct_1', mode: 'test' },
  operation: 'v1_create_profile',
  key: 'once',
} as const
const request = { path: {}, query: {}, body: person }
const newer = `k2:${Buffer.alloc(32, 8).toString('base64')}`
const digestsOf = (keys: string) => createRequestDigests(envKeyProvider(keys))

test('a key that was rotated still compares what it digested, and the new one digests what comes', () => {
  const before = digestsOf(testKeys).of(scope, request)
  const rotated = digestsOf(`${testKeys},${newer}`)
  expect(rotated.isOf(before, scope, request)).toBe(true)
  expect(rotated.isOf(before, scope, { ...request, body: { ...person, first_name: 'Augusta' } })).toBe(false)
  const after = rotated.of(scope, request)
  expect(after.digest_key).toBe('k2')
  expect(after.keyed_digest).not.toEqual(before.keyed_digest)
  expect(() => digestsOf(testKeys).isOf(after, scope, request)).toThrow('k2')
})
