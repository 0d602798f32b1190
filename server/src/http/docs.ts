import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { openApiDocument } from '../contract/openapi.ts'
import type { OperationFacts } from '../contract/operation.ts'

/** Nothing on the reference page may come from, or go to, anywhere but this server. */
const contentSecurity = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** `GET /openapi.json`, and the reference that people read at `GET /docs`. */
export function registerDocs(
  app: FastifyInstance,
  options: { operations: readonly OperationFacts[]; publicUrl: string },
): void {
  let document: string | undefined
  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(options.operations, { publicUrl: options.publicUrl }))
    return reply
      .type('application/json; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .send(document)
  })

  let reference: Promise<FastifyInstance> | undefined
  async function showReference(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reference ??= openReference()
    const { statusCode, headers, rawPayload } = await (await reference).inject({
      method: 'GET',
      url: request.url,
    })
    for (const name of ['content-type', 'location'] as const) {
      const value = headers[name]
      if (value !== undefined) reply.header(name, value)
    }
    reply.header('content-security-policy', contentSecurity)
    return reply.code(statusCode).send(rawPayload)
  }
  for (const url of ['/docs', '/docs/', '/docs/js/scalar.js']) app.get(url, showReference)
}

/**
 * The reference lives in an application of its own that nobody listens to: its megabytes are read when somebody first looks, and not
 * by every process that starts.
 */
async function openReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify({ logger: false })
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Prokura API',
      withDefaultFonts: false,
      proxyUrl: '',
      telemetry: false,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  return app
}
