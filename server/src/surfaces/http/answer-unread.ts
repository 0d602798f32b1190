import type { IncomingMessage, ServerResponse } from 'node:http'
import { announcesBody } from './read-body.ts'

/** How many milliseconds the bytes that still arrive are thrown away. */
const lingerMs = 1000

type Answer = { status: number; head: Record<string, string | number>; body: string }

/**
 * Answers a request whose body is not read, and closes the connection once the sender has ended, or a moment later. If it closed with
 * bytes unread, that would be a reset, which can destroy the answer on its way.
 */
export function answerUnread(
  request: IncomingMessage,
  response: ServerResponse,
  { status, head, body }: Answer,
): void {
  response.writeHead(status, { ...head, connection: 'close' })
  if (!announcesBody(request) || request.complete) return void response.end(body)
  response.write(body)
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, lingerMs)
  request.once('end', end).once('close', end).once('error', end)
  request.resume()
}
