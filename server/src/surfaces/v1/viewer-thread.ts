import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

// Run as a thread by docs.ts: takes the viewer's script out of a package that only serves it, hands it over, and ends.

const app = Fastify({ logger: false })
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
const { statusCode, rawPayload } = await app.inject({ method: 'GET', url: '/docs/js/scalar.js' })
if (statusCode !== 200) throw new Error(`the viewer's script answered ${statusCode}`)
const bytes = Uint8Array.from(rawPayload)
parentPort?.postMessage(bytes, [bytes.buffer])
await app.close()
