import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HostedPage, HostedReply, HostedRequest } from '../../contract/hosted-page.ts'
import { Problem } from '../../contract/problem.ts'
import type { Id } from '../../core/id.ts'
import { isDatabaseAway, isOutOfTime } from '../../platform/database/errors.ts'
import { createGuesses, type Guesses } from '../../platform/limits/guesses.ts'
import { countedAddress } from '../http/client-address.ts'
import type { Edge } from '../http/edge.ts'
import { plainLineOf, type RequestLine } from '../http/request-line.ts'

export type HostedPageOptions = {
  pages: readonly HostedPage[]
  /** Unknown links that one address may try in a minute. */
  guessesMax: number
  edge: Pick<Edge, 'readForm'>
  /** One line a request. */
  onRequest: (line: RequestLine) => void
  onBug: (error: unknown) => void
}

/** The largest form. */
const formBytesMax = 64 * 1024

/** Mounts the pages that people see. They live in a context of their own: forms are read here and nowhere else. */
export function registerHostedPages(app: FastifyInstance, options: HostedPageOptions): void {
  const guesses = createGuesses(options.guessesMax)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', (request, _body, done) =>
      options.edge.readForm(request, formBytesMax, {
        read: (bytes) => done(null, new URLSearchParams(Buffer.from(bytes).toString())),
        refused: (problem) => done(problem),
      }),
    )
    for (const page of options.pages) {
      const url = page.path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
      scope.route({
        // Programs that look at links before people do often ask for the head alone, and take a 404 for a broken link.
        method: page.method === 'GET' ? ['GET', 'HEAD'] : page.method,
        url,
        handler: async (request, reply) =>
          show(
            request,
            reply,
            slowed(page, request, await answer(page, request, options), guesses),
            page,
            options,
          ),
        errorHandler: (error, request, reply) => {
          const shown = page.broken(statusOf(error, options.onBug))
          // There may be more of the form, which nobody reads.
          return show(request, reply.header('connection', 'close'), shown, page, options)
        },
      })
    }
  })
}

/** Too large, or no form: whoever sent it knows why. No room for it: later. Everything else is ours. */
function statusOf(error: Error, onBug: (error: unknown) => void): number {
  if (error instanceof Problem) return error.status === 503 ? 503 : 400
  const status = 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return 400
  onBug(error)
  return 500
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

/** Who finds nothing has guessed. A link that exists is shown however many were guessed: others may share the address. */
function slowed(
  page: HostedPage,
  request: FastifyRequest,
  shown: HostedReply,
  guesses: Guesses,
): HostedReply {
  if (shown.status !== 404) return shown
  const address = countedAddress(request.client)
  if (!guesses.isSpent(address)) {
    guesses.begin(address)
    return shown
  }
  const tooMany = page.broken(429)
  const seconds = Math.ceil(guesses.secondsLeft(address))
  return { ...tooMany, headers: { ...tooMany.headers, 'retry-after': String(seconds) } }
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

/**
 * A name that is there twice, with two values, says nothing: a browser does not tell which of them we set, and a neighbouring domain can
 * plant one.
 */
export function readCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>()
  const doubtful = new Set<string>()
  for (const pair of header.split(';')) {
    const [name = '', ...parts] = pair.trim().split('=')
    const value = parts.join('=')
    if (name === '') continue
    if (cookies.has(name) && cookies.get(name) !== value) doubtful.add(name)
    cookies.set(name, value)
  }
  for (const name of doubtful) cookies.delete(name)
  return cookies
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: HostedReply,
  page: HostedPage,
  { onRequest }: HostedPageOptions,
): FastifyReply {
  const code = shown.status === 429 ? 'rate_limited' : null
  onRequest(plainLineOf(request, { route: page.path, status: shown.status, code }))
  return reply
    .code(shown.status)
    .headers(shown.headers)
    .header('content-type', 'text/html; charset=utf-8')
    .send(shown.html)
}
