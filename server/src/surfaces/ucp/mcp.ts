import { toJsonSchema } from '../../schema/json-schema.ts'
import { isObject } from '../../schema/schema-node.ts'
import type { Business } from '../http/businesses.ts'
import type { Exchange } from '../http/exchange.ts'
import { requireBusiness } from '../http/find-business.ts'
import { readRawBody } from '../http/read-raw-body.ts'
import { plainLineOf } from '../http/request-line.ts'
import { type RpcId, type RpcSaid, readRpc, rpcError, rpcResult, type ToolCall } from '../http/tool-server.ts'
import { targetOf } from './rest.ts'
import { oldErrorData, type UcpAnswer } from './ucp-answer.ts'
import type { OfferedOperation, Ucp } from './ucp-parts.ts'
import { writeAnswer } from './write-answer.ts'

/** The same operations as tools: JSON-RPC at one address, a request for each call, and nothing to remember between them. */
export function mountMcp(ucp: Ucp, mode: Business['mode'], at: string): void {
  const path = `${at}/{slug}/mcp`
  ucp.http.route({
    methods: ['POST'],
    path,
    dialect: ucp.dialect,
    serve: (exchange) => serve(ucp, { exchange, mode, at, path }),
  })
}

type Serving = { exchange: Exchange; mode: Business['mode']; at: string; path: string }
async function serve(ucp: Ucp, { exchange, mode, at, path }: Serving): Promise<void> {
  const { edge } = ucp.http
  const { slug } = exchange.path
  let raw: Uint8Array
  let business: Business
  try {
    raw = await readRawBody(ucp.http, exchange)
    business = await requireBusiness(ucp.findBusiness, mode, slug)
  } catch (error) {
    return edge.refuse(exchange, error)
  }
  const target = targetOf(exchange, `${at}/${slug}`)
  const said = await answer(ucp, { exchange, business, raw, target })
  // A call writes the line of its operation.
  if (said.isPlain)
    ucp.context.onRequest(plainLineOf(exchange, { route: path, status: said.status, code: null }))
  await writeAnswer(ucp, exchange, said)
}

type UcpRpcAnswer = RpcSaid & { readonly isPlain: boolean }

type Asked = { exchange: Exchange; business: Business; raw: Uint8Array; target: string }

async function answer(ucp: Ucp, asked: Asked): Promise<UcpRpcAnswer> {
  const read = readRpc(asked.raw, {
    name: 'prokura-ucp',
    capabilities: { tools: {} },
    tools: () => ucp.offered.map(listedTool),
  })
  return read.kind === 'said' ? { ...read.said, isPlain: true } : callTool(ucp, asked, read)
}

async function callTool(
  ucp: Ucp,
  { exchange, business, raw, target }: Asked,
  { id, name, given }: ToolCall,
): Promise<UcpRpcAnswer> {
  const offered = ucp.offered.find(({ shopping }) => shopping.tool === name)
  if (!offered)
    return {
      ...rpcError(id, { code: -32602, message: 'This business has no such tool.' }),
      isPlain: true,
    }
  const { argument } = offered.shopping
  const meta = isObject(given.meta) ? given.meta : {}
  const agent = isObject(meta['ucp-agent']) ? meta['ucp-agent'].profile : undefined
  const key = meta['idempotency-key']
  const answered = await ucp.run({
    exchange,
    business,
    offered,
    profileUrl: typeof agent === 'string' ? agent : null,
    raw,
    target,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    path: offered.shopping.path.includes('{id}') ? { id: given.id } : {},
    query: {},
    body: argument === null ? undefined : given[argument],
    bodyError: null,
    coerce: false,
  })
  return { ...saidOverRpc(id, answered), isPlain: false }
}

function saidOverRpc(id: RpcId, answer: UcpAnswer): RpcSaid {
  if (answer.kind === 'document') {
    const content = [{ type: 'text', text: JSON.stringify(answer.body) }]
    return rpcResult(id, { structuredContent: answer.body, content })
  }
  const { rpc, code, content, headers } = answer
  const wait = headers['retry-after']
  const said = answer.isOld ? oldErrorData(answer) : { code, content }
  const data = { ...said, ...(wait === undefined ? {} : { retry_after: Number(wait) }) }
  return { ...rpcError(id, { code: rpc, message: content, data }), headers }
}

function listedTool({ shopping, operation }: OfferedOperation) {
  const { argument, path } = shopping
  const properties = {
    meta: metaSchema,
    ...(path.includes('{id}') ? { id: { type: 'string' } } : {}),
    ...(argument !== null && operation.body ? { [argument]: toJsonSchema(operation.body) } : {}),
  }
  const description = operation.description ?? operation.summary
  return {
    name: shopping.tool,
    description,
    inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  }
}

const metaSchema = {
  type: 'object',
  required: ['ucp-agent'],
  properties: {
    'ucp-agent': {
      type: 'object',
      required: ['profile'],
      properties: { profile: { type: 'string', format: 'uri' } },
    },
    'idempotency-key': { type: 'string' },
  },
}
