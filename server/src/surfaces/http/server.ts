import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { Id } from '../../core/id.ts'
import type { Admit } from '../../platform/calls/admit.ts'
import { callerSignalOnUse } from '../../platform/calls/caller-signal.ts'
import type { Call, CallReply, Dispatch } from '../../platform/calls/dispatch.ts'
import { parseJson } from '../../schema/strict-json.ts'
import { type BaseHeaders, baseHeaders } from './base-headers.ts'
import { writeInBatch } from './batch-writes.ts'
import { createClientAddresses } from './client-address.ts'
import { guardConnections } from './connections.ts'
import { drainConnections } from './drain-connections.ts'
import { createEdge, type Edge } from './edge.ts'
import { limitRequests } from './limit-requests.ts'
import { watchMethods } from './methods.ts'
import { acceptedType } from './negotiate.ts'
import { letSend } from './read-body.ts'
import { type OpenedContent, readContent } from './read-content.ts'
import { lineOf, type RequestLine } from './request-line.ts'
import { writeStream } from './stream.ts'
import { writeDownload } from './write-download.ts'

export type HttpOptions = {
  operations: readonly Operation[]
  dispatch: Dispatch
  admit: Admit
  newRequestId: () => Id<'req'>
  publicUrl: string
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  limits: Limits
  /** The largest body that is a file. */
  contentBytesMax: number
  /** One line a request. */
  onRequest: (line: RequestLine) => void
  onBug: (error: unknown) => void
  /** Aborts when the server drains; streams end with a hint to come back. */
  draining: AbortSignal
}

export type HttpServer = { http: FastifyInstance; edge: Edge }

/** REST: every operation mounted at its path, and the edge that all requests share. */
export function createHttpServer(options: HttpOptions): HttpServer {
  const base = baseHeaders(options.publicUrl)
  const app = Fastify({
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 600 },
    genReqId: options.newRequestId,
    clientErrorHandler: refuseConnection(options.newRequestId, base),
    // Node swaps the two limits when the one for headers is the longer, as its default would be; and looks this often.
    http: { headersTimeout: 20_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 },
    // Paths that do not decode never reach a hook or a handler.
    frameworkErrors: (error, request, reply) => {
      sendProblem(reply.headers(base), request, edgeProblem(error, options.onBug))
    },
  })
  // Our own validation: Fastify's stops at the first failing section, answers 400 and coerces bodies.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (body) => String(body))
  app.removeAllContentTypeParsers()
  // What takes a body reads it itself, within its limits; of everything else it is thrown away as it comes.
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  // Node would have the body sent before anybody has looked at the head.
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response),
  )
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('client', '')
  const clients = createClientAddresses(options.trustedProxies)
  const { isUnderWay } = drainConnections(app)
  const { isTrusted } = clients
  const connections = guardConnections(app, { limits: options.limits, isTrusted, isUnderWay })
  const edge = createEdge({ ...options, clients, connections, base })
  if (options.trustedProxies.length > 0)
    limitRequests(app, { edge, isTrusted, max: options.limits.addressConnections })
  const methodsOf = watchMethods(app)
  mount(app, edge, options)
  // What is mounted from here on are no operations: Fastify reads their bodies and writes their answers.
  app.addHook('onRoute', (route) => {
    const begin = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      edge.begin(request)
      reply.headers(base).header('request-id', request.id)
      done()
    }
    route.onRequest = [begin, ...[route.onRequest ?? []].flat()]
  })
  const sendUnknown = (request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(reply.headers(base), request, unknownProblem(methodsOf(request.url.split('?')[0] ?? '/')))
  app.setNotFoundHandler(sendUnknown)
  app.setErrorHandler((error, request, reply) =>
    // Fastify looks at the body of a method that nobody takes, and finds fault with it.
    request.is404
      ? sendUnknown(request, reply)
      : sendProblem(reply, request, edgeProblem(error, options.onBug)),
  )
  return { http: app, edge }
}

/** Of a request that no route takes. */
function unknownProblem(methods: readonly string[]): Problem {
  return methods.length > 0
    ? new Problem('method_not_allowed', { headers: { allow: methods.join(', ') } })
    : new Problem('not_found', { message: `There is no operation at this path.` })
}

declare module 'fastify' {
  interface FastifyRequest {
    startedAt: number
    /** Who asks: the address behind the proxies of ours. */
    client: string
  }
}

/** Mounts the operations. */
function mount(app: FastifyInstance, edge: Edge, options: HttpOptions): void {
  for (const operation of options.operations) {
    const url = operation.path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
    const serve = serverOf(operation, edge, options)
    // Node leaves the body away where HEAD asks.
    const method = operation.method === 'GET' ? ['GET' as const, 'HEAD' as const] : operation.method
    // Answered in the first hook, which never says that it is done: the steps between it and a handler (content type parser, reply,
    // their hooks) cost a sixth of a request, and the pipeline does all of it itself.
    app.route({ method, url, onRequest: serve, handler: serve })
  }
}

const noBody = new Uint8Array()
/** The connection is not used again. */
const lastAnswer = { connection: 'close' }

