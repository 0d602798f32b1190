import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { BadRequest, type Fields, isObject } from './fields.ts'

export type Call = {
  path: string
  params: Record<string, string>
  query: URLSearchParams
  raw: Buffer
  header(name: string): string | undefined
  /** The body as a JSON object; throws BadRequest for anything else. */
  body(): Fields
}

/** `destroy` breaks the connection without an answer; `list` is streamed as one JSON array; `raw` as it comes, until the caller leaves. */
export type Answer =
  | { kind: 'json'; status: number; body: unknown; headers?: Readonly<Record<string, string>> }
  | { kind: 'raw'; status: number; type: string; chunks: Iterable<string> | AsyncIterable<string> }
  | { kind: 'list'; entries: readonly unknown[]; length: number }
  | { kind: 'destroy' }

export type Route = {
  method: string
  path: string
  /** It changes how the service behaves, so it needs the control token. */
  isControl?: true
  handle: (call: Call) => Answer | Promise<Answer>
}

export type RunningServer = { url: string; close(): Promise<void> }

const BODY_BYTES_MAX = 1 << 20

export function json(status: number, body: unknown): Answer {
  return { kind: 'json', status, body }
}

export function problem(status: number, code: string, message: string): Answer {
  return json(status, { error: { code, message } })
}

/** The length is fixed here: entries that are appended while the answer waits for the disk are not part of it. */
export function list(entries: readonly unknown[]): Answer {
  return { kind: 'list', entries, length: entries.length }
}

export const destroy: Answer = { kind: 'destroy' }

/**
 * Listens on loopback only, under its own names only: a web page may find a name that leads here. `settled` is awaited before every
 * answer: the facts in an answer must be on disk first.
 */
export async function serveJson(options: {
  port: number
  routes: readonly Route[]
  settled: () => Promise<void>
  controlToken: string
}): Promise<RunningServer> {
  const routes = options.routes.map((route) => ({ ...route, segments: route.path.split('/') }))
  const server = createServer((request, response) => {
    answerCall(routes, request, options.controlToken)
      .then(async (answer) => {
        await options.settled()
        await send(response, answer)
      })
      .catch((error: unknown) => {
        process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`)
        response.destroy()
      })
  })
  // Longer than any client pool's own idle limit, so that a reused connection is not closed under a request.
  server.keepAliveTimeout = 120_000
  const port = await listen(server, options.port)
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type CompiledRoute = Route & { segments: string[] }

async function answerCall(
  routes: readonly CompiledRoute[],
  request: IncomingMessage,
  controlToken: string,
): Promise<Answer> {
  try {
    if (!isOwnHost(request.headers.host))
      return problem(
        421,
        'wrong_host',
        'Call the sandbox at 127.0.0.1 or localhost: it answers under no other name',
      )
    const url = new URL(request.url ?? '/', 'http://sandbox')
    const found = findRoute(routes, request.method ?? 'GET', url.pathname)
    if (found === undefined) return problem(404, 'unknown_route', 'There is no such route')
    if (found.route.isControl && !holdsToken(request, controlToken))
      return problem(401, 'unauthorized', 'Send the control token: Authorization: Bearer TOKEN')
    const raw = await readBody(request)
    return await found.route.handle({
      path: url.pathname,
      params: found.params,
      query: url.searchParams,
      raw,
      header: (name) => singleHeader(request, name),
      body: () => parseBody(raw),
    })
  } catch (error) {
    if (error instanceof BadRequest) return problem(error.status, error.code, error.message)
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return destroy
    throw error
  }
}

function isOwnHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host ?? '')
}

function holdsToken(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function findRoute(routes: readonly CompiledRoute[], method: string, path: string) {
  const segments = path.split('/')
  for (const route of routes) {
    if (route.method !== method || route.segments.length !== segments.length) continue
    const params: Record<string, string> = {}
    const matches = route.segments.every((part, index) => {
      const segment = segments[index] ?? ''
      if (part.startsWith(':') && segment !== '') params[part.slice(1)] = segment
      return part.startsWith(':') ? segment !== '' : part === segment
    })
    if (matches) return { route, params }
  }
  return undefined
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > BODY_BYTES_MAX) throw new BadRequest('The body is larger than 1 MiB', 'body_too_large', 413)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseBody(raw: Buffer): Fields {
  let value: unknown
  try {
    value = JSON.parse(raw.toString('utf8'))
  } catch {
    throw new BadRequest('The body is not JSON')
  }
  if (!isObject(value)) throw new BadRequest('The body must be a JSON object')
  return value
}

function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return typeof value === 'string' ? value : undefined
}

async function send(response: ServerResponse, answer: Answer): Promise<void> {
  switch (answer.kind) {
    case 'destroy':
      response.destroy()
      return
    case 'json': {
      const body = JSON.stringify(answer.body)
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...answer.headers,
      })
      response.end(body)
      return
    }
    case 'raw':
      response.writeHead(answer.status, { 'content-type': answer.type })
      await pipeline(Readable.from(answer.chunks), response).catch(() => response.destroy())
      return
    case 'list':
      await sendList(response, answer.entries, answer.length)
      return
    default:
      answer satisfies never
  }
}

/** A log can hold a million entries: written in slices, so that other calls get their turn between them. */
async function sendList(response: ServerResponse, entries: readonly unknown[], until: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  try {
    await pipeline(Readable.from(slicesOf(entries, until)), response)
  } catch {
    // The reader went away in the middle of it.
    response.destroy()
  }
}

function* slicesOf(entries: readonly unknown[], until: number): Generator<string> {
  yield '['
  for (let start = 0; start < until; start += 1000) {
    const slice = entries.slice(start, Math.min(start + 1000, until)).map((entry) => JSON.stringify(entry))
    yield (start === 0 ? '' : ',') + slice.join(',')
  }
  yield ']\n'
}

/** A predecessor that was killed a moment ago may still hold the port. */
export async function listen(server: Server, port: number): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await tryListen(server, port)
    } catch (error) {
      const busy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!busy || attempt >= 30) throw error
      await wait(100)
    }
  }
}

async function tryListen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  // Leaves no listener behind in any case: many attempts would end in a warning of Node.
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No TCP address')
  return address.port
}
