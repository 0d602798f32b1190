import { rateLimited } from '../../contract/limit-refusals.ts'
import type { Problem } from '../../contract/problem.ts'
import { countedAddress } from './client-address.ts'
import type { Exchange } from './exchange.ts'

type Options = { isTrusted: (address: string) => boolean; max: number }

type RequestCount = {
  /** Takes a place until the request is answered, or returns why there is none. */
  take(exchange: Pick<Exchange, 'request' | 'response' | 'client'>): Problem | null
}

/** Behind a proxy one caller's connections cannot be told from another's, so a caller's requests under way are counted instead. */
export function createRequestCount({ isTrusted, max }: Options): RequestCount {
  const underWay = new Map<string, number>()
  return {
    take({ request, response, client }) {
      if (!isTrusted(request.socket.remoteAddress ?? '')) return null
      const address = countedAddress(client)
      const count = underWay.get(address) ?? 0
      if (count >= max)
        return rateLimited({ scope: 'ip', limit: max, windowSeconds: 1, retryAfterSeconds: 1 })
      underWay.set(address, count + 1)
      response.once('close', () => {
        const left = (underWay.get(address) ?? 1) - 1
        if (left > 0) underWay.set(address, left)
        else underWay.delete(address)
      })
      return null
    },
  }
}
