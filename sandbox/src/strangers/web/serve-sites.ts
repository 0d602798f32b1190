import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { BadRequest, isObject } from '../../fields.ts'
import { listen, type RunningServer, readBody } from '../../json-server.ts'
import type { ServerIdentity } from '../authority/authority.ts'
import { passOn } from './pass-on.ts'
import { findWebRoute, notFound, type Reply, type Visit, type WebRoute } from './site.ts'

/** What answers under one name. */
export type Site = { routes: readonly WebRoute[]; durable: () => Promise<void> }

/** All names on one port of loopback, each site opened at its first request. No answer leaves before what it says is on disk. */
export async function serveSites(options: {
  port: number
  identity: ServerIdentity
  open: (host: string) => Promise<Site | undefined>
  /** The port of a shop that is no part of the sandbox. */
  elsewhere: (host: string) => number | undefined
}): Promise<RunningServer> {
  const { key, chain } = options.identity
  const server = createServer({ key, cert: chain }, (request, response) => {
    const port = options.elsewhere(hostIn(request))
    if (port !== undefined) return passOn(request, response, port)
    answer(options.open, request)
      .then((reply) => send(response, reply))
      .catch((error: unknown) => {
        if (error instanceof BadRequest)
          return send(response, { kind: 'data', status: error.status, body: null })
        if (!isGone(error))
          process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`)
        response.destroy()
      })
  })
  server.keepAliveTimeout = 120_000
  const port = await listen(server, options.port)
  return {
    url: `https://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  open: (host: string) => Promise<Site | undefined>,
  request: IncomingMessage,
): Promise<Reply> {
  const host = hostIn(request)
  const site = await open(host)
  if (site === undefined)
    return { kind: 'data', status: 421, body: { error: 'There is no site of this name' } }
  const url = new URL(request.url ?? '/', `https://${host}`)
  const found = findWebRoute(site.routes, request.method ?? 'GET', url.pathname)
  const raw = await readBody(request)
  const reply =
    found === undefined
      ? notFound()
      : await found.route.handle({
          method: request.method ?? 'GET',
          url,
          params: found.params,
          get form() {
            return formOf(raw, request.headers['content-type'] ?? '')
          },
          headers: request.headers,
          raw,
          cookies: cookiesOf(request.headers.cookie ?? ''),
          port: request.socket.localPort ?? 0,
        })
  await site.durable()
  return reply
}

function hostIn({ headers }: IncomingMessage): string {
  return (headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
}

function formOf(raw: Buffer, type: string): Visit['form'] {
  const text = raw.toString('utf8')
  if (!type.includes('json')) return new URLSearchParams(text)
  const fields: unknown = parse(text)
  if (!isObject(fields)) throw new BadRequest('The body must be a JSON object')
  return new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadRequest('The body is not JSON')
  }
}

function cookiesOf(header: string): Map<string, string> {
  const pairs = header.split(';').map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=')
    return [name.trim(), value.join('=').trim()]
  })
  return new Map(pairs)
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}

function send(response: ServerResponse, reply: Reply): void {
  switch (reply.kind) {
    case 'break':
      response.destroy()
      return
    case 'redirect':
      response.writeHead(303, { ...reply.headers, location: reply.to })
      response.end()
      return
    case 'page':
      sendText(response, reply.status, 'text/html; charset=utf-8', reply.html.text, reply.headers)
      return
    case 'data':
      sendText(response, reply.status, 'application/json', JSON.stringify(reply.body), reply.headers)
      return
    case 'text':
      sendText(response, 200, reply.type, reply.text)
      return
    case 'bytes':
      response.writeHead(reply.status, {
        'cache-control': 'no-store',
        ...reply.headers,
        'content-length': reply.bytes.length,
      })
      response.end(reply.bytes)
      return
    default:
      reply satisfies never
  }
}

function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  content: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'cache-control': 'no-store', ...headers, 'content-type': type })
  response.end(content)
}
