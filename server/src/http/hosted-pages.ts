import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HostedPage, HostedReply, HostedRequest } from '../contract/hosted-page.ts'
import { Problem } from '../contract/problem.ts'
import type { Id } from '../core/id.ts'
import { isDatabaseAway, isOutOfTime } from '../platform/database/errors.ts'
import type { RequestLine } from './server.ts'

export type HostedPageOptions = {
  pages: readonly HostedPage[]
  /** One line a request. */
  onRequest: (line: RequestLine) => void
  onBug: (error: unknown) => void
}

/** The largest form. */
const formBytesMax = 64 * 1024

/** Mounts the pages that people see. They live in a context of their own: forms are read here and nowhere else. */
export function registerHostedPages(app: FastifyInstance, options: HostedPageOptions): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytesMax },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    for (const page of options.pages) {
      const url = page.path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
      scope.route({
        // Programs that look at links before people do often ask for the head alone, and take a 404 for a broken link.
        method: page.method === 'GET' ? ['GET', 'HEAD'] : page.method,
        url,
        handler: async (request, reply) =>
          show(request, reply, await answer(page, request, options), page, options),
        errorHandler: (error, request, reply) => {
          const status = 'statusCode' in error ? Number(error.statusCode) : 500
          // Too large, or no form: whoever sent it knows why. Everything else is ours.
          if (!(status >= 400 && status < 500)) options.onBug(error)
          return show(request, reply, page.broken(status >= 400 && status < 500 ? 400 : 500), page, options)
        },
      })
    }
  })
}

async function answer(
  page: HostedPage,
  request: FastifyRequest,
  { onBug }: HostedPageOptions,
): Promise<HostedReply> {
  try {
    return await page.handle(asked(request))
  } catch (error) {
    if (isMomentary(error)) return page.broken(503)
    onBug(error)
    return page.broken(500)
  }
}

/** There was no time or place; nothing was done. */
function isMomentary(error: unknown): boolean {
  if (error instanceof Problem) return error.code === 'busy' || error.code === 'rate_limited'
  return isDatabaseAway(error) || isOutOfTime(error)
}

function asked(request: FastifyRequest): HostedRequest {
  return {
    requestId: request.id as Id<'req'>, // made by the server's own source of ids
    path: request.params as Record<string, string>, // Fastify fills it from the route's own template
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
    cookies: readCookies(request.headers.cookie ?? ''),
    form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
  }
}

/** The first cookie of a name wins: browsers send the one with the longest path first. */
function readCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header.split(';')) {
    const [name = '', ...value] = pair.trim().split('=')
    if (name !== '' && !cookies.has(name)) cookies.set(name, value.join('='))
  }
  return cookies
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: HostedReply,
  page: HostedPage,
  { onRequest }: HostedPageOptions,
): FastifyReply {
  onRequest({
    request_id: request.id,
    method: request.method,
    route: page.path,
    operation: null,
    status: shown.status,
    code: null,
    duration_ms: Math.round((performance.now() - request.startedAt) * 100) / 100,
    account_id: null,
    mode: null,
    actor_id: null,
    key_id: null,
  })
  return reply
    .code(shown.status)
    .headers(shown.headers)
    .header('content-type', 'text/html; charset=utf-8')
    .send(shown.html)
}
