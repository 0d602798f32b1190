import type { FastifyInstance } from 'fastify'
import { rateLimited } from '../../contract/limits.ts'
import { countedAddress } from './client-address.ts'
import type { Edge } from './edge.ts'

type Options = { edge: Edge; isTrusted: (address: string) => boolean; max: number }

/** Behind a proxy one caller's connections cannot be told from another's, so that his requests under way are counted instead. */
export function limitRequests(app: FastifyInstance, { edge, isTrusted, max }: Options): void {
  const underWay = new Map<string, number>()
  app.addHook('onRequest', (request, reply, done) => {
    if (!isTrusted(request.raw.socket.remoteAddress ?? '')) return done()
    edge.begin(request)
    const address = countedAddress(request.client)
    const count = underWay.get(address) ?? 0
    if (count >= max) {
      const problem = rateLimited({ scope: 'ip', limit: max, windowSeconds: 1, retryAfterSeconds: 1 })
      return edge.refuse(request, reply, problem)
    }
    underWay.set(address, count + 1)
    reply.raw.once('close', () => {
      const left = (underWay.get(address) ?? 1) - 1
      if (left > 0) underWay.set(address, left)
      else underWay.delete(address)
    })
    done()
  })
}
