import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Refusal } from '../src/contract/problem.ts'
import type { Scope } from '../src/contract/scopes.ts'
import { openDispatch } from '../src/dispatch.ts'
import { openParts } from '../src/parts.ts'
import type { Dispatch } from '../src/platform/calls/dispatch.ts'
import { innerCall } from '../src/platform/calls/inner-call.ts'
import type { Principal } from '../src/platform/calls/principal.ts'
import { createMemoryHints } from '../src/platform/hints/memory-hints.ts'
import { envKeyProvider } from '../src/platform/secrets/keys.ts'
import { startTestApp, type TestAccount, type TestApp, testKeys } from './harness/app.ts'

let app: TestApp
let worker: Awaited<ReturnType<typeof openParts>>
let dispatch: Dispatch
const bugs: unknown[] = []

beforeAll(async () => {
  app = await startTestApp()
  // As a worker or a command has them: without the shares of a process that serves callers.
  worker = await openParts({
    databaseUrl: app.databaseUrl,
    role: 'worker',
    keys: envKeyProvider(testKeys),
    hints: createMemoryHints(),
    settings: { ...app.parts.settings, limits: { ...app.parts.settings.limits, requests: 1 } },
    testClock: false,
    writers: 2,
    readers: 1,
    onDatabaseError: (error) => bugs.push(error),
  })
  dispatch = openDispatch(worker, { onBug: (error) => bugs.push(error) })
})
afterAll(async () => {
  await worker.close()
  await app.stop()
})

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }

function talker({ accountId }: TestAccount, ...scopes: Scope[]): Principal {
  const principal: Principal = {
    kind: 'key',
    tenant: { accountId, mode: 'test' },
    actor: { type: 'api_key', id: worker.newId('agent', Date.now()) },
    keyId: worker.newId('key', Date.now()),
    profileId: null,
    scopes: new Set(scopes),
    renew: () => principal,
  }
  return principal
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
type Ended = { status?: number; body?: any; refused?: Refusal }

async function call(principal: Principal, id: `v1_${string}`, asked: Asked): Promise<Ended> {
  const outcome = await dispatch(principal, { id }, innerCall(worker.newId, asked))
  if (outcome.kind === 'answered') return { status: outcome.status, body: JSON.parse(outcome.body) }
  if (outcome.kind === 'refused') return { refused: outcome.refusal }
  throw new Error(`a ${outcome.kind} was not expected`)
}

type Asked = Parameters<typeof innerCall>[1]

test('a process without HTTP calls an operation, and what it did is written under the name of its caller', async () => {
  const chat = talker(app.account, 'profiles:read', 'profiles:write')
  const made = await call(chat, 'v1_create_profile', { body: ada })
  expect(made).toMatchObject({ status: 201, body: { object: 'profile', ...ada } })
  expect((await app.get(`/v1/profiles/${made.body.id}`)).body).toEqual(made.body)
  expect(
    await app.sql('select actor_type, actor_id from events where aggregate_id = $1', [made.body.id]),
  ).toEqual([{ actor_type: 'api_key', actor_id: chat.actor.id }])
  const listed = await call(chat, 'v1_list_profiles', { query: { limit: 1 } })
  expect(listed).toMatchObject({ status: 200, body: { data: [{ id: made.body.id }] } })
})

test('it is refused as over REST: scope, schema, tenant, an unknown operation', async () => {
  const chat = talker(app.account, 'profiles:read', 'profiles:write')
  const { body: profile } = await call(chat, 'v1_create_profile', { body: ada })
  const path = { profile_id: profile.id }
  const reader = talker(app.account, 'profiles:read')
  expect(await call(reader, 'v1_create_profile', { body: ada })).toMatchObject({
    refused: { code: 'insufficient_scope' },
  })
  const strange = await call(chat, 'v1_create_profile', { body: { ...ada, country: 7, more: 1 } })
  const overRest = await app.post('/v1/profiles', { ...ada, country: 7, more: 1 })
  expect(strange.refused).toMatchObject({ issues: overRest.body.detail })
  const other = talker(app.stranger, 'profiles:read')
  expect(await call(other, 'v1_get_profile', { path })).toMatchObject({ refused: { code: 'not_found' } })
  expect(await call(chat, 'v1_hold_door', {})).toMatchObject({ refused: { code: 'not_found' } })
  expect(bugs).toEqual([])
})

test('an idempotency key is one request, whoever uses it and on which way', async () => {
  const chat = talker(app.account, 'profiles:read', 'profiles:write')
  const first = await call(chat, 'v1_create_profile', { body: ada, idempotencyKey: 'from-inside' })
  const again = await app.post('/v1/profiles', ada, { headers: { 'idempotency-key': 'from-inside' } })
  expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body])
  const changed = { ...ada, first_name: 'Grace' }
  expect(
    await call(chat, 'v1_create_profile', { body: changed, idempotencyKey: 'from-inside' }),
  ).toMatchObject({
    refused: { code: 'idempotency_key_conflict' },
  })
})

test('its calls take the places of their account in this process', async () => {
  const chat = talker(app.account, 'profiles:read', 'profiles:write')
  const both = await Promise.all([
    call(chat, 'v1_create_profile', { body: ada }),
    call(chat, 'v1_create_profile', { body: ada }),
  ])
  expect(both).toMatchObject([{ status: 201 }, { refused: { code: 'rate_limited' } }])
})
