import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { isTrueInTime } from '../platform/metrics/in-time.ts'

export type HealthOptions = {
  /** Whether the database answers, at the schema this program needs. */
  isDatabaseReady: () => Promise<boolean>
  draining: AbortSignal
}

/** A balancer must not wait for a database that hangs. */
const patienceMs = 2000

/**
 * `GET /healthz`: this process runs. `GET /readyz`: it can serve, now; 503 while the database does not answer and from the moment the
 * process begins to stop.
 */
export function registerHealth(app: FastifyInstance, { isDatabaseReady, draining }: HealthOptions): void {
  const method: HTTPMethods[] = ['GET', 'HEAD']
  app.route({ method, url: '/healthz', handler: async (_request, reply) => answer(reply.code(200), 'ok') })
  app.route({ method, url: '/readyz', handler: isReady })

  async function isReady(_request: FastifyRequest, reply: FastifyReply) {
    if (draining.aborted) return answer(reply.code(503), 'stopping')
    return (await isTrueInTime(isDatabaseReady, patienceMs))
      ? answer(reply.code(200), 'ready')
      : answer(reply.code(503), 'database')
  }
}

function answer(reply: FastifyReply, status: string) {
  return reply
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify({ status }))
}
