import type { IncomingMessage } from 'node:http'
import { Problem } from '../../contract/problem.ts'

/** How many milliseconds a sender may be silent. */
const silenceMs = 10_000

export type OpenedContent = { format: string; chunks: AsyncIterable<Uint8Array> }

/**
 * The body of a request that is a file, as a stream that slows its sender down; or throws why it is not accepted. `types` are the
 * accepted media types, each with the name of its format.
 */
export function readContent(
  request: IncomingMessage,
  types: Readonly<Record<string, string>>,
  bytesMax: number,
): OpenedContent {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const format = Object.hasOwn(types, type) ? types[type] : undefined
  if (format === undefined) throw unsupported(`Send the file as ${listed(Object.keys(types))}.`)
  const coding = request.headers['content-encoding'] ?? 'identity'
  if (coding.trim().toLowerCase() !== 'identity')
    throw unsupported('Send the file as it is, without a Content-Encoding.')
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  return { format, chunks: chunksOf(request, bytesMax) }
}

async function* chunksOf(request: IncomingMessage, bytesMax: number): AsyncGenerator<Uint8Array> {
  let length = 0
  const timer = setTimeout(() => request.destroy(new Error('the sender has gone silent')), silenceMs).unref()
  try {
    // A request that is refused in the middle is still answered, over the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      timer.refresh()
      length += chunk.length
      if (length > bytesMax) throw tooLarge(bytesMax)
      yield chunk
      timer.refresh()
    }
  } catch (error) {
    throw error instanceof Problem
      ? error
      : new Problem('bad_request', { message: 'The body ended before it was complete. Send it again.' })
  } finally {
    clearTimeout(timer)
  }
}

function unsupported(message: string): Problem {
  return new Problem('unsupported_media_type', { message })
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' or ')
}

function tooLarge(bytesMax: number): Problem {
  const message = `The file is larger than ${bytesMax} bytes. Send it in parts.`
  return new Problem('payload_too_large', { message })
}
