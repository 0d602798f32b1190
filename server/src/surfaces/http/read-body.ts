import type { IncomingMessage, ServerResponse } from 'node:http'
import { busy } from '../../contract/limit-refusals.ts'
import { Problem } from '../../contract/problem.ts'
import type { BodyHolder, BodyRoom } from './body-room.ts'

export type BodyThen = { read: (body: Uint8Array) => void; refused: (problem: Problem) => void }

export type BodyLimits = {
  bytesMax: number
  /** Where unfinished bodies are held, and for which holder. */
  room: BodyRoom
  holder: BodyHolder
}

const nothing = new Uint8Array()

/**
 * Reads the JSON body of a request, or says why it is not read. It takes callbacks instead of returning a promise, and passes on the one
 * chunk of most bodies as it came: this runs for every request.
 */
export function readBody(
  request: IncomingMessage,
  response: Pick<ServerResponse, 'writeContinue'>,
  limits: BodyLimits,
  then: BodyThen,
): void {
  const type = request.headers['content-type']
  if (type === undefined && !announcesBody(request)) then.read(nothing)
  else if (!isJson(type)) then.refused(new Problem('unsupported_media_type'))
  else collectBody(request, response, limits, then)
}

/** Reads a body of any type. */
export function collectBody(
  request: IncomingMessage,
  response: Pick<ServerResponse, 'writeContinue'> | null,
  { bytesMax, room, holder }: BodyLimits,
  then: BodyThen,
): void {
  const announced = request.headers['content-length']
  if (announced !== undefined && Number(announced) > bytesMax) {
    then.refused(tooLarge({ bytesMax, holder }))
    return
  }
  if (response) letSend(request, response)
  const lengthAtEnd = announced === undefined ? Number.POSITIVE_INFINITY : Number(announced)
  let first: Buffer | null = null
  let more: Buffer[] | null = null
  let length = 0
  let held = 0
  let isOver = false

  function finish(): void {
    isOver = true
    if (held > 0) room.release(holder, held)
    held = 0
  }

  function refuse(problem: Problem): void {
    if (isOver) return
    finish()
    // The bytes that arrived are not kept while the refusal is sent.
    first = null
    more = null
    then.refused(problem)
  }

  request.on('data', (chunk: Buffer) => {
    if (isOver) return
    length += chunk.length
    if (length > bytesMax) return refuse(tooLarge({ bytesMax, holder }))
    // A body that arrives whole, as nearly all do, waits for nothing and is not counted.
    // guard bodies-are-counted: the bytes of a body that have arrived are counted
    if (length < lengthAtEnd) {
      if (!room.take(holder, chunk.length)) return refuse(busy())
      held += chunk.length
    }
    if (first === null) first = chunk
    else {
      more ??= [first]
      more.push(chunk)
    }
  })
  request.on('end', () => {
    if (isOver) return
    finish()
    then.read(more ? Buffer.concat(more, length) : (first ?? nothing))
  })
  request.on('error', () => refuse(new Problem('bad_request')))
}

function tooLarge({ bytesMax, holder }: Pick<BodyLimits, 'bytesMax' | 'holder'>): Problem {
  const limit = bytesMax % 1024 === 0 ? `${bytesMax / 1024} KiB` : `${bytesMax} bytes`
  const sender = holder.kind === 'account' ? 'a request' : 'a request without an API key'
  const message = `The body is larger than ${limit}, the most that ${sender} may send.`
  return new Problem('payload_too_large', { message })
}

/** A client that asked before it sends a body, and is not refused by the head of its request, may send it now. */
export function letSend(request: IncomingMessage, response: Pick<ServerResponse, 'writeContinue'>): void {
  if (request.headers.expect !== undefined) response.writeContinue()
}

export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function isJson(type: string | undefined): boolean {
  return type === 'application/json' || (type !== undefined && jsonType.test(type))
}

/** The type, followed by well-formed parameters: `charset=utf-8`, also in quotes. */
const jsonType = /^\s*application\/json\s*(?:;.*)?$/i
