import { defaultLimits } from '../../../test/harness/default-limits.ts'
import { createHttpServer, type HttpServer } from './server.ts'
import type { SurfaceContext } from './surface.ts'

/** The HTTP server without keys and operations, for tests of surfaces that are mounted on it. */
export function bareServer(onBug: (error: unknown) => void): HttpServer {
  return createHttpServer({
    dialect: ({ message }) => ({ status: 400, headers: {}, body: JSON.stringify(message), code: null }),
    newRequestId: () => 'req_1',
    publicUrl: 'http://127.0.0.1',
    trustedProxies: [],
    limits: defaultLimits,
    onRequest: () => undefined,
    onBug,
  })
}

/** A context for surfaces that call no operation. */
export function bareContext(given: Partial<SurfaceContext> = {}): SurfaceContext {
  return {
    operations: [],
    dispatch: async () => {
      throw new Error('nothing can be called here')
    },
    publicUrl: 'http://127.0.0.1',
    onRequest: () => undefined,
    onBug: () => undefined,
    draining: new AbortController().signal,
    ...given,
  }
}
