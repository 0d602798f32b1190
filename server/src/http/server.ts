import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Operation, OperationFacts } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import { parseJson } from '../contract/strict-json.ts'
import type { Id } from '../core/id.ts'
import type { Call, CallReply, Dispatch } from '../platform/calls/dispatch.ts'
import { endTogether } from './end-together.ts'
import { letGoWhileStopping } from './let-go.ts'
import { readBody } from './read-body.ts'
import { type OpenedContent, readContent } from './read-content.ts'
import { writeStream } from './stream.ts'
import { writeDownload } from './write-download.ts'

/** The largest request body, over REST and MCP. */
export const bodyBytesMax = 256 * 1024

export type HttpOptions = {
  operations: readonly Operation[]
  dispatch: Dispatch
  newRequestId: () => Id<'req'>
  /** The largest body that is a file. */
  contentBytesMax: number
  /** One line a request. */
  onRequest: (line: RequestLine) => void
  onBug: (error: unknown) => void
  /** Aborts when the server drains; streams end with a hint to come back. */
  draining: AbortSignal
}

export type RequestLine = {
  request_id: string
  method: string
  /** The template, never the path: paths hold what people typed. */
  route: string
  operation: string | null
  status: number
  code: string | null
  duration_ms: number
  account_id: string | null
  mode: string | null
  actor_id: string | null
  /** Which secret of the actor it was. */
  key_id: string | null
}

/** REST: every operation mounted at its path, and the edge that all requests share. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 600 },
    genReqId: options.newRequestId,
    clientErrorHandler: refuseConnection(options.newRequestId),
    // Node swaps the two limits when the one for headers is the longer, as its default would be; and looks this often.
    http: { headersTimeout: 20_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 },
    // Paths that do not decode never reach a hook or a handler.
    frameworkErrors: (error, request, reply) => {
      sendProblem(reply, request, edgeProblem(error, options.onBug))
    },
  })
  // Our own validation: Fastify's stops at the first failing section, answers 400 and coerces bodies.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (body) => String(body))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/json\s*(;|$)/i, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.decorateRequest('startedAt', 0)
  letGoWhileStopping(app)
  app.setErrorHandler((error, request, reply) =>
    sendProblem(reply, request, edgeProblem(error, options.onBug)),
  )
  const allowed = mount(app, options)
  // What is mounted from here on are no operations: Fastify reads their bodies and writes their answers.
  const others = new Map<string, string[]>()
  app.addHook('onRoute', (route) => {
    route.onRequest = [begin, ...[route.onRequest ?? []].flat()]
    others.set(route.url, [...(others.get(route.url) ?? []), ...[route.method].flat()])
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const methods = [...allowed(path), ...(others.get(path) ?? [])]
    const problem = methods.length
      ? new Problem('method_not_allowed', { headers: { allow: methods.join(', ') } })
      : new Problem('not_found', { message: `There is nothing at this path.` })
    sendProblem(reply, request, problem)
  })
  return app
}

declare module 'fastify' {
  interface FastifyRequest {
    startedAt: number
  }
}

/** Mounts the operations; returns which methods a path takes. */
function mount(app: FastifyInstance, options: HttpOptions): (path: string) => string[] {
  const patterns = new Map<string, { pattern: RegExp; methods: string[] }>()
  for (const operation of options.operations) {
    const url = operation.path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
    const serve = serverOf(operation, options)
    // Answered in the first hook, which never says that it is done: the steps between it and a handler (content type parser, reply,
    // their hooks) cost a sixth of a request, and the pipeline does all of it itself.
    app.route({ method: operation.method, url, onRequest: serve, handler: serve })
    const known = patterns.get(operation.path)
    if (known) known.methods.push(operation.method)
    else {
      const pattern = new RegExp(`^${operation.path.replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`)
      patterns.set(operation.path, { pattern, methods: [operation.method] })
    }
  }
  return (path) =>
    [...patterns.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)
}

const noBody = new Uint8Array()
/** The connection is not used again. */
const lastAnswer = { connection: 'close' }

function begin(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.startedAt = performance.now()
  reply.header('request-id', request.id)
  done()
}

function serverOf(operation: Operation, options: HttpOptions) {
  const takesBody = operation.method !== 'GET'
  return (request: FastifyRequest, reply: FastifyReply): void => {
    request.startedAt = performance.now()
    if (!takesBody) return void answer(noBody)
    if (operation.content) return void answerContent(operation.content)
    readBody(request.raw, bodyBytesMax, {
      read: answer,
      // The rest of the body is not read, so the connection cannot be used again.
      refused: (problem) => write(reply, request, problemReply(problem, request.id), lastAnswer),
    })

    function answerContent(types: Readonly<Record<string, string>>): void {
      try {
        void answer(noBody, readContent(request.raw, types, options.contentBytesMax))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        write(reply, request, problemReply(error, request.id), lastAnswer)
      }
    }

    async function answer(raw: Uint8Array, content?: OpenedContent): Promise<void> {
      try {
        const call = callOf(operation, { request, reply, raw, content, draining: options.draining })
        const answered = await options.dispatch(call)
        options.onRequest(lineOf(request, operation, answered))
        // Neither is a connection whose body was not read to its end.
        const isLast = options.draining.aborted || (content !== undefined && !request.raw.readableEnded)
        if (answered.stream) await writeStream(request, reply, answered.stream, options.draining)
        else if (answered.download) await writeDownload(request, reply, answered.download)
        else write(reply, request, answered, isLast ? lastAnswer : {})
      } catch (error) {
        if (!(error instanceof Problem)) options.onBug(error)
        if (reply.raw.headersSent) reply.raw.destroy()
        else write(reply, request, problemReply(new Problem('internal_error'), request.id))
      }
    }
  }
}