function serverOf(operation: Operation, edge: Edge, options: HttpOptions) {
  const takesBody = operation.method !== 'GET'
  const types = typesOf(operation)
  return (request: FastifyRequest, reply: FastifyReply): void => {
    edge.begin(request)
    edge.admit(request, operation.auth, {
      admitted: (holder) => {
        if (!takesBody) void answer(noBody)
        else if (operation.content) answerContent(operation.content)
        else edge.readBody(request, reply, holder, { read: answer, refused })
      },
      refused,
    })

    function refused(error: unknown): void {
      edge.refuse(request, reply, error, { operation })
    }

    function answerContent(types: Readonly<Record<string, string>>): void {
      try {
        const content = readContent(request.raw, types, options.contentBytesMax)
        letSend(request.raw, reply.raw)
        void answer(noBody, content)
      } catch (error) {
        refused(error)
      }
    }

    async function answer(raw: Uint8Array, content?: OpenedContent): Promise<void> {
      try {
        const type = types.length === 1 ? json : acceptedType(types, request.raw.headers.accept)
        if (type === null) return refused(notAcceptable(types))
        const { draining } = options
        const call = callOf(operation, { request, reply, raw, content, type, draining })
        const answered = await options.dispatch(call)
        options.onRequest(lineOf(request, operation, answered))
        const { stream, download } = answered
        if (stream) await writeStream(request, reply, { source: stream, head: edge.head, draining })
        else if (download) await writeDownload(request, reply, download, edge.head)
        else {
          const chosen = types.length === 1 ? answered : withHeader(answered, { vary: 'Accept' })
          // What changes something may answer with a secret that is shown once, which is never packed.
          const isPlain = !operation.readOnly || answered.status !== 200
          const packing = isPlain ? null : edge.compress(chosen, request.raw.headers['accept-encoding'])
          const ready = packing ? await packing : chosen
          // Neither is a connection whose body was not read to its end.
          const isLast = draining.aborted || (content !== undefined && !request.raw.readableEnded)
          write(reply, request, ready, isLast ? { ...edge.head, ...lastAnswer } : edge.head)
        }
      } catch (error) {
        if (!(error instanceof Problem)) options.onBug(error)
        if (reply.raw.headersSent) reply.raw.destroy()
        else write(reply, request, problemReply(new Problem('internal_error'), request.id), edge.head)
      }
    }
  }
}

const json = 'application/json'
const eventStream = 'text/event-stream'

/** What an operation can answer in; only where there is more than one is there anything to choose. */
function typesOf({ streams, downloads }: Operation): readonly string[] {
  return [json, ...(streams ? [eventStream] : []), ...downloads]
}

function withHeader(answered: CallReply, header: Record<string, string>): CallReply {
  return { ...answered, headers: { ...answered.headers, ...header } }
}

function notAcceptable(types: readonly string[]): Problem {
  const message = `This operation answers in ${types.join(', ')}. Name one of them in the Accept header, or send none.`
  return new Problem('not_acceptable', { message })
}

type Received = {
  request: FastifyRequest
  reply: FastifyReply
  raw: Uint8Array
  content: OpenedContent | undefined
  /** To be answered in. */
  type: string
  draining: AbortSignal
}

function callOf(operation: Operation, { request, reply, raw, content, type, draining }: Received): Call {
  const parsed = raw.length === 0 ? null : parseJson(raw)
  const { headers } = request.raw
  const acceptsStream = type === eventStream
  return {
    operationId: operation.id,
    authorization: headers.authorization,
    requestId: request.id as Id<'req'>, // made by genReqId above
    signal: callerSignalOnUse(reply.raw, draining),
    acceptsStream,
    accepts: operation.downloads.includes(type) ? type : null,
    path: request.params as Record<string, unknown>, // Fastify fills it from the route's own template
    query: queryOf(request, content),
    headers,
    body: parsed?.ok ? parsed.value : undefined,
    bodyError: parsed && !parsed.ok ? parsed.error : null,
    rawBody: raw,
    ...(content ? { content: content.chunks } : {}),
    maySign: true,
    coerce: true,
  }
}

/** What the Content-Type says is an argument like any other; who says it in the query as well is believed. */
function queryOf({ query }: FastifyRequest, content: OpenedContent | undefined): Record<string, unknown> {
  const given = query as Record<string, unknown> // as Fastify's parser makes it
  return content ? { format: content.format, ...given } : given
}

/** Head and body in one go, which Node sends as one packet. */
function write(
  reply: FastifyReply,
  request: FastifyRequest,
  { status, headers, body }: Pick<CallReply, 'status' | 'headers'> & { body: string | Uint8Array },
  base: Readonly<Record<string, string>>,
): void {
  const head = {
    ...base,
    'request-id': request.id,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  }
  writeInBatch(reply.raw.writeHead(status, head), body)
}

function problemReply(problem: Problem, requestId: string) {
  const headers = problem.options.headers ?? {}
  return { status: problem.status, headers, body: JSON.stringify(problem.body(requestId)) }
}

function sendProblem(reply: FastifyReply, request: FastifyRequest, problem: Problem): FastifyReply {
  const { status, headers, body } = problemReply(problem, request.id)
  reply.header('request-id', request.id).header('cache-control', 'private, no-store')
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}

/** What failed before an operation was reached: size, content type, a body cut short. */
function edgeProblem(error: unknown, onBug: (error: unknown) => void): Problem {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem('unsupported_media_type')
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return new Problem('bad_request')
  onBug(error)
  return new Problem('internal_error')
}

/** Bytes that are no HTTP request: answered in the documented shape and closed. */
function refuseConnection(newRequestId: () => Id<'req'>, base: BaseHeaders) {
  const more = Object.entries(base).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = ['cache-control: no-store\r\n', ...more].join('')
  return (error: Error & { code?: string }, socket: import('node:net').Socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
    const problem = new Problem('bad_request')
    const requestId = newRequestId()
    const body = JSON.stringify(problem.body(requestId))
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${requestId}\r\n${head}` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
}
