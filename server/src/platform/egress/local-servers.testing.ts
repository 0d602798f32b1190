import { once } from 'node:events'
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket, Server as TcpServer } from 'node:net'
import { createEgress, type EgressOptions, type EgressRequest, type StreamingEgress } from './egress.ts'
import { EgressFault } from './fault.ts'
import { selfSigned } from './self-signed.testing.ts'

const stoppers: (() => Promise<void>)[] = []

/** For `afterEach`: ends every server and egress that the test started. */
export async function stopAll(): Promise<void> {
  for (const stop of stoppers.splice(0)) await stop()
}

export function egressWith(options: Partial<EgressOptions> = {}): StreamingEgress {
  const egress = createEgress({ allowLoopback: (mode) => mode === 'test', trustedOrigins: [], ...options })
  stoppers.push(() => egress.close())
  return egress
}

/** A lookup for tests that must not need one. */
export async function noNames(hostname: string): Promise<string[]> {
  throw new Error(`unexpected lookup of ${hostname}`)
}

type Listening = { port: number; origin: string; connections: number; requests: IncomingMessage[] }

export async function listen(server: HttpServer | TcpServer, host = '127.0.0.1'): Promise<Listening> {
  const sockets = new Set<Socket>()
  const seen: Listening = { port: 0, origin: '', connections: 0, requests: [] }
  server.on('connection', (socket: Socket) => {
    seen.connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.on('request', (request: IncomingMessage) => seen.requests.push(request))
  server.listen(0, host)
  await once(server, 'listening')
  stoppers.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  seen.port = portOf(server)
  seen.origin = `http://127.0.0.1:${seen.port}`
  return seen
}

export function portOf(server: HttpServer | TcpServer): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return (address satisfies AddressInfo).port
}

export function serve(listener: RequestListener): Promise<Listening> {
  return listen(createServer(listener))
}

/** A server for this name, since only this machine may be called without TLS; with `ca` an egress trusts it. */
export async function serveTls(
  name: string,
  listener: RequestListener,
): Promise<Listening & { ca: string[] }> {
  const identity = selfSigned(name)
  const seen = await listen(createTlsServer(identity, listener))
  return Object.assign(seen, { ca: [identity.cert] })
}

export function get(url: string, overrides: Partial<EgressRequest> = {}): EgressRequest {
  return {
    url,
    method: 'GET',
    headers: {},
    mode: 'test',
    timeoutMs: 5_000,
    maxResponseBytes: 1_000,
    ...overrides,
  }
}

export async function faultOf(call: Promise<unknown>): Promise<Partial<EgressFault>> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    const { stage, code, retryable, status } = error
    return { stage, code, retryable, ...(status === undefined ? {} : { status }) }
  }
  throw new Error('the call succeeded')
}

export function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, 'x')
  function more(): void {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}

export function bytesWrittenUntilClose(server: HttpServer): Promise<number> {
  return new Promise((resolve) => {
    server.once('connection', (socket) => socket.once('close', () => resolve(socket.bytesWritten)))
  })
}
