import { createHash } from 'node:crypto'
import type { Content } from '../../contract/operation.ts'

/**
 * A file as a call holds it. It is digested while it is read, so the digest that identifies the request is known once the file has been
 * stored.
 */
export function openContent(source: AsyncIterable<Uint8Array>): Content {
  const hash = createHash('sha256')
  let digest: string | null = null
  let begun = false
  async function* chunks(): AsyncGenerator<Uint8Array> {
    begun = true
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
    digest = hash.digest('hex')
  }
  return { chunks: chunks(), digest: () => digest, isBegun: () => begun }
}

/** The bytes of a file that a tool carries as text. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** The content of calls that carry no file. */
export const noContent: Content = { chunks: bytesOf(''), digest: () => null, isBegun: () => false }
