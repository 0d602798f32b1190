import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../../test/harness/app.ts'
import { startPostgresProxy } from '../../../test/harness/postgres-proxy.ts'
import { openPools, type Pools } from '../database/pool.ts'

const profile = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'US' }

test('while the database is away an answer says so and when to come back, and afterwards everything works as before', async () => {
  const app = await startTestApp()
  onTestFinished(() => app.stop())
  const proxy = await startPostgresProxy(app.databaseUrl)
  onTestFinished(proxy.close)
  const pools: Pools = openPools({
    url: proxy.url,
    writers: 2,
    readers: 1,
    applicationName: 'test',
    onError: () => undefined,
  })
  onTestFinished(() => pools.close())
  // The app's own pools, by way of the proxy from here on.
  const { close } = app.parts.pools
  Object.assign(app.parts.pools, { ...pools, close })
  const made = await app.post('/v1/profiles', profile)
  expect(made.status).toBe(201)

  proxy.cut()
  for (const answer of [
    await app.get(`/v1/profiles/${made.body.id}`),
    await app.post('/v1/profiles', profile),
    await app.mcp('v1_get_profile', { profile_id: made.body.id }),
  ]) {
    expect(answer.status).toBe(503)
    expect(answer.body.detail).toMatchObject({ code: 'unavailable', retryable: true })
  }
  expect((await app.get('/v1/profiles')).headers.get('retry-after')).toBe('1')
  // The log has each for operators.
  expect(app.bugs.splice(0)).toHaveLength(4)

  proxy.open()
  expect((await app.get(`/v1/profiles/${made.body.id}`)).body).toEqual(made.body)
})
