import { type DownloadReply, isOfBytes } from '../../contract/operation.ts'
import type { Exchange } from './exchange.ts'

/**
 * Writes a file while it is made. When it breaks off, so does the connection: half a file must not look like a whole one. For HEAD
 * nothing of it is made.
 */
export async function writeDownload(
  { id, request, response: out }: Exchange,
  { download, type, filename, headers }: DownloadReply,
  head: Readonly<Record<string, string>>,
): Promise<void> {
  out.writeHead(200, {
    ...head,
    ...headers,
    'content-disposition': `attachment; filename="${filename}"`,
    'content-type': isOfBytes(type) ? type : `${type}; charset=utf-8`,
    'cache-control': 'private, no-store',
    vary: 'Accept',
    'request-id': id,
  })
  if (request.method === 'HEAD') {
    // guard head-holds-no-place: a client that asks for HEAD of files leaves the places of its account free
    await download[Symbol.asyncIterator]().return?.()
    return void out.end()
  }
  const gone = new Promise<'gone'>((resolve) => out.once('close', () => resolve('gone')))
  for await (const part of download) {
    if (out.destroyed) return
    if (out.write(part)) continue
    // A slow reader slows the source down instead of filling our memory.
    const flushed = new Promise<'flushed'>((resolve) => out.once('drain', () => resolve('flushed')))
    if ((await Promise.race([flushed, gone])) === 'gone') return
  }
  out.end()
}
