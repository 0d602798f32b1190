import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { bareServer } from './bare-server.testing.ts'
import { registerHealth } from './health.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

test('a serving process is alive, well and ready, without a key', async () => {
  const answers = await Promise.all(
    ['/livez', '/healthz', '/readyz'].map(async (path) => {
      const { status, body } = await app.get(path, { key: null })
      return [path, status, body.status]
    }),
  )
  expect(answers).toEqual([
    ['/livez', 200, 'alive'],
    ['/healthz', 200, 'ok'],
    ['/readyz', 200, 'ready'],
  ])
})

async function serve(
  isServing: () => Promise<boolean>,
  isDraining = false,
): Promise<(path: string) => Promise<string>> {
  const server = bareServer((error) => {
    throw error
  })
  const draining = new AbortController()
  if (isDraining) draining.abort()
  registerHealth(server, { isServing, draining: draining.signal })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  return async (path) => {
    const answer = await fetch(`${url}${path}`)
    return `${answer.status} ${Object(await answer.json()).status}`
  }
}

test.each([
  ['callers are refused', () => Promise.reject(new Error('gone'))],
  ['callers get no answer', () => new Promise<boolean>(() => undefined)],
])('when %s it is alive, and neither well nor ready', async (_what, isServing) => {
  const ask = await serve(isServing)
  expect([await ask('/livez'), await ask('/healthz'), await ask('/readyz')]).toEqual([
    '200 alive',
    '503 database',
    '503 database',
  ])
})

test('when the process stops it is alive and well, and not ready', async () => {
  const ask = await serve(async () => true, true)
  expect([await ask('/livez'), await ask('/healthz'), await ask('/readyz')]).toEqual([
    '200 alive',
    '200 ok',
    '503 stopping',
  ])
})

test('however many ask for health, callers are asked about once', async () => {
  let looks = 0
  const answered = Promise.withResolvers<boolean>()
  const ask = await serve(() => {
    looks += 1
    return answered.promise
  })
  const all = Promise.all(Array.from({ length: 50 }, () => ask('/healthz')))
  answered.resolve(true)
  expect([...new Set(await all), looks]).toEqual(['200 ok', 1])
})
