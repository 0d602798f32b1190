import { randomBytes } from 'node:crypto'
import { product } from '../../src/composition.ts'
import { createIdSource } from '../../src/core/id.ts'
import { createHttpServer } from '../../src/surfaces/http/server.ts'
import { mountEndpoint } from '../../src/surfaces/v1/mcp/endpoint.ts'
import { createProtocol } from '../../src/surfaces/v1/mcp/protocol.ts'
import { rpcRefusal } from '../../src/surfaces/v1/mcp/rpc-refusal.ts'
import type { ToolCaller, ToolReply } from '../../src/surfaces/v1/mcp/tool-caller.ts'
import { defaultLimits } from '../harness/default-limits.ts'

/**
 * The endpoint and the protocol of the product with tools that the official runner calls by their names, in place of the operations. Of
 * the runner's tools these are the ones that answer as tools of the product do.
 */
export async function startMcpFixtures(): Promise<{ url: string; stop(): Promise<void> }> {
  const newId = createIdSource(randomBytes)
  const publicUrl = 'http://127.0.0.1'
  const onBug = (error: unknown) => console.error(error)
  const dialect = rpcRefusal(product.problems)
  const http = createHttpServer({
    dialect,
    publicUrl,
    trustedProxies: [],
    limits: defaultLimits,
    newRequestId: () => newId('req', Date.now()),
    onRequest: () => undefined,
    onBug,
  })
  mountEndpoint(http, {
    path: '/mcp/v1',
    dialect,
    publicUrl,
    receive: (exchange) =>
      new Promise((read, refused) => http.edge.readBody(exchange, null, { read, refused })),
    callerOf: async () => caller,
    answer: createProtocol(onBug),
  })
  return { url: await http.listen({ host: '127.0.0.1', port: 0 }), stop: http.close }
}

type Fixture = { description: string; inputSchema: object; reply: ToolReply }

const caller: ToolCaller = {
  call: async (name) => fixtures.get(name)?.reply ?? null,
  list: () =>
    [...fixtures].map(([name, { description, inputSchema }]) =>
      JSON.stringify({ name, description, inputSchema }),
    ),
  whyNoTools: () => null,
}

const succeeded: ToolReply = { body: '{"object":"fixture"}', isError: false, meta: { http_status: 200 } }
const failed: ToolReply = { body: '{"detail":{}}', isError: true, meta: { http_status: 404 } }

/** Keywords that must reach the client as they were written. */
const manyKeywords = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const fixtures: ReadonlyMap<string, Fixture> = new Map([
  ['test_simple_text', { description: 'Answers text.', inputSchema: { type: 'object' }, reply: succeeded }],
  ['test_error_handling', { description: 'Fails.', inputSchema: { type: 'object' }, reply: failed }],
  [
    'json_schema_2020_12_tool',
    { description: 'Has a schema of many keywords.', inputSchema: manyKeywords, reply: succeeded },
  ],
])
