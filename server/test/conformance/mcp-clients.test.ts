import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowSmall, openWorld, type World } from '../agent/world.ts'
import { type Buying, startBuying } from '../harness/buying.ts'

/** What all of these clients have in common, in the words that this test needs. */
type Client = {
  connect(transport: object): Promise<void>
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: object }): Promise<Result>
  getNegotiatedProtocolVersion?(): string
  close(): Promise<void>
}
type Result = { isError?: boolean; structuredContent?: Record<string, unknown>; content: { text: string }[] }
type ClientClass = new (info: object, options?: object) => Client
type TransportClass = new (url: URL, options: object) => { protocolVersion?: string }

/** Named by variables, so that the types of three generations of a package are not all read. */
async function load(from: string, name: string): Promise<unknown> {
  return (await import(from))[name]
}

type Generation = { about: string; speaks: string; client: string; transport: string; options?: object }

const sdk = (about: string, speaks: string, folder: string): Generation => ({
  about,
  speaks,
  client: `${folder}/client/index.js`,
  transport: `${folder}/client/streamableHttp.js`,
})
const v2 = '@modelcontextprotocol/client'
const newest = { mode: { pin: '2026-07-28' } }

const generations: readonly Generation[] = [
  sdk('v1 of May 2025', '2025-03-26', 'mcp-sdk-1-11'),
  sdk('v1 of July 2025', '2025-06-18', 'mcp-sdk-1-17'),
  sdk('v1, the newest', '2025-11-25', '@modelcontextprotocol/sdk'),
  { about: 'v2', speaks: '2025-11-25', client: v2, transport: v2 },
  {
    about: 'v2 without a greeting',
    speaks: '2026-07-28',
    client: v2,
    transport: v2,
    options: { versionNegotiation: newest },
  },
]

let buying: Buying
beforeAll(async () => {
  buying = await startBuying()
})
afterAll(() => buying?.stop())

async function connected(generation: Generation, key: string): Promise<Client> {
  const Client = (await load(generation.client, 'Client')) as ClientClass // these packages export classes of these names
  const Transport = (await load(generation.transport, 'StreamableHTTPClientTransport')) as TransportClass
  const client = new Client({ name: 'test', version: '1' }, generation.options)
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const transport = new Transport(new URL(`${buying.app.url}/mcp/v1`), { requestInit })
  await client.connect(transport)
  // The oldest does not say what it speaks.
  const spoken = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? '2025-03-26'
  expect(spoken).toBe(generation.speaks)
  return client
}

describe.each(generations)('the client $about', (generation) => {
  let world: World
  let client: Client
  beforeAll(async () => {
    world = await openWorld(buying)
    await allowSmall(world)
    client = await connected(generation, world.agentKey.token)
  })
  afterAll(() => client?.close())

  test('lists what its key may call, and buys', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('v1_create_purchase_intent')
    expect(tools.map(({ name }) => name)).not.toContain('v1_approve_purchase_intent')
    const items = [
      { url: 'https://shop.example/cup', quantity: 1, expected_amount: 1000, expected_currency: 'USD' },
    ]
    const created = await client.callTool({
      name: 'v1_create_purchase_intent',
      arguments: { profile_id: world.profileId, items, idempotency_key: 'cup-1' },
    })
    expect(created.isError ?? false, JSON.stringify(created)).toBe(false)
    let purchase = created.structuredContent ?? {}
    while (!purchase.completed_at) {
      const { id, sequence } = purchase
      const args = { purchase_intent_id: id, wait_seconds: 25, after_sequence: sequence }
      const read = await client.callTool({ name: 'v1_get_purchase_intent', arguments: args })
      expect(read.isError ?? false, JSON.stringify(read)).toBe(false)
      purchase = read.structuredContent ?? {}
    }
    expect(purchase).toMatchObject({ status: 'succeeded', actual_amount: 1380 })
  })

  test('shows the words of a refusal', async () => {
    const cases: [string, object, string][] = [
      ['v1_get_purchase_intent', { purchase_intent_id: 'pi_none' }, 'not_found'],
      ['v1_create_purchase_intent', { profile_id: world.profileId, items: [] }, 'too_short'],
      ['v1_approve_purchase_intent', { purchase_intent_id: 'pi_none', approve: true }, 'insufficient_scope'],
    ]
    for (const [name, args, word] of cases) {
      const refused = await client.callTool({ name, arguments: args })
      expect([name, refused.isError]).toEqual([name, true])
      expect(refused.content[0]?.text).toContain(word)
    }
  })

  test('says why a key opens nothing', async () => {
    const refused = connected(generation, 'pr_sk_test_00000000000000000000')
    await expect(refused).rejects.toThrow(/API key|401|Unauthorized/i)
  })
})
