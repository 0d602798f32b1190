import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/harness/app.ts'
import { registerHealth } from './health.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

test('a serving process is alive and ready, without a key', async () => {
  const alive = await app.get('/healthz', { key: null })
  const ready = await app.get('/readyz', { key: null })
  expect([alive.status, alive.body, ready.status, ready.body]).toEqual([
    200,
    { status: 'ok' },
    200,
    { status: 'ready' },
  ])
})

test.each([
  ['the database refuses', () => Promise.reject(new Error('gone')), false, 'database'],
  ['the database hangs', () => new Promise<boolean>(() => undefined), false, 'database'],
  ['the process stops', async () => true, true, 'stopping'],
])('when %s it is alive and not ready', async (_what, isDatabaseReady, isDraining, status) => {
  const server = Fastify()
  const draining = new AbortController()
  if (isDraining) draining.abort()
  registerHealth(server, { isDatabaseReady, draining: draining.signal })
  expect((await server.inject('/healthz')).statusCode).toBe(200)
  const ready = await server.inject('/readyz')
  expect([ready.statusCode, ready.json()]).toEqual([503, { status }])
})
