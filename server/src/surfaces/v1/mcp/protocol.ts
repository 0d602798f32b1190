import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  createMcpHandler,
  type Implementation,
  isJSONRPCRequest,
  isLegacyRequest,
  type McpServer,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  type Server,
  type ServerNotifier,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { isObject } from '../../../schema/schema-node.ts'
import { answerBatch, batchRevision } from './batch.ts'
import { callFault, noSuchTool } from './call-fault.ts'
import { notAMessage, type ProtocolAnswer, refusedMessage } from './protocol-answer.ts'
import { type PlainAnswer, type PlainRequest, shareServer } from './shared-server.ts'
import { type ToolReply, toolResultText } from './tool-result.ts'

/**
 * The protocol revisions spoken, newest first. A client that greets us with one that is not spoken is offered the newest that has a
 * greeting; the newest of all has none.
 */
export const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const

const modernRevision = protocolVersions[0]
/** Alike in all that is used here: tools without sessions. They differ in batches, and in whether requests name them. */
const olderRevisions: ReadonlySet<string> = new Set(protocolVersions.slice(1))

/** Whether a request is of an older revision, by its header. Before 2025-06-18 requests did not name theirs. */
function isOlder(headers: Readonly<Record<string, string>>): boolean {
  return olderRevisions.has(headers['mcp-protocol-version'] ?? batchRevision)
}

/** What all revisions are served from. `Caller` is on whose behalf a message is answered. */
export type ProtocolOptions<Caller> = {
  /** Opens a server for one message, or for many that `callerOf` tells apart by their ids. */
  openServer: (callerOf: (requestId: unknown) => Caller | undefined) => Server | McpServer
  onBug: (error: unknown) => void
  /** Given when tools look at nothing but their arguments and say nothing on the way: plain calls then need no server. */
  direct?: DirectCalls<Caller>
}

export type DirectCalls<Caller> = {
  /** Null when there is no such tool. */
  call: (caller: Caller, name: string, args: Record<string, unknown>) => Promise<ToolReply | null>
  /** Who answers, as the newer revision has it told. */
  signature: Implementation
}

export type Protocol<Caller> = {
  /** Of a client that takes JSON and event streams, as its headers have to say. */
  answer: (
    headers: Readonly<Record<string, string>>,
    /** Whatever JSON was sent. */
    message: unknown,
    caller: Caller,
  ) => Promise<ProtocolAnswer>
  /** Tells clients that listen that a list has changed. */
  notify: ServerNotifier
  close(): Promise<void>
}

/** Answers one message at a time, of any revision. There are no sessions, so that any process answers any request. */
export function createProtocol<Caller>({
  openServer,
  onBug,
  direct,
}: ProtocolOptions<Caller>): Protocol<Caller> {
  const sharing = new Map<unknown, Caller>()
  const share = shareServer(openServer((requestId) => sharing.get(requestId)))
  const callers = new WeakMap<Request, Caller>()
  const modern = createMcpHandler(
    ({ requestInfo }) => openServer(() => requestInfo && callers.get(requestInfo)),
    { legacy: 'reject', onerror: reportBug(onBug) },
  )

  function shareWith(message: PlainRequest, caller: Caller): Promise<PlainAnswer> {
    return share(message, (number) => {
      sharing.set(number, caller)
      return () => sharing.delete(number)
    })
  }

  async function answer(
    headers: Readonly<Record<string, string>>,
    message: unknown,
    caller: Caller,
  ): Promise<ProtocolAnswer> {
    if (isObject(message)) return answerOne(headers, message, caller)
    if (!Array.isArray(message)) return refusedMessage(notAMessage)
    return answerBatch(headers['mcp-protocol-version'], message, (each) => answerOne(headers, each, caller))
  }

  async function answerOne(
    headers: Readonly<Record<string, string>>,
    message: object,
    caller: Caller,
  ): Promise<ProtocolAnswer> {
    const called = direct && plainCallOf(headers, message)
    if (called)
      return { status: 200, type: 'application/json', body: await answerCall(called, direct, caller) }
    const fault = callFault(message)
    if (fault !== null) return fault
    if (isPlain(headers, message)) return writePlain(await shareWith(message, caller))
    const request = new Request('http://127.0.0.1/mcp/v1', { method: 'POST', headers })
    if (await isLegacyRequest(request, message)) {
      return await read(
        await answerLegacy(
          openServer(() => caller),
          request,
          message,
        ),
      )
    }
    callers.set(request, caller)
    return await read(await modern.fetch(request, { parsedBody: message }))
  }
  return { answer, notify: modern.notify, close: modern.close }
}

