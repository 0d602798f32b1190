import { sign, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { type StoppedClock, stopClock } from '../../../test/harness/stopped-clock.ts'
import { createSigningKeys, listSigningKeys, removeSigningKey, rotateSigningKey } from './signing-keys.ts'

let app: TestApp
let clock: StoppedClock
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  clock = await stopClock(app.parts.pools, new Date('2026-03-01T12:00:00Z'))
})
afterAll(() => app.stop())

const minute = 60_000
const day = 24 * 60 * minute
const states = async () => (await listSigningKeys(app.parts)).map(({ state }) => state)

test('the first key is made when it is needed, once for all processes, and its private half is not readable', async () => {
  const many = await Promise.all(Array.from({ length: 6 }, () => createSigningKeys(app.parts).published()))
  const kids = new Set(many.map(([key]) => key?.kid))
  expect(kids.size).toBe(1)
  expect(many.every((keys) => keys.length === 1)).toBe(true)
  const [row] = await app.sql<{ sealed: Buffer }>('select sealed from signing_keys')
  expect(row?.sealed.toString('latin1')).not.toContain('PRIVATE')
  expect(JSON.stringify(many[0])).not.toContain('"d"')
})

test('what it signs, its published half verifies', async () => {
  const keys = createSigningKeys(app.parts)
  const [published] = await keys.published()
  const { kid, key } = await keys.signer()
  expect(published?.kid).toBe(kid)
  const text = Buffer.from('text')
  const signature = sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' })
  const { x = '', y = '' } = published ?? {}
  const jwk = { kty: 'EC', crv: 'P-256', x, y }
  expect(verify('sha256', text, { key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
})

test('a rotation publishes first, signs an hour later, keeps the old key for a week, and forgets it', async () => {
  const [old] = await listSigningKeys(app.parts)
  await Promise.all([rotateSigningKey(app.parts), rotateSigningKey(app.parts)])
  await rotateSigningKey(app.parts)
  expect(await states()).toEqual(['published', 'signing'])
  expect((await createSigningKeys(app.parts).signer()).kid).toBe(old?.kid)
  await clock.advance(60 * minute)
  expect(await states()).toEqual(['signing', 'retired'])
  expect((await createSigningKeys(app.parts).signer()).kid).not.toBe(old?.kid)
  expect(await createSigningKeys(app.parts).published()).toHaveLength(2)
  await clock.advance(7 * day)
  expect(await states()).toEqual(['signing', 'removed'])
  expect(await createSigningKeys(app.parts).published()).toHaveLength(1)
  const [row] = await app.sql<{ sealed: Buffer | null }>('select sealed from signing_keys where kid = $1', [
    old?.kid,
  ])
  expect(row?.sealed).toBeNull()
})

const keySet = async () => {
  const answer = await fetch(`${app.url}/.well-known/jwks.json`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/jwk-set+json'])
  const { keys } = (await answer.json()) as { keys: Record<string, unknown>[] }
  for (const key of keys)
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  return keys.map(({ kid }) => kid)
}

test('what a key has signed can be checked by the key set long after nothing is signed by it any more', async () => {
  const all = await listSigningKeys(app.parts)
  expect(all.map(({ state }) => state)).toContain('removed')
  expect(await keySet()).toEqual(all.map(({ kid }) => kid))
})

test('after ninety days it rotates by itself', async () => {
  await clock.advance(90 * day)
  await createSigningKeys(app.parts).published()
  expect((await states()).slice(0, 2)).toEqual(['published', 'signing'])
  await clock.advance(60 * minute)
  expect((await states()).slice(0, 2)).toEqual(['signing', 'retired'])
})

test('a key that has become known is removed at once, and another one signs', async () => {
  const { kid } = await createSigningKeys(app.parts).signer()
  // The retired one is known to everybody. It is old, so its successor is published too.
  const left = await removeSigningKey(app.parts, kid)
  expect(left?.map(({ state }) => state).slice(0, 3)).toEqual(['published', 'withdrawn', 'signing'])
  const keys = createSigningKeys(app.parts)
  expect((await keys.signer()).kid).not.toBe(kid)
  expect((await keys.published()).map((one) => one.kid)).not.toContain(kid)
  expect((await keys.lasting()).map((one) => one.kid)).not.toContain(kid)
  expect(await removeSigningKey(app.parts, kid)).toBeNull()
  expect(await removeSigningKey(app.parts, 'none')).toBeNull()
})

test('a key that became known after its time is withdrawn as well', async () => {
  const old = (await listSigningKeys(app.parts)).find(({ state }) => state === 'removed')
  expect(await keySet()).toContain(old?.kid)
  const left = await removeSigningKey(app.parts, old?.kid ?? '')
  expect(left?.find(({ kid }) => kid === old?.kid)).toEqual({ ...old, state: 'withdrawn' })
  expect((await createSigningKeys(app.parts).lasting()).map(({ kid }) => kid)).not.toContain(old?.kid)
})
