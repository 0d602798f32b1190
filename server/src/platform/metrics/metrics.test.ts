import { expect, test } from 'vitest'
import { createMetrics, watchPools } from './metrics.ts'
import { serveMetrics } from './metrics-server.ts'

test('what was counted is served as text on a port of its own, and nothing else is', async () => {
  const metrics = createMetrics({ defaults: true })
  watchPools(metrics, { size: () => ({ writers: 5, idle: 2, waiting: 1 }) })
  metrics.requests.inc({ operation: 'v1_create_profile', status: '201' })
  metrics.relayParked.set(3)
  const server = await serveMetrics({ registry: metrics.registry, host: '127.0.0.1', port: 0 })
  try {
    const text = await (await fetch(server.url)).text()
    expect(text).toContain('prokura_http_requests_total{operation="v1_create_profile",status="201"} 1')
    expect(text).toContain('prokura_relay_parked_events 3')
    expect(text).toContain('prokura_database_connections{state="busy"} 3')
    expect(text).toContain('prokura_database_connections{state="waiting"} 1')
    expect(text).toContain('process_cpu_seconds_total')
    expect((await fetch(server.url.replace('/metrics', '/'))).status).toBe(404)
    expect((await fetch(server.url, { method: 'POST' })).status).toBe(404)
  } finally {
    await server.close()
  }
})
