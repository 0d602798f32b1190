import type { Operation } from '../../contract/operation.ts'
import {
  credentialMember,
  paymentFailed,
  paymentRequired,
  receiptMember,
} from '../../protocols/mpp/tool-payments.ts'
import { toJsonSchema } from '../../schema/json-schema.ts'
import { isObject } from '../../schema/schema-node.ts'
import type { Business } from '../http/businesses.ts'
import type { Exchange } from '../http/exchange.ts'
import { requireBusiness } from '../http/find-business.ts'
import { readRawBody } from '../http/read-raw-body.ts'
import { plainLineOf } from '../http/request-line.ts'
import { type RpcId, type RpcSaid, readRpc, rpcError, rpcResult, type ToolCall } from '../http/tool-server.ts'
import { type MppAnswer, problemBody } from './mpp-answer.ts'
import type { Mpp } from './mpp-parts.ts'
import { runFree, runPaid } from './run-paid.ts'

/** The same operations as tools. A tool that costs something answers with what to pay, and takes the payment in `_meta`. */
export function mountTools(mpp: Mpp, mode: Business['mode'], at: string): void {
  const path = `${at}/{slug}/mcp`
  mpp.http.route({
    methods: ['POST'],
    path,
    dialect: mpp.dialect,
    serve: (exchange) => serve(mpp, { exchange, mode, path }),
  })
}

type Serving = { exchange: Exchange; mode: Business['mode']; path: string }

async function serve(mpp: Mpp, { exchange, mode, path }: Serving): Promise<void> {
  const { edge } = mpp.http
  let raw: Uint8Array
  let business: Business
  try {
    raw = await readRawBody(mpp.http, exchange)
    business = await requireBusiness(mpp.findBusiness, mode, exchange.path.slug)
  } catch (error) {
    return edge.refuse(exchange, error)
  }
  const operations = [mpp.offered.create, ...mpp.offered.free]
  const methods = mpp.methods[mode].map(({ name }) => [name, { intents: ['charge'] }])
  const read = readRpc(raw, {
    name: 'prokura-mpp',
    capabilities: { tools: {}, experimental: { payment: { methods: Object.fromEntries(methods) } } },
    tools: () => operations.map(listedTool),
  })
  const operation = read.kind === 'call' ? operations.find((one) => toolNameOf(one) === read.name) : undefined
  if (read.kind === 'said' || !operation) {
    mpp.context.onRequest(plainLineOf(exchange, { route: path, status: 200, code: null }))
    return edge.write(exchange, read.kind === 'said' ? read.said : noSuchTool(read.id))
  }
  const answer = await callTool(mpp, { exchange, business, operation, call: read })
  edge.write(exchange, saidOverRpc(read.id, answer))
}

function noSuchTool(id: RpcId): RpcSaid {
  return rpcError(id, { code: -32602, message: 'This merchant has no such tool.' })
}

type Calling = { exchange: Exchange; business: Business; operation: Operation; call: ToolCall }

/** Over REST the arguments of an operation stand in three places; a tool has them side by side. */
function callTool(mpp: Mpp, { exchange, business, operation, call }: Calling): Promise<MppAnswer> {
  const { given, meta } = call
  const key = meta['idempotency-key']
  const credential = meta[credentialMember]
  const path = pick(given, operation.params)
  // What is no argument stands where the operation takes arguments, and is refused there.
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !(name in path)))
  const asked = {
    exchange,
    business,
    credential: isObject(credential) || typeof credential === 'string' ? credential : undefined,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    path,
    query: operation.body ? {} : others,
    body: operation.body ? others : undefined,
    bodyError: null,
    rawBody: new Uint8Array(),
    coerce: false,
  }
  return operation === mpp.offered.create ? runPaid(mpp, asked) : runFree(mpp, operation, asked)
}

function pick(given: ToolCall['given'], section: Operation['params']): Record<string, unknown> {
  const names = Object.keys(section?.properties ?? {})
  return Object.fromEntries(names.flatMap((name) => (name in given ? [[name, given[name]]] : [])))
}

function saidOverRpc(id: RpcId, answer: MppAnswer): RpcSaid {
  switch (answer.kind) {
    case 'document':
      return rpcResult(id, contentOf(answer.body))
    case 'paid':
      return rpcResult(id, { ...contentOf(answer.body), _meta: { [receiptMember]: answer.receipt.json } })
    case 'payment': {
      const isFirst = answer.problem === 'payment-required'
      const challenges = answer.challenges.map(({ json }) => json)
      const data = { httpStatus: 402, challenges, problem: problemBody(answer) }
      return rpcError(id, {
        code: isFirst ? paymentRequired : paymentFailed,
        message: answer.detail,
        data: isFirst ? data : { ...data, failure: { reason: answer.problem, detail: answer.detail } },
      })
    }
    case 'refused': {
      const code = answer.status >= 500 && answer.status !== 503 ? -32603 : -32602
      return rpcError(id, { code, message: answer.detail, data: problemBody(answer) })
    }
    default:
      return answer satisfies never
  }
}

function contentOf(body: string) {
  return { structuredContent: JSON.parse(body), content: [{ type: 'text', text: body }] }
}

function toolNameOf({ id }: Operation): string {
  return id.replace(/^mpp_/, '')
}

function listedTool(operation: Operation) {
  const { params, query, body, summary, description } = operation
  const sections = [params, query, body].flatMap((section) => (section ? [toJsonSchema(section)] : []))
  const properties = Object.assign({}, ...sections.map(({ properties }) => properties))
  const required = sections.flatMap(({ required }) => (Array.isArray(required) ? required : []))
  return {
    name: toolNameOf(operation),
    description: description ?? summary,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
  }
}
