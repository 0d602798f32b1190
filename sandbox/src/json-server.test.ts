import { request } from 'node:http'
import { expect, test } from 'vitest'
import { json, list, type Route, serveJson } from './json-server.ts'

const controlToken = 'open-sesame'

async function withServer(
  routes: Route[],
  settled: () => Promise<void>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = await serveJson({ port: 0, routes, settled, controlToken })
  await work(server.url).finally(() => server.close())
}

const echo: Route = {
  method: 'POST',
  path: '/things/:id',
  handle: (call) => json(200, { id: call.params.id, ...call.body() }),
}

test('no answer leaves before the memory behind it has settled', async () => {
  const seen: string[] = []
  const disk = Promise.withResolvers<void>()
  const settled = () => {
    seen.push('asked')
    setImmediate(() => {
      seen.push('settled')
      disk.resolve()
    })
    return disk.promise
  }
  await withServer([echo], settled, async (url) => {
    await fetch(`${url}/things/1`, { method: 'POST', body: '{}' })
    seen.push('answered')
  })
  expect(seen).toEqual(['asked', 'settled', 'answered'])
})

test.each([
  ['[1]', 400],
  ['{"a":', 400],
  ['', 400],
  [JSON.stringify({ text: 'x'.repeat(1 << 20) }), 413],
  ['{"a":1}', 200],
])('a body of the wrong kind is refused (%#)', async (body, status) => {
  await withServer(
    [echo],
    () => Promise.resolve(),
    async (url) => {
      expect((await fetch(`${url}/things/1`, { method: 'POST', body })).status).toBe(status)
    },
  )
})

test('a long list arrives whole, also when the reader is slower than the writer', async () => {
  const entries = Array.from({ length: 50_001 }, (_, index) => ({ index, text: 'x'.repeat(100) }))
  const route: Route = { method: 'GET', path: '/log', handle: () => list(entries) }
  await withServer(
    [route],
    () => Promise.resolve(),
    async (url) => {
      const received: unknown = await (await fetch(`${url}/log`)).json()
      expect(received).toEqual(entries)
    },
  )
})

test('an empty list is an empty array', async () => {
  await withServer(
    [{ method: 'GET', path: '/log', handle: () => list([]) }],
    () => Promise.resolve(),
    async (url) => {
      expect(await (await fetch(`${url}/log`)).json()).toEqual([])
    },
  )
})

test.each([
  ['no token', {}, 401],
  ['another token', { authorization: 'Bearer open-sesamx' }, 401],
  ['the token', { authorization: 'Bearer open-sesame' }, 200],
])('a request that changes a service is refused with %s: %i', async (_, headers, status) => {
  const control: Route = { ...echo, path: '/control/:id', isControl: true }
  await withServer(
    [control],
    () => Promise.resolve(),
    async (url) => {
      const body = '{}'
      expect((await fetch(`${url}/control/1`, { method: 'POST', headers, body })).status).toBe(status)
    },
  )
})

test.each([
  ['rebind.example', 421],
  ['127.0.0.1.rebind.example:80', 421],
  ['localhost:1', 200],
])('a page that found a name for this machine does not reach it: %s', async (host, status) => {
  await withServer(
    [{ method: 'GET', path: '/log', handle: () => list([]) }],
    () => Promise.resolve(),
    async (url) => {
      const answered = Promise.withResolvers<number | undefined>()
      request(`${url}/log`, { headers: { host } }, (response) => {
        response.resume()
        answered.resolve(response.statusCode)
      }).end()
      expect(await answered.promise).toBe(status)
    },
  )
})
