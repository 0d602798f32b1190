import { defaultLimits } from '../../contract/limits.ts'
import { createHttpServer, type HttpServer } from './server.ts'

/** The HTTP server without keys and operations, for tests of what is mounted on it. */
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
