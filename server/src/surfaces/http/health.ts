import { isTrueWithTimeout } from '../../platform/metrics/with-timeout.ts'
import type { Http, Surface } from './surface.ts'

type HealthOptions = {
  /** Whether callers are served, asked in the way that their calls go. */
  isServing: () => Promise<boolean>
}

/** Callers wait no longer, and health checks must not either: a balancer removes the process within seconds. */
const patienceMs = 2000
/** Anybody may ask, so one look answers everybody who asks meanwhile. */
const freshMs = 250

/**
 * `GET /livez`: this process runs, even if its calls fail. `GET /healthz`: keys can be looked up and reads are answered; 503 while they
 * are not. `GET /readyz`: the same, and 503 from the moment the process begins to stop.
 */
export function healthSurface({ isServing }: HealthOptions): Surface {
  return { name: 'health', mount: (http, { draining }) => mountHealth(http, isServing, draining) }
}

function mountHealth(http: Http, isServing: () => Promise<boolean>, draining: AbortSignal): void {
  const look = lookOnce(() => isTrueWithTimeout(isServing, patienceMs))
  const mount = (path: `/${string}`, stateOf: () => State | Promise<State>) =>
    http.route({
      methods: ['GET', 'HEAD'],
      path,
      async serve(exchange) {
        const { status, word } = await stateOf()
        const headers = { 'cache-control': 'no-store' }
        http.edge.write(exchange, { status, headers, body: JSON.stringify({ status: word }) }, http.edge.base)
      },
    })
  mount('/livez', () => ({ status: 200, word: 'alive' }))
  mount('/healthz', () => serving('ok'))
  mount('/readyz', () => (draining.aborted ? { status: 503, word: 'stopping' } : serving('ready')))

  async function serving(word: string): Promise<State> {
    return (await look()) ? { status: 200, word } : { status: 503, word: 'database' }
  }
}

type State = { status: number; word: string }

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
