import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'

// Run as a thread by docs.ts: extracts the viewer's script from a package that only serves it, hands it over, and ends.

type Served = { url: string; handler: (request: null, reply: Reply) => unknown }
type Reply = { header(): Reply; send(script: string): string }

/** As much of a server as the package needs: it registers what it serves at which path. */
const served = new Map<string, Served['handler']>()
const server = {
  initialConfig: {},
  log: { warn: fail },
  hasPlugin: () => false,
  route: ({ url, handler }: Served) => void served.set(url, handler),
}
function fail(why: string): never {
  throw new Error(why)
}
const options = { routePrefix: '/docs', configuration: { url: '/openapi.json' } } as const
const mount: unknown = scalar
if (typeof mount !== 'function') fail('the package of the viewer is no plugin')
mount(server, options, () => undefined)

const reply: Reply = { header: () => reply, send: (script) => script }
const script = served.get('/docs/js/scalar.js')?.(null, reply)
if (typeof script !== 'string') throw new Error('the package of the viewer serves no script')
const bytes = Uint8Array.from(Buffer.from(script))
parentPort?.postMessage(bytes, [bytes.buffer])
