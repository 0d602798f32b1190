import {
  createMcpHandler,
  isJSONRPCRequest,
  isLegacyRequest,
  type McpServer,
  type Server,
  type ServerNotifier,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type PlainAnswer, type PlainRequest, shareServer } from './shared-server.ts'

/** The protocol revisions spoken, oldest first; older clients are offered the first. */
export const protocolVersions = ['2025-11-25', '2026-07-28'] as const

/** An answer to one message, ready to be sent: a stream when something is said before the answer. */
export type ProtocolAnswer = { status: number; type: string | null; body: string | ReadableStream }

/** What both revisions are served from. `Caller` is on whose behalf a message is answered. */
export type ProtocolOptions<Caller> = {
  /** Opens a server for one message, or for many that `callerOf` tells apart by their ids. */
  openServer: (callerOf: (requestId: unknown) => Caller | undefined) => Server | McpServer
  onBug: (error: unknown) => void
}

export type Protocol<Caller> = {
  answer: (
    headers: Readonly<Record<string, string>>,
    message: object,
    caller: Caller,
  ) => Promise<ProtocolAnswer>
  /** Tells clients that listen that a list has changed. */
  notify: ServerNotifier
  close(): Promise<void>
}

/** Answers one message at a time, of either revision. There are no sessions, so that any process answers any request. */
export function createProtocol<Caller>({ openServer, onBug }: ProtocolOptions<Caller>): Protocol<Caller> {
  const sharing = new Map<unknown, Caller>()
  const share = shareServer(openServer((requestId) => sharing.get(requestId)))
  const callers = new WeakMap<Request, Caller>()
  const modern = createMcpHandler(
    ({ requestInfo }) => openServer(() => requestInfo && callers.get(requestInfo)),
    { legacy: 'reject', onerror: reportBug(onBug) },
  )

  async function answer(
    headers: Readonly<Record<string, string>>,
    message: object,
    caller: Caller,
  ): Promise<ProtocolAnswer> {
    if (isPlain(headers, message)) {
      const answered = await share(message, (number) => {
        sharing.set(number, caller)
        return () => sharing.delete(number)
      })
      return writePlain(answered)
    }
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

/** A well-formed request of the older revision, which carries no claim of the newer one. Everything else takes the long way. */
function isPlain(headers: Readonly<Record<string, string>>, message: object): message is PlainRequest {
  const { accept = '' } = headers
  if (headers['mcp-protocol-version'] !== protocolVersions[0]) return false
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return false
  if (!isJSONRPCRequest(message) || !plainMethods.has(message.method)) return false
  const claims = Object.keys(message.params?._meta ?? {})
  return !claims.some((name) => name.startsWith('io.modelcontextprotocol/'))
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
