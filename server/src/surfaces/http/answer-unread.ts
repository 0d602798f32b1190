import type { IncomingMessage, ServerResponse } from 'node:http'
import { announcesBody } from './read-body.ts'

/** How long what is still sent is thrown away. */
const lingerMs = 1000

type Answer = { status: number; head: Record<string, string | number>; body: string }

/**
 * Answers a request of which the body is not read, and closes the connection once the sender has ended, or a moment later. To close
 * with bytes unread would be a reset, which takes the answer along.
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
