import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { bareContext, bareServer } from './bare-server.testing.ts'
import type { Edge } from './edge.ts'
import type { Exchange, Route } from './exchange.ts'
import { healthSurface } from './health.ts'
import type { Http } from './surface.ts'

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

/** Asks without a connection, so that all who ask do so in one turn. */
function serve(isServing: () => Promise<boolean>, isDraining = false): (path: string) => Promise<string> {
  const draining = new AbortController()
  if (isDraining) draining.abort()
  const routes = new Map<string, Route>()
  const said = new Map<unknown, (text: string) => void>()
  const { edge } = bareServer(() => undefined)
  const write: Edge['write'] = (exchange, { status, body }) =>
    said.get(exchange)?.(`${status} ${JSON.parse(String(body)).status}`)
  const http: Http = { route: (route) => void routes.set(route.path, route), edge: { ...edge, write } }
  healthSurface({ isServing }).mount(http, bareContext({ draining: draining.signal }))
  return (path) =>
    new Promise((resolve) => {
      const exchange = {} as Exchange // nothing of it is looked at
      said.set(exchange, resolve)
      void routes.get(path)?.serve(exchange)
    })
}

test.each([
  ['callers are refused', () => Promise.reject(new Error('gone'))],
  ['callers get no answer', () => new Promise<boolean>(() => undefined)],
])('when %s it is alive, and neither well nor ready', async (_what, isServing) => {
  const ask = serve(isServing)
  expect([await ask('/livez'), await ask('/healthz'), await ask('/readyz')]).toEqual([
    '200 alive',
    '503 database',
    '503 database',
  ])
})

test('when the process stops it is alive and well, and not ready', async () => {
  const ask = serve(async () => true, true)
  expect([await ask('/livez'), await ask('/healthz'), await ask('/readyz')]).toEqual([
    '200 alive',
    '200 ok',
    '503 stopping',
  ])
})

test('however many ask for health, callers are asked about once', async () => {
  let looks = 0
  const answered = Promise.withResolvers<boolean>()
  const ask = serve(() => {
    looks += 1
    return answered.promise
  })
  const all = Promise.all(Array.from({ length: 50 }, () => ask('/healthz')))
  answered.resolve(true)
  expect([...new Set(await all), looks]).toEqual(['200 ok', 1])
})
