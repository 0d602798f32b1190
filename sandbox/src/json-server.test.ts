import { expect, test } from 'vitest'
import { json, list, type Route, serveJson } from './json-server.ts'

async function withServer(
  routes: Route[],
  settled: () => Promise<void>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = await serveJson({ port: 0, routes, settled })
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
