import { expect, test } from 'vitest'
import { type Backlog, watchBacklog } from './backlog.ts'
import { createMetrics, watchPools } from './metrics.ts'
import { serveMetrics } from './metrics-server.ts'

test('the metrics are served as text on a port of their own, and nothing else is', async () => {
  const metrics = createMetrics({ defaults: true })
  watchPools(metrics, { size: () => ({ writers: 5, idle: 2, waiting: 1 }) })
  metrics.requests.inc({ operation: 'v1_create_profile', status: '201' })
  metrics.relayShards.set(3)
  const server = await serveMetrics({
    registry: metrics.registry,
    host: '127.0.0.1',
    port: 0,
    isReady: async () => true,
  })
  try {
    const text = await (await fetch(server.url)).text()
    expect(text).toContain('prokura_http_requests_total{operation="v1_create_profile",status="201"} 1')
    expect(text).toContain('prokura_relay_shards 3')
    expect(text).toContain('prokura_database_connections{state="busy"} 3')
    expect(text).toContain('prokura_database_connections{state="waiting"} 1')
    expect(text).toContain('process_cpu_seconds_total')
    expect((await fetch(server.url.replace('/metrics', '/'))).status).toBe(404)
    const refused = await fetch(server.url, { method: 'POST' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  } finally {
    await server.close()
  }
})

test('health is answered beside the metrics: alive always, well while the database answers, ready until the stop', async () => {
  let isDatabaseThere = true
  const server = await serveMetrics({
    registry: createMetrics().registry,
    host: '127.0.0.1',
    port: 0,
    isReady: async () => {
      if (!isDatabaseThere) throw new Error('connection refused')
      return true
    },
  })
  const ask = async (path: string) => {
    const response = await fetch(server.url.replace('/metrics', path))
    return `${response.status} ${await response.text()}`
  }
  try {
    expect(await ask('/healthz')).toBe('200 {"status":"ok"}')
    expect(await ask('/readyz')).toBe('200 {"status":"ready"}')
    isDatabaseThere = false
    expect(await ask('/readyz')).toBe('503 {"status":"database"}')
    expect(await ask('/healthz')).toBe('503 {"status":"database"}')
    server.stopping()
    expect(await ask('/readyz')).toBe('503 {"status":"stopping"}')
    expect(await ask('/livez')).toBe('200 {"status":"alive"}')
  } finally {
    await server.close()
  }
})

test('HEAD is answered as GET, without the body', async () => {
  const server = await serveMetrics({
    registry: createMetrics().registry,
    host: '127.0.0.1',
    port: 0,
    isReady: async () => true,
  })
  try {
    for (const path of ['/metrics', '/healthz', '/readyz', '/livez', '/nothing']) {
      const [got, told] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(server.url.replace('/metrics', path), { method })),
      )
      const length = (await got?.text())?.length
      expect([path, told?.status, await told?.text()]).toEqual([path, got?.status, ''])
      for (const name of ['content-type', 'content-length'])
        expect([path, told?.headers.get(name)]).toEqual([path, got?.headers.get(name)])
      expect(told?.headers.get('content-length')).toBe(String(length))
    }
  } finally {
    await server.close()
  }
})

test('the backlog is read once for all that tells of it, and less often the longer that takes', async () => {
  const metrics = createMetrics()
  let nowMs = 0
  let tookMs = 10
  let reads = 0
  const read = async () => {
    reads += 1
    nowMs += tookMs
    return backlog
  }
  watchBacklog(metrics, read, () => nowMs)
  const text = await metrics.registry.metrics()
  expect(text).toContain('prokura_due_rows{kind="carts",state="waiting"} 3')
  expect(text).toContain('prokura_held_amount_minor{mode="test",currency="USD"} 2500')
  expect(text).toContain('prokura_unrelayed_events 7')
  expect(text).toContain('prokura_relay_parked_events 4')
  expect(text).toContain('prokura_relay_failing_events 3')
  expect(text).toContain('prokura_follower_events{follower="deliveries",state="failing"} 2')
  expect(text).toContain('prokura_follower_behind_seconds{follower="audit"} 5')
  expect(reads).toBe(1)
  nowMs = 4_999
  await metrics.registry.metrics()
  expect(reads).toBe(1)
  nowMs = 5_000
  tookMs = 2_000
  await metrics.registry.metrics()
  nowMs = 44_999
  await metrics.registry.metrics()
  expect(reads).toBe(2)
  nowMs = 45_000
  await metrics.registry.metrics()
  expect(reads).toBe(3)
})

test('a database that does not answer leaves no figure, rather than an old one', async () => {
  const metrics = createMetrics()
  let nowMs = 0
  let isThere = true
  const read = async () => {
    if (!isThere) throw new Error('connection refused')
    return backlog
  }
  watchBacklog(metrics, read, () => nowMs)
  await metrics.registry.metrics()
  isThere = false
  nowMs = 10_000
  const text = await metrics.registry.metrics()
  expect(text).not.toMatch(/^prokura_(due|unrelayed|held)/m)
})

const backlog: Backlog = {
  due: [{ kind: 'carts', state: 'waiting', rows: 3 }],
  oldest: [{ kind: 'carts', seconds: 1.5 }],
  unserved: [{ kind: 'carts', mode: 'test', channel: 'simulated', rows: 3 }],
  failing: [{ kind: 'carts', rows: 1 }],
  openPurchases: [{ mode: 'test', status: 'queued', purchases: 2 }],
  openEffects: [{ step: 'capture', state: 'sent', effects: 1 }],
  held: [{ mode: 'test', currency: 'USD', amountMinor: 2500 }],
  unknownOutcomes: [{ mode: 'live', carts: 1 }],
  unrelayed: { events: 7, oldestSeconds: 0.2 },
  followers: [
    { follower: 'deliveries', waiting: 1, failing: 2, parked: 3, oldestSeconds: 4 },
    { follower: 'audit', waiting: 0, failing: 0, parked: 1, oldestSeconds: 5 },
  ],
}
