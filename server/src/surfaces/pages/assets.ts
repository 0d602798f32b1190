import { servedAssets } from '../../platform/pages/assets.ts'
import { registerDocuments } from '../http/documents.ts'
import type { Http } from '../http/surface.ts'

const yearSeconds = 31_536_000

/** The files of all pages. An address is of one content: any other address is answered 404. */
export function mountAssets(http: Http): void {
  registerDocuments(
    http,
    servedAssets().map(({ path, type, bytes }) => ({
      path,
      type,
      maxAgeSeconds: yearSeconds,
      isImmutable: true,
      // Scripts and fonts of a page that was opened under another name of this server are asked for across origins.
      headers: { 'access-control-allow-origin': '*' },
      make: () => bytes,
    })),
  )
}
