import type { Exchange } from '../http/exchange.ts'
import type { Http } from '../http/surface.ts'

/** A message as it came: its signature is over these bytes. */
export type SignedMessage = { readonly body: Uint8Array; readonly signature: string | undefined }

const bytesMax = 256 * 1024

/** `signedBy`: the header that has the signature. */
export async function readSigned(http: Http, exchange: Exchange, signedBy: string): Promise<SignedMessage> {
  const body = await new Promise<Uint8Array>((read, refused) =>
    http.edge.readForm(exchange, bytesMax, { read, refused }),
  )
  const named = exchange.request.headers[signedBy]
  return { body, signature: typeof named === 'string' ? named : undefined }
}
