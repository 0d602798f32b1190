import type { IncomingMessage } from 'node:http'
import { Problem } from '../contract/problem.ts'

export type BodyThen = { read: (body: Uint8Array) => void; refused: (problem: Problem) => void }

const nothing = new Uint8Array()

/**
 * Reads the JSON body of a request, or says why it is not read. Callbacks instead of a promise, and the one chunk that most bodies
 * are is handed on as it came: this runs for every request.
 */
export function readBody(request: IncomingMessage, bytesMax: number, then: BodyThen): void {
  const type = request.headers['content-type']
  if (type === undefined && !announcesBody(request)) then.read(nothing)
  else if (!isJson(type)) then.refused(new Problem('unsupported_media_type'))
  else if (Number(request.headers['content-length'] ?? 0) > bytesMax)
    then.refused(new Problem('payload_too_large'))
  else collect(request, bytesMax, then)
}

function collect(request: IncomingMessage, bytesMax: number, then: BodyThen): void {
  let first: Buffer | null = null
  let more: Buffer[] | null = null
  let length = 0
  let isOver = false

  function refuse(code: 'payload_too_large' | 'bad_request'): void {
    if (isOver) return
    isOver = true
    then.refused(new Problem(code))
  }

  request.on('data', (chunk: Buffer) => {
    if (isOver) return
    length += chunk.length
    if (length > bytesMax) refuse('payload_too_large')
    else if (first === null) first = chunk
    else {
      more ??= [first]
      more.push(chunk)
    }
  })
  request.on('end', () => {
    if (isOver) return
    isOver = true
    then.read(more ? Buffer.concat(more, length) : (first ?? nothing))
  })
  request.on('error', () => refuse('bad_request'))
}

function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function isJson(type: string | undefined): boolean {
  return type === 'application/json' || (type !== undefined && jsonType.test(type))
}

/** The type, and parameters that are parameters: `charset=utf-8`, also in quotes. */
const jsonType = /^\s*application\/json\s*(?:;.*)?$/i
