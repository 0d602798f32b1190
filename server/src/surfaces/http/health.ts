import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify'
import { isTrueWithTimeout } from '../../platform/metrics/with-timeout.ts'

export type HealthOptions = {
  /** Whether callers are served, asked on the way that their calls take. */
  isServing: () => Promise<boolean>
  draining: AbortSignal
}

/** Callers wait no longer, and neither must who asks: a balancer takes the process out within seconds. */
const patienceMs = 2000
/** Anybody may ask, so that one look serves all who ask meanwhile. */
const freshMs = 250

/**
 * `GET /livez`: this process runs, whatever becomes of its calls. `GET /healthz`: callers are known, and their reads answered; 503 as
 * long as they are not. `GET /readyz`: the same, and 503 from the moment the process begins to stop.
 */
export function registerHealth(app: FastifyInstance, { isServing, draining }: HealthOptions): void {
  const look = lookOnce(() => isTrueWithTimeout(isServing, patienceMs))
  const method: HTTPMethods[] = ['GET', 'HEAD']
  app.route({ method, url: '/livez', handler: async (_request, reply) => answer(reply.code(200), 'alive') })
  app.route({ method, url: '/healthz', handler: (_request, reply) => serving(reply, 'ok') })
  app.route({
    method,
    url: '/readyz',
    handler: async (_request, reply) =>
      draining.aborted ? answer(reply.code(503), 'stopping') : serving(reply, 'ready'),
  })

  async function serving(reply: FastifyReply, status: string): Promise<FastifyReply> {
    return (await look()) ? answer(reply.code(200), status) : answer(reply.code(503), 'database')
  }
}

function lookOnce(check: () => Promise<boolean>): () => Promise<boolean> {
  let known: { result: Promise<boolean>; untilMs: number } | null = null
  return () => {
    if (known && performance.now() < known.untilMs) return known.result
    const look = { result: check(), untilMs: Number.POSITIVE_INFINITY }
    known = look
    void look.result.finally(() => {
      look.untilMs = performance.now() + freshMs
    })
    return look.result
  }
}

function answer(reply: FastifyReply, status: string) {
  return reply
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify({ status }))
}
