import type { Benchmark, Contestant } from '../benchmark.ts'
import { jsonRequest, type LoadRequest, startLoad } from '../load/load.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { startWorld } from '../world/world.ts'

const concurrency = 16

/** The same operation as a request and as a tool. */
export const mcpBench: Benchmark = {
  name: 'mcp',
  about: 'calls a tool, compared with the same REST request: a read, and a create',
  unit: 'call',
  seconds: 3,
  async prepare() {
    const world = await startWorld({ workers: 0 })
    const profileId = await makeBuyer(world)
    const load = await startLoad()
    const key = world.ready.keys.secret_test
    const purchase = purchaseBody(world, profileId)
    const tool = (name: string, args: object): LoadRequest =>
      jsonRequest(
        key,
        'POST',
        '/mcp/v1',
        200,
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
      )
    const contestant = (name: string, request: LoadRequest): Contestant => ({
      name,
      processes: world.processes,
      async before() {
        await world.database.query('truncate outbox')
        await world.database.query('vacuum analyze')
      },
      run: (seconds) => load.run({ url: world.ready.base_url, requests: [request], concurrency, seconds }),
    })
    const idempotency = { 'idempotency-key': 'rest-{{n}}' }
    return {
      postgres: world.postgres,
      contestants: [
        contestant('REST read', jsonRequest(key, 'GET', `/v1/profiles/${profileId}`, 200)),
        contestant('MCP read', tool('v1_get_profile', { profile_id: profileId })),
        contestant(
          'REST create',
          jsonRequest(key, 'POST', '/v1/purchase_intents', 201, purchase, idempotency),
        ),
        contestant(
          'MCP create',
          tool('v1_create_purchase_intent', { ...purchase, idempotency_key: 'mcp-{{n}}' }),
        ),
      ],
      comparisons: [
        {
          about: 'reads, MCP of REST',
          of: 'MCP read',
          against: 'REST read',
          measure: 'rate',
          bound: { at: 'least', floor: 0.75, aim: 0.85 },
        },
        {
          about: 'creates, MCP of REST',
          of: 'MCP create',
          against: 'REST create',
          measure: 'rate',
          bound: { at: 'least', floor: 0.75, aim: 0.85 },
        },
      ],
      facts: { 'under way at once': concurrency },
      async stop() {
        await load.stop()
        await world.stop()
      },
    }
  },
}