const plainMethods: ReadonlySet<unknown> = new Set(['tools/call', 'tools/list', 'ping'])

/** A well-formed request of an older revision, which carries no claim of the newest one. Everything else takes the long way. */
function isPlain(headers: Readonly<Record<string, string>>, message: object): message is PlainRequest {
  if (!isOlder(headers)) return false
  if (!isJSONRPCRequest(message) || !plainMethods.has(message.method)) return false
  const claims = Object.keys(message.params?._meta ?? {})
  return !claims.some((name) => name.startsWith('io.modelcontextprotocol/'))
}

const envelope: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
])
const callParams: ReadonlySet<string> = new Set(['name', 'arguments', '_meta'])

/** A call of the newest revision that is sent as it should be, and asks for nothing beyond its answer. */
function isPlainCall(headers: Readonly<Record<string, string>>, message: object): message is PlainRequest {
  if (headers['mcp-protocol-version'] !== modernRevision) return false
  if (!isJSONRPCRequest(message) || message.method !== 'tools/call') return false
  const { name, _meta } = message.params ?? {}
  if (headers['mcp-method'] !== message.method) return false
  if (typeof name !== 'string' || headers['mcp-name'] !== name) return false
  const isKnown = (key: string) => envelope.has(key) || !key.startsWith('io.modelcontextprotocol/')
  if (!Object.keys(message.params ?? {}).every((key) => callParams.has(key))) return false
  if (!Object.keys(_meta ?? {}).every(isKnown)) return false
  const claim = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: headers['mcp-protocol-version'],
    mcpMethodHeader: headers['mcp-method'],
    mcpNameHeader: name,
    body: message,
  })
  return claim.kind === 'modern'
}

type PlainCall = { id: string | number; name: string; args: Record<string, unknown>; isModern: boolean }

/** A call of a tool that asks for nothing beyond its answer. Whatever is unusual about a message is the package's to judge. */
function plainCallOf(headers: Readonly<Record<string, string>>, message: object): PlainCall | null {
  const isModern = headers['mcp-protocol-version'] === modernRevision
  if (isModern ? !isPlainCall(headers, message) : !isOlderCall(headers, message)) return null
  const { id, params } = message as PlainRequest // one of the two has looked
  const { name, arguments: args = {} } = params ?? {}
  return typeof name === 'string' && isObject(args) ? { id, name, args, isModern } : null
}

/** Written by hand, as narrow as calls are: what the package needs to judge a message costs as much as a call. */
function isOlderCall(headers: Readonly<Record<string, string>>, message: object): boolean {
  if (!isOlder(headers)) return false
  const { jsonrpc, id, method, params, ...rest } = message as Record<string, unknown>
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isObject(params)) return false
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return false
  return (
    Object.keys(rest).length === 0 &&
    Object.keys(params).every((key) => key === 'name' || key === 'arguments')
  )
}

async function answerCall<Caller>(
  { id, name, args, isModern }: PlainCall,
  { call, signature }: DirectCalls<Caller>,
  caller: Caller,
): Promise<string> {
  const refused = (code: ProtocolErrorCode, message: string) =>
    JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
  try {
    const reply = await call(caller, name, args)
    if (!reply) return refused(ProtocolErrorCode.InvalidParams, noSuchTool(name))
    const signed = { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: signature } }
    const result = toolResultText(reply, isModern ? signed : {})
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
  } catch (error) {
    return refused(ProtocolErrorCode.InternalError, error instanceof Error ? error.message : 'Internal error')
  }
}

function writePlain(answered: PlainAnswer): ProtocolAnswer {
  return 'stream' in answered
    ? { status: 200, type: eventStream, body: answered.stream }
    : { status: 200, type: 'application/json', body: JSON.stringify(answered.answer) }
}

const eventStream = 'text/event-stream'

async function read(response: Response): Promise<ProtocolAnswer> {
  const type = response.headers.get('content-type')
  if (response.body === null) return { status: response.status, type, body: '' }
  const body = type?.startsWith(eventStream) ? response.body : await response.text()
  return { status: response.status, type, body }
}

/** As plain JSON: an event stream would say nothing that the one answer does not. */
async function answerLegacy(
  server: Server | McpServer,
  request: Request,
  message: unknown,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

/** The package reports refused requests through the same door; those are the caller's doing. */
function reportBug(onBug: (error: unknown) => void): (error: Error) => void {
  return (error) => {
    if (error.name === 'TypeError' || error.name === 'RangeError') onBug(error)
  }
}
