import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import type { Log } from '../platform/logs/logs.ts'
import { assertOwnFolder, OpenSocket } from '../platform/vault-client/private-socket.ts'
import { type JsonValue, parseJson } from '../schema/strict-json.ts'
import { NotUnderstood } from './read-request.ts'

/** A question by its path. It gets the parsed body, and throws `NotUnderstood` where that is not what it should be. */
type DoorRoutes = Readonly<Record<string, (body: JsonValue) => Promise<object>>>

export type Door = { close(): Promise<void> }

const bodyBytesMax = 262_144
const requestMs = 5_000
const connectionsMax = 256

/**
 * Listens on a Unix socket in a folder of ours. Who may enter the folder may ask; the folder is checked each time that this starts, and
 * the socket is only for its owner and its group.
 */
export async function openDoor(path: string, routes: DoorRoutes, log: Log): Promise<Door> {
  assertOwnFolder(dirname(path))
  // What a vault that was killed has left behind is in the way, and a vault that runs is not to be replaced.
  if (await isServed(path)) throw new OpenSocket(`Another vault already serves ${path}`)
  rmSync(path, { force: true })
  const server = createServer({ connectionsCheckingInterval: requestMs }, (request, response) => {
    answer(request, response, routes).catch((error: unknown) => {
      log.error({ err: error }, 'vault: a request failed on our side')
      end(response, 500, {})
    })
  })
  server.maxConnections = connectionsMax
  server.headersTimeout = requestMs
  server.requestTimeout = requestMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o660)
  return {
    async close() {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeIdleConnections()
      })
    },
  }
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function answer(request: IncomingMessage, response: ServerResponse, routes: DoorRoutes): Promise<void> {
  const path = request.url ?? ''
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined
  if (request.method !== 'POST' || route === undefined) return end(response, 404, {})
  const bytes = await readBody(request, bodyBytesMax)
  if (bytes === null) return end(response, 413, {})
  const parsed = parseJson(bytes)
  bytes.fill(0)
  if (!parsed.ok) return end(response, 400, {})
  try {
    end(response, 200, await route(parsed.value))
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error
    // It says which part, and never its value.
    end(response, 400, { not_understood: error.part })
  }
}

/** Null: it is larger. The connection is left open for the answer that says so. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function end(response: ServerResponse, status: number, value: object): void {
  if (response.headersSent || response.destroyed) return
  const text = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  })
  response.end(text)
}
