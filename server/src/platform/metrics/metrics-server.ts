import { createServer, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { isTrueWithTimeout } from './with-timeout.ts'

export type MetricsServer = {
  url: string
  /** From this call on, `/readyz` says that the process stops. */
  stopping(): void
  close(): Promise<void>
}

type MetricsServerOptions = {
  registry: Registry
  host: string
  port: number
  /** Whether the database answers. */
  isReady: () => Promise<boolean>
}

const patienceMs = 2_000

/**
 * Serves `/metrics` and the paths of health on a port of its own: metrics are for the operator and not for the public side, and a worker
 * has no other port.
 */
export async function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  let isStopping = false
  const paths: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    '/metrics': async (response) => {
      const text = await options.registry.metrics()
      send(response, 200, { 'content-type': options.registry.contentType }, text)
    },
    '/livez': async (response) => tell(response, 200, 'alive'),
    '/healthz': async (response) => {
      if (await isTrueWithTimeout(options.isReady, patienceMs)) tell(response, 200, 'ok')
      else tell(response, 503, 'database')
    },
    '/readyz': async (response) => {
      if (isStopping) tell(response, 503, 'stopping')
      else if (await isTrueWithTimeout(options.isReady, patienceMs)) tell(response, 200, 'ready')
      else tell(response, 503, 'database')
    },
  }
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const answer = Object.hasOwn(paths, path) ? paths[path] : undefined
    if (!answer) send(response, 404, plain, 'Only /metrics, /healthz, /readyz and /livez are here.\n')
    else if (!methods.includes(request.method ?? ''))
      send(response, 405, { ...plain, allow: methods.join(', ') }, 'Ask with GET or HEAD.\n')
    else answer(response).catch(() => response.writeHead(500).end())
  })
  server.headersTimeout = 5_000
  server.requestTimeout = 5_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}/metrics`,
    stopping: () => {
      isStopping = true
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const methods = ['GET', 'HEAD']
const plain = { 'content-type': 'text/plain; charset=utf-8' }

function tell(response: ServerResponse, code: number, status: string): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  send(response, code, headers, JSON.stringify({ status }))
}

/** For HEAD, Node sends only the head, which says how long the body would be. */
function send(response: ServerResponse, code: number, headers: Record<string, string>, body: string): void {
  response.writeHead(code, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}
