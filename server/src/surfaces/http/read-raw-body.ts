import type { Exchange } from './exchange.ts'
import type { Http } from './surface.ts'

const nothing = new Uint8Array()

/** The bytes of a request, exactly as they were sent: signatures are of them. Rejects with the refusal of one that is not read. */
export function readRawBody({ edge }: Http, exchange: Exchange): Promise<Uint8Array> {
  const { method } = exchange.request
  if (method === 'GET' || method === 'HEAD') return Promise.resolve(nothing)
  return new Promise((read, refused) => edge.readBody(exchange, null, { read, refused }))
}
