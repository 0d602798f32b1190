import { BadRequest, type Fields, isObject } from '../../fields.ts'
import { bytes, type Reply, type Visit, type WebRoute } from '../web/site.ts'
import { answerCall } from './answer-call.ts'
import { type Answer, TurnedAway } from './call.ts'
import { endpointPath, type Face } from './face.ts'
import { type Operation, operations } from './operations.ts'
import { capabilitiesAt, type Release } from './releases.ts'
import { messageOf, send } from './rest.ts'
import type { UcpShop } from './ucp-shop.ts'

/** The operations of a release as tools: JSON-RPC at one address. */
export function mcpRoute(shop: UcpShop, face: Face, release: Release): WebRoute {
  const own = capabilitiesAt(release)
  const tools = operations.filter(({ capability }) => own.includes(capability))
  return {
    method: 'POST',
    path: endpointPath(release, 'mcp'),
    handle: async (visit) => {
      const request = readRequest(visit.raw)
      if (request === undefined) return rpc(null, { error: { code: -32700, message: 'Parse error' } })
      const { id, method, params } = request
      switch (method) {
        case 'initialize':
          return rpc(id, {
            result: {
              protocolVersion:
                typeof params.protocolVersion === 'string' ? params.protocolVersion : '2025-06-18',
              capabilities: { tools: {} },
              serverInfo: { name: face.host, version: release },
            },
          })
        case 'notifications/initialized':
          return bytes(202, '')
        case 'ping':
          return rpc(id, { result: {} })
        case 'tools/list':
          return rpc(id, { result: { tools: tools.map(listed) } })
        case 'tools/call': {
          const operation = tools.find(({ tool }) => tool === params.name)
          return operation === undefined
            ? rpc(id, { error: { code: -32602, message: 'There is no such tool' } })
            : callTool(shop, { face, release, operation, visit, id, params })
        }
        default:
          return rpc(id, { error: { code: -32601, message: 'There is no such method' } })
      }
    },
  }
}

type Id = string | number | null

type ToolCall = {
  face: Face
  release: Release
  operation: Operation
  visit: Visit
  id: Id
  params: Fields
}

async function callTool(shop: UcpShop, call: ToolCall): Promise<Reply> {
  const { face, release, operation, visit, id, params } = call
  const given = isObject(params.arguments) ? params.arguments : {}
  const meta = isObject(given.meta) ? given.meta : {}
  const agent = isObject(meta['ucp-agent']) ? meta['ucp-agent'].profile : undefined
  const body = operation.argument === null ? {} : given[operation.argument]
  try {
    const answer = await answerCall(shop, {
      face,
      release,
      transport: 'mcp',
      operation,
      agentUrl: typeof agent === 'string' ? agent : null,
      key: typeof meta['idempotency-key'] === 'string' ? meta['idempotency-key'] : null,
      id: typeof given.id === 'string' ? given.id : null,
      body: isObject(body) ? body : {},
      message: messageOf(visit, face),
    })
    return await send(shop, answer, { status: 200, body: said(id, { result: resultOf(answer) }) })
  } catch (error) {
    if (error instanceof TurnedAway)
      return rpc(id, {
        error: {
          code: error.rpc,
          message: error.message,
          data: {
            code: error.code,
            content: error.message,
            ...(error.retryAfter === undefined ? {} : { retry_after: error.retryAfter }),
          },
        },
      })
    if (error instanceof BadRequest) return rpc(id, { error: { code: -32602, message: error.message } })
    throw error
  }
}

function resultOf({ body }: Answer): object {
  return { structuredContent: body, content: [{ type: 'text', text: JSON.stringify(body) }] }
}

function said(id: Id, outcome: object): object {
  return { jsonrpc: '2.0', id, ...outcome }
}

function rpc(id: Id, outcome: object): Reply {
  return bytes(200, JSON.stringify(said(id, outcome)), { 'content-type': 'application/json' })
}

function readRequest(raw: Buffer): { id: Id; method: string; params: Fields } | undefined {
  let body: unknown
  try {
    body = JSON.parse(raw.toString('utf8'))
  } catch {
    return undefined
  }
  if (!isObject(body) || typeof body.method !== 'string') return undefined
  const { id, method, params } = body
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    method,
    params: isObject(params) ? params : {},
  }
}

function listed({ tool, path, argument }: Operation): object {
  const properties = {
    meta: { type: 'object' },
    ...(path.includes(':id') ? { id: { type: 'string' } } : {}),
    ...(argument === null ? {} : { [argument]: { type: 'object' } }),
  }
  return {
    name: tool,
    description: tool.replaceAll('_', ' '),
    inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  }
}
