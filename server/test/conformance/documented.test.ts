import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { documented, type ToolResult, type WireAnswer } from '../harness/documented.ts'
import { person } from '../harness/person.ts'
import { openClient } from '../suites/client.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

async function truth(
  path: string,
  options: { method?: string; key?: string | null } = {},
): Promise<WireAnswer> {
  const { method = 'GET', ...given } = options
  const { status, headers, body } = await app.request(method, path, given)
  return { method, path, status, body, header: (name) => headers.get(name) }
}

const check = (answer: WireAnswer) => documented().answer(answer)

test('an answer that tells the truth passes; each way to lie is noticed, with the operation and the place', async () => {
  const { body: profile } = await app.post('/v1/profiles', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    country: 'GB',
  })
  const read = await truth(`/v1/profiles/${profile.id}`)
  expect(check(read)).toBeNull()
  const without = (name: string): WireAnswer => ({
    ...read,
    header: (asked) => (asked.toLowerCase() === name ? null : read.header(asked)),
  })
  const also = (name: string, value: string): WireAnswer => ({
    ...read,
    header: (asked) => (asked.toLowerCase() === name ? value : read.header(asked)),
  })
  const { email: _, ...forgetful } = profile
  const lies: [WireAnswer, string][] = [
    [{ ...read, status: 202 }, 'v1_get_profile 202 is no status of this operation'],
    [{ ...read, status: 404 }, 'refuses'],
    [{ ...read, body: { ...profile, surprise: 1 } }, 'must NOT have additional properties'],
    [{ ...read, body: forgetful }, "must have required property 'email'"],
    [{ ...read, body: { ...profile, country: 'gb' } }, '/country: must match pattern'],
    [{ ...read, body: { ...profile, status: 'excellent' } }, '/status'],
    [{ ...read, body: undefined }, 'no JSON'],
    [without('request-id'), 'the header Request-Id is missing'],
    [also('request-id', 'req_1'), 'the header Request-Id'],
    [also('idempotent-replayed', 'true'), 'Idempotent-Replayed is not shown'],
    [also('content-type', 'text/html'), 'the content type "text/html" is not shown'],
  ]
  for (const [lie, noticed] of lies) expect(check(lie)).toContain(noticed)
  expect(documented().tool('v1_get_profile', resultOf(200, profile))).toBeNull()
  expect(documented().tool('v1_get_profile', resultOf(200, forgetful))).toContain('v1_get_profile')
})

test('the result of a tool is held to its shape: structure for successes, which is the text, and none for refusals', async () => {
  const made = await app.post('/v1/profiles', person)
  const refused = { detail: (await app.get('/v1/profiles/prof_unknown')).body.detail }
  const about = (result: ToolResult) => documented().tool('v1_get_profile', result)
  const good = resultOf(200, made.body)
  const bad = { ...resultOf(404, refused), isError: true, structuredContent: undefined }
  expect([about(good), about(bad)]).toEqual([null, null])
  expect(about({ ...good, structuredContent: undefined })).toContain('its structure is not its text')
  expect(about({ ...good, isError: true })).toContain('a success that is an error')
  expect(about({ ...bad, isError: false })).toContain('a refusal that is no error')
  expect(about({ ...bad, structuredContent: refused })).toContain('a refusal with structure')
})

function resultOf(status: number, body: object): ToolResult {
  return {
    content: [{ text: JSON.stringify(body) }],
    structuredContent: body,
    _meta: { http_status: status },
  }
}

test('a path that is written out is not taken for an id', () => {
  const header = (name: string) => (name === 'Request-Id' ? 'req_01jb2w9m4ye6xs3kq8t7v5c0zd' : null)
  const answer = { method: 'POST', path: '/v1/policies/simulate', status: 299, body: {}, header }
  expect(check(answer)).toContain('v1_simulate_policy')
  expect(check({ ...answer, path: '/v1/policies/pol_1' })).toContain('v1_update_policy')
})

test('refusals are held to their shape, where an operation is and where none is', async () => {
  for (const path of ['/v1/profiles/prof_unknown', '/v1/nothing', '/v1/profiles?colour=red']) {
    const refused = await truth(path)
    expect(check(refused)).toBeNull()
    expect(check({ ...refused, body: { error: 'no' } })).toContain("must have required property 'detail'")
  }
  const anonymous = await truth('/v1/profiles', { key: null })
  expect(anonymous.status).toBe(401)
  expect(
    check({ ...anonymous, header: (name) => (name === 'WWW-Authenticate' ? null : anonymous.header(name)) }),
  ).toContain('WWW-Authenticate is missing')
})

test('a client of the suites fails on the first answer that is not as documented', async () => {
  const liar = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'request-id': 'req_01jb2w9m4ye6xs3kq8t7v5c0zd',
    })
    response.end('{"object":"list","data":[],"total":"none","limit":1,"offset":0,"has_more":false}')
  })
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  const { port } = liar.address() as AddressInfo // it listens on TCP
  const client = openClient(`http://127.0.0.1:${port}`)
  await expect(client.rest({ method: 'GET', path: '/v1/profiles' })).rejects.toThrow(
    /v1_list_profiles 200: .*\/total: must be integer/,
  )
  await client.close()
  liar.close()
})
