import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from '../../contract/limits.ts'
import { Problem } from '../../contract/problem.ts'
import type { Id } from '../../core/id.ts'
import { allowPage, answerPreflight } from './allow-pages.ts'
import { type BaseHeaders, baseHeaders } from './base-headers.ts'
import { createClientAddresses } from './client-address.ts'
import { guardConnections } from './connections.ts'
import type { Dialect } from './dialect.ts'
import { drainConnections } from './drain-connections.ts'
import { createEdge, type Edge } from './edge.ts'
import type { Exchange, Route } from './exchange.ts'
import { createRequestCount } from './limit-requests.ts'
import type { RequestLine } from './request-line.ts'
import { createRouter } from './router.ts'

type HttpOptions = {
  /** The dialect of refusals where no surface is mounted. */
  dialect: Dialect
  newRequestId: () => Id<'req'>
  /** The path that a request to another host means; null: the one that it names. */
  pathOf?: (host: string | undefined, url: string) => string | null
  publicUrl: string
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  limits: Limits
  /** For how long nothing must be under way on a connection before a server that stops closes it. */
  quietMs?: number | undefined
  /** Called with one line for each request. */
  onRequest: (line: RequestLine) => void
  onBug: (error: unknown) => void
}

export type HttpServer = {
  readonly server: Server
  /** Mounts a route of a surface. */
  route(route: Route): void
  readonly edge: Edge
  /** Returns the URL that it is reached at. */
  listen(at: { host: string; port: number }): Promise<string>
  /** Requests under way finish, and new ones on open connections are still answered, until no more arrive. */
  close(): Promise<void>
}

/** The HTTP server that all surfaces share: connections, the edge, and the routes that surfaces mount. */
export function createHttpServer(options: HttpOptions): HttpServer {
  const base = baseHeaders(options.publicUrl)
  const server = createServer({
    // Node swaps these two when the one for headers is longer, as its default would be. It checks them this often.
    headersTimeout: 20_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 72_000,
  })
  const clients = createClientAddresses(options.trustedProxies)
  const { isTrusted } = clients
  const { isUnderWay, close } = drainConnections(server, options.quietMs)
  const connections = guardConnections(server, { limits: options.limits, isTrusted, isUnderWay })
  const edge = createEdge({ ...options, connections, base })
  const router = createRouter()
  const count =
    options.trustedProxies.length > 0
      ? createRequestCount({ isTrusted, max: options.limits.addressConnections })
      : null
  const forPages = new Map<string, string[]>()
  let isClosing = false

  /** One for all routes of a path. */
  function addPreflight({ path, dialect, methods }: Route): void {
    const known = forPages.get(path)
    if (known) return void known.push(...methods)
    const all = [...methods]
    forPages.set(path, all)
    router.add({
      methods: ['OPTIONS'],
      path,
      isForPages: true,
      ...(dialect ? { dialect } : {}),
      serve: (exchange) => answerPreflight(exchange, { methods: all, base }),
    })
  }

  function exchangeOf(
    request: IncomingMessage,
    response: ServerResponse,
    at: Pick<Exchange, 'route' | 'path' | 'query'>,
  ): Exchange {
    return {
      id: options.newRequestId(),
      request,
      response,
      client: clients.of(request),
      startedAtMs: performance.now(),
      route: at.route,
      path: at.path,
      query: at.query,
    }
  }

  function serve(exchange: Exchange, route: Route): void {
    try {
      const serving = route.serve(exchange)
      if (serving) serving.catch((error: unknown) => fail(exchange, error))
    } catch (error) {
      fail(exchange, error)
    }
  }

  /** A surface handles the errors of its callers; this is a bug, and may have happened in the middle of an answer. */
  function fail(exchange: Exchange, error: unknown): void {
    if (exchange.response.headersSent) {
      options.onBug(error)
      exchange.response.destroy()
    } else edge.refuse(exchange, error)
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    // Node leaves both out only for responses, which have no address.
    const { method = '', url: named = '' } = request
    const url = options.pathOf?.(request.headers.host, named) ?? named
    if (isClosing) response.setHeader('connection', 'close')
    const found = router.find(method, url)
    const others = found.kind === 'unknown' ? router.at(url) : null
    const at =
      found.kind === 'route'
        ? found
        : { route: others?.values().next().value ?? nowhere, path: {}, query: {} }
    if (at.route.isForPages) allowPage(request, response)
    const exchange = exchangeOf(request, response, at)
    const tooMany = count?.take(exchange) ?? null
    if (tooMany) edge.refuse(exchange, tooMany)
    else if (found.kind === 'route') serve(exchange, found.route)
    else edge.answer(exchange, others ? unknownProblem([...others.keys()]) : new Problem('bad_request'))
  }

  server.on('request', receive)
  // Without this, Node would let the client send its body before the head was looked at.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  server.on('clientError', refuseConnection(options, base))
  return {
    server,
    edge,
    route(route) {
      router.add(route)
      if (route.isForPages) addPreflight(route)
    },
    async listen(at) {
      server.listen(at)
      await once(server, 'listening')
      return urlOf(server)
    },
    close() {
      isClosing = true
      return close()
    },
  }
}

/** For requests that belong to no path. */
const nowhere: Exchange['route'] = { path: '' }

/** The refusal of a request that no route takes; `methods` are those of the routes at its path. */
function unknownProblem(methods: readonly string[]): Problem {
  return methods.length > 0
    ? new Problem('method_not_allowed', { headers: { allow: methods.join(', ') } })
    : new Problem('not_found', { message: `There is no operation at this path.` })
}

/** The URL of this machine, where the server listens at every address. */
function urlOf(server: Server): string {
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('the server listens at no address')
  const host = at.address === '0.0.0.0' ? '127.0.0.1' : at.address
  return `http://${host.includes(':') ? `[${host}]` : host}:${at.port}`
}

/** Bytes that are not an HTTP request: it answers in the documented shape and closes. */
function refuseConnection({ newRequestId, dialect }: HttpOptions, base: BaseHeaders) {
  const more = Object.entries(base).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = ['cache-control: no-store\r\n', ...more].join('')
  return (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
    const requestId = newRequestId()
    const { body } = dialect(new Problem('bad_request'), requestId)
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${requestId}\r\n${head}` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
}