type Received = {
  request: FastifyRequest
  reply: FastifyReply
  raw: Uint8Array
  content: OpenedContent | undefined
  draining: AbortSignal
}

function callOf(operation: Operation, { request, reply, raw, content, draining }: Received): Call {
  const parsed = raw.length === 0 ? null : parseJson(raw)
  const { headers } = request.raw
  const acceptsStream = operation.streams && /\btext\/event-stream\b/.test(headers.accept ?? '')
  return {
    operationId: operation.id,
    authorization: headers.authorization,
    requestId: request.id as Id<'req'>, // made by genReqId above
    // Only a stream outlives its caller; other calls are over before it could matter.
    signal: acceptsStream ? signalOf(reply, draining) : draining,
    acceptsStream,
    accepts: operation.downloads.length === 0 ? null : acceptedOf(operation.downloads, headers.accept),
    path: request.params as Record<string, unknown>, // Fastify fills it from the route's own template
    query: queryOf(request, content),
    headers,
    body: parsed?.ok ? parsed.value : undefined,
    bodyError: parsed && !parsed.ok ? parsed.error : null,
    rawBody: raw,
    ...(content ? { content: content.chunks } : {}),
    coerce: true,
  }
}

/** What the Content-Type says is an argument like any other; who says it in the query as well is believed. */
function queryOf({ query }: FastifyRequest, content: OpenedContent | undefined): Record<string, unknown> {
  const given = query as Record<string, unknown> // as Fastify's parser makes it
  return content ? { format: content.format, ...given } : given
}

/** The first of the types that the caller names. */
function acceptedOf(types: readonly string[], accept = ''): string | null {
  const named = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase())
  return types.find((type) => named.includes(type)) ?? null
}

/** Aborts when the caller has gone away or the server drains, and leaves nothing on the signal of a whole process's life. */
function signalOf(reply: FastifyReply, draining: AbortSignal): AbortSignal {
  const ended = new AbortController()
  const end = () => ended.abort()
  if (draining.aborted) end()
  draining.addEventListener('abort', end, { once: true })
  reply.raw.once('close', () => {
    draining.removeEventListener('abort', end)
    end()
  })
  return ended.signal
}

/** Head and body in one go, which Node sends as one packet. */
function write(
  reply: FastifyReply,
  request: FastifyRequest,
  { status, headers, body }: Pick<CallReply, 'status' | 'headers' | 'body'>,
  more: Record<string, string> = {},
): void {
  const head = {
    'request-id': request.id,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
    ...more,
  }
  endTogether(reply.raw.writeHead(status, head), body)
}

function problemReply(problem: Problem, requestId: string) {
  const headers = problem.options.headers ?? {}
  return { status: problem.status, headers, body: JSON.stringify(problem.body(requestId)) }
}

function sendProblem(reply: FastifyReply, request: FastifyRequest, problem: Problem): FastifyReply {
  const { status, headers, body } = problemReply(problem, request.id)
  reply.header('request-id', request.id)
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}

/** What failed before an operation was reached: size, content type, a body cut short. */
function edgeProblem(error: unknown, onBug: (error: unknown) => void): Problem {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem('payload_too_large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem('unsupported_media_type')
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return new Problem('bad_request')
  onBug(error)
  return new Problem('internal_error')
}

/** Bytes that are no HTTP request: answered in the documented shape and closed. */
function refuseConnection(newRequestId: () => Id<'req'>) {
  return (error: Error & { code?: string }, socket: import('node:net').Socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
    const problem = new Problem('bad_request')
    const requestId = newRequestId()
    const body = JSON.stringify(problem.body(requestId))
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${requestId}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
}

export function lineOf(request: FastifyRequest, operation: OperationFacts, answer: CallReply): RequestLine {
  return {
    request_id: request.id,
    method: request.method,
    route: operation.path,
    operation: operation.id,
    status: answer.status,
    code: answer.code,
    duration_ms: Math.round((performance.now() - request.startedAt) * 100) / 100,
    account_id: answer.principal?.tenant.accountId ?? null,
    mode: answer.principal?.tenant.mode ?? null,
    actor_id: answer.principal?.actor.id ?? null,
    key_id: answer.principal?.keyId ?? null,
  }
}
