import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../../src/app.ts'
import { operations, product } from '../../src/composition.ts'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { defineOperation, type Operation, reply } from '../../src/contract/operation.ts'
import { Closed } from '../../src/contract/schemas.ts'
import type { Scope } from '../../src/contract/scopes.ts'
import { toolsOf } from '../../src/contract/tools.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { type Members, toySurface } from './toy/toy-surface.ts'

/** Of ours, these two also stand on the toy. */
const shared = ['v1_create_profile', 'v1_get_profile']
const onToy = operations.map((operation) =>
  shared.includes(operation.id) ? { ...operation, surfaces: [...operation.surfaces, 'toy'] } : operation,
)

const held = Promise.withResolvers<void>()
let holding = 0
/** It stands nowhere else. */
const holdDoor: Operation = defineOperation({
  id: 'v1_hold_door',
  method: 'POST',
  path: '/v1/door',
  auth: 'secret',
  scope: 'profiles:read',
  surfaces: ['toy'],
  tag: 'Profiles',
  summary: 'Hold the door',
  readOnly: true,
  responses: { 200: Closed({ held: Type.Boolean() }) },
  async handle() {
    holding += 1
    await held.promise
    return reply(200, { held: true })
  },
})
const all = [...onToy, holdDoor]

const members: Members = new Map()
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    operations: all,
    surfaces: [toySurface(members, product.problems)],
    limits: { requests: 2 },
    checkReplies: false,
  })
  const join = (word: string, { accountId }: TestApp['account'], scopes: readonly Scope[]) => {
    const tenant = { accountId, mode: 'test' } as const
    members.set(word, { tenant, agent: app.parts.newId('agent', Date.now()), scopes })
  }
  join('sesame', app.account, ['profiles:read', 'profiles:write'])
  join('look', app.account, ['profiles:read'])
  join('other', app.stranger, ['profiles:read', 'profiles:write'])
})
afterAll(() => app.stop())

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }

async function ask(
  method: string,
  path: string,
  word: string,
  given: { body?: unknown; once?: string } = {},
) {
  const { body, once } = given
  const response = await fetch(`${app.url}/toy${path}`, {
    method,
    headers: {
      'toy-word': word,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(once === undefined ? {} : { 'toy-once': once }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
  const answered: any = await response.json()
  return { status: response.status, type: response.headers.get('content-type'), body: answered }
}

test('a caller of another surface uses an operation of ours, and its doings are written under its own name', async () => {
  const made = await ask('POST', '/profiles', 'sesame', { body: ada })
  expect(made).toMatchObject({ status: 201, body: { yours: { object: 'profile', ...ada }, again: false } })
  const { id } = made.body.yours
  expect((await app.get(`/v1/profiles/${id}`)).body).toEqual(made.body.yours)
  expect(await app.sql('select actor_type, actor_id from events where aggregate_id = $1', [id])).toEqual([
    { actor_type: 'api_key', actor_id: expect.stringMatching(/^agent_/) },
  ])
})

test('a repeated key is one request, on its surface and beside it', async () => {
  const first = await ask('POST', '/profiles', 'sesame', { body: ada, once: 'only-once' })
  const again = await ask('POST', '/profiles', 'sesame', { body: ada, once: 'only-once' })
  expect(again).toMatchObject({ status: 201, body: { yours: first.body.yours, again: true } })
  const overRest = await app.post('/v1/profiles', ada, { headers: { 'idempotency-key': 'only-once' } })
  expect([overRest.headers.get('idempotent-replayed'), overRest.body]).toEqual(['true', first.body.yours])
  const other = await ask('POST', '/profiles', 'sesame', {
    body: { ...ada, first_name: 'Grace' },
    once: 'only-once',
  })
  expect(other).toMatchObject({ status: 409, body: { type: 'toy:idempotency_key_conflict' } })
})

test('every refusal is in the words of the surface', async () => {
  const problem = 'application/problem+json'
  const { yours } = (await ask('POST', '/profiles', 'sesame', { body: ada })).body
  const refusals = await Promise.all([
    ask('GET', `/profiles/${yours.id}`, 'open'),
    ask('POST', '/profiles', 'look', { body: ada }),
  ])
  const later = [
    await ask('POST', '/profiles', 'sesame', { body: { ...ada, country: 7, more: 1 } }),
    await ask('GET', `/profiles/${yours.id}`, 'other'),
    await ask('GET', '/profiles/prof_%zz', 'sesame'),
    await ask('POST', '/profiles', 'sesame', { body: { ...ada, last_name: 'x'.repeat(300_000) } }),
    await ask('DELETE', '/profiles', 'sesame'),
  ]
  expect([...refusals, ...later].map(({ status, body }) => [status, body.type ?? body.detail.code])).toEqual([
    [401, 'toy:unauthorized'],
    [403, 'toy:insufficient_scope'],
    [422, 'toy:invalid'],
    [404, 'toy:not_found'],
    // A path that cannot be read is no surface's.
    [400, 'bad_request'],
    [413, 'toy:payload_too_large'],
    [405, 'toy:method_not_allowed'],
  ])
  for (const { status, type } of [...refusals, ...later])
    expect([status, type]).toEqual([status, status === 400 ? 'application/json; charset=utf-8' : problem])
  expect(refusals[1]?.body.title).toMatch(/^This key lacks the scope profiles:write/)
  expect(later[0]?.body.faults).toEqual(expect.arrayContaining(['body.country', 'body.more']))
})

test('an id of another tenant is answered as one that never was', async () => {
  const { yours } = (await ask('POST', '/profiles', 'sesame', { body: ada })).body
  const words = async (id: string) => {
    const { status, body } = await ask('GET', `/profiles/${id}`, 'other')
    return { status, body: { ...body, instance: '' } }
  }
  expect(await words(yours.id)).toEqual(await words(`prof_${'0'.repeat(26)}`))
})

test('callers of all surfaces share the places of their account', async () => {
  const waiting = [ask('POST', '/door', 'look'), ask('POST', '/door', 'sesame')]
  await expect.poll(() => holding).toBe(2)
  expect(await ask('POST', '/door', 'look')).toMatchObject({
    status: 429,
    body: { type: 'toy:rate_limited' },
  })
  expect((await app.get('/v1/profiles')).status).toBe(429)
  expect((await ask('GET', '/profiles/prof_none', 'other')).status).toBe(404)
  held.resolve()
  expect((await Promise.all(waiting)).map(({ body }) => body)).toEqual([
    { yours: { held: true }, again: false },
    { yours: { held: true }, again: false },
  ])
})

test('an operation that does not stand on REST is neither there, nor in its document, nor a tool', async () => {
  expect((await app.post('/v1/door')).status).toBe(404)
  expect(JSON.stringify(openApiDocument(all, product))).not.toContain('v1_hold_door')
  expect(toolsOf(all).map(({ definition }) => definition.name)).not.toContain('v1_hold_door')
})

test('an operation on a surface that there is not is found out when the API is composed', () => {
  const compose = () =>
    createApi(app.parts, {
      operations: all,
      anonymousDiscovery: true,
      onRequest: () => undefined,
      onBug: () => undefined,
    })
  expect(compose).toThrow('stands on toy, which is no surface')
})
