import { request } from 'node:http'
import { assertServedByOwner } from './private-socket.ts'

/** `not_sent` proves that the vault did nothing; after `lost` it may have. */
type DoorAnswer =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'not_sent' }
  | { readonly kind: 'lost' }

const answerBytesMax = 2_097_152

/** One question at a private door of the vault. Each has a connection of its own: a kept one would be lost with a restart of the vault. */
export function askDoor(
  socketPath: string,
  { path, body, timeoutMs }: { path: string; body: object; timeoutMs: number },
): Promise<DoorAnswer> {
  try {
    assertServedByOwner(socketPath)
  } catch {
    return Promise.resolve({ kind: 'not_sent' })
  }
  const { promise, resolve } = Promise.withResolvers<DoorAnswer>()
  let isSent = false
  const text = JSON.stringify(body, writeBigint)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  const asked = request({ socketPath, path, method: 'POST', headers, agent: false })
  const giveUp = () => {
    resolve(isSent ? { kind: 'lost' } : { kind: 'not_sent' })
    asked.destroy()
  }
  const deadline = setTimeout(giveUp, timeoutMs)
  asked.once('socket', (socket) =>
    socket.once('connect', () => {
      isSent = true
    }),
  )
  asked.once('error', giveUp)
  asked.once('response', (response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > answerBytesMax) giveUp()
      else chunks.push(chunk)
    })
    response.once('error', giveUp)
    response.once('close', giveUp)
    response.once('end', () => {
      const value = response.statusCode === 200 ? parse(Buffer.concat(chunks)) : undefined
      resolve(value === undefined ? { kind: 'lost' } : { kind: 'answer', value })
    })
  })
  asked.end(text)
  return promise.finally(() => clearTimeout(deadline))
}

function writeBigint(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
