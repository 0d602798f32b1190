import type { HostedPage, HostedReply, HostedRequest } from '../../contract/hosted-page.ts'
import { Problem } from '../../contract/problem.ts'
import { visibleText } from '../../core/visible-text.ts'
import { isDatabaseAway, isOutOfTime } from '../../platform/database/errors.ts'
import { createGuesses, type Guesses } from '../../platform/limits/guesses.ts'
import { countedAddress } from '../http/client-address.ts'
import type { Exchange } from '../http/exchange.ts'
import { announcesBody } from '../http/read-body.ts'
import { plainLineOf } from '../http/request-line.ts'
import type { Http, Surface, SurfaceContext } from '../http/surface.ts'
import { mountAssets } from './assets.ts'

type HostedPageOptions = {
  pages: readonly HostedPage[]
  /** How many unknown links one address may try in a minute. */
  guessesMax: number
}

/** The largest form. */
const formBytesMax = 64 * 1024

/** The pages that people see, and what these load. */
export function hostedPagesSurface(options: HostedPageOptions): Surface {
  return { name: 'pages', mount: (http, context) => mount(http, { ...context, ...options }) }
}

type Mounted = HostedPageOptions & SurfaceContext

function mount(http: Http, options: Mounted): void {
  mountAssets(http)
  const guesses = createGuesses(options.guessesMax)
  for (const page of options.pages) {
    async function serve(exchange: Exchange, form: URLSearchParams): Promise<void> {
      const answered = await answer(page, asked(exchange, form), options)
      show(exchange, slowed(page, exchange, answered, guesses))
    }
    /** There may be more of the form, which nobody reads. */
    function refuse(exchange: Exchange, error: unknown): void {
      const shown = page.broken(statusOf(error, options.onBug))
      show(exchange, { ...shown, headers: { ...shown.headers, connection: 'close' } })
    }
    function show(exchange: Exchange, shown: HostedReply): void {
      const { status, html } = shown
      const code = status === 429 ? 'rate_limited' : null
      options.onRequest(plainLineOf(exchange, { route: page.path, status, code }))
      const headers = { ...shown.headers, 'content-type': 'text/html; charset=utf-8' }
      http.edge.write(exchange, { status, headers, body: visibleText(html) }, http.edge.base)
    }
    http.route({
      // Programs that look at links before people do often ask for the head alone, and take a 404 for a broken link.
      methods: page.method === 'GET' ? ['GET', 'HEAD'] : [page.method],
      path: page.path,
      serve: async (exchange) => {
        try {
          const form = page.method === 'GET' ? new URLSearchParams() : await readForm(exchange, http)
          await serve(exchange, form)
        } catch (error) {
          refuse(exchange, error)
        }
      },
    })
  }
}

const formType = /^\s*application\/x-www-form-urlencoded\s*(?:;.*)?$/i

function readForm(exchange: Exchange, { edge }: Http): URLSearchParams | Promise<URLSearchParams> {
  const type = exchange.request.headers['content-type']
  if (type === undefined && !announcesBody(exchange.request)) return new URLSearchParams()
  if (!formType.test(type ?? '')) throw new Problem('unsupported_media_type')
  return new Promise((resolve, refused) => {
    const read = (bytes: Uint8Array) => resolve(new URLSearchParams(Buffer.from(bytes).toString()))
    edge.readForm(exchange, formBytesMax, { read, refused })
  })
}

/** Too large, or not a form: its sender can see why. No room for it: later. Every other error is ours. */
function statusOf(error: unknown, onBug: (error: unknown) => void): number {
  if (error instanceof Problem) return error.code === 'busy' || error.code === 'unavailable' ? 503 : 400
  onBug(error)
  return 500
}

async function answer(page: HostedPage, request: HostedRequest, { onBug }: Mounted): Promise<HostedReply> {
  try {
    return await page.handle(request)
  } catch (error) {
    if (isMomentary(error)) return page.broken(503)
    onBug(error)
    return page.broken(500)
  }
}

/**
 * A request that finds nothing counts as a guess. A link that exists is shown however many guesses there were, because others may share
 * the address.
 */
function slowed(page: HostedPage, { client }: Exchange, shown: HostedReply, guesses: Guesses): HostedReply {
  if (shown.status !== 404) return shown
  const address = countedAddress(client)
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

function asked({ id, path, request }: Exchange, form: URLSearchParams): HostedRequest {
  return {
    requestId: id,
    path,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
    cookies: readCookies(request.headers.cookie ?? ''),
    form,
  }
}

/**
 * A name that occurs twice, with two values, is ignored: a browser does not say which of them we set, and a neighboring domain can plant
 * one.
 */
export function readCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>()
  const doubtful = new Set<string>()
  for (const pair of header.split(';')) {
    const [name = '', ...parts] = pair.trim().split('=')
    const value = parts.join('=')
    if (name === '') continue
    // guard doubtful-cookies: a cookie that a neighbour planted is not taken for ours
    if (cookies.has(name) && cookies.get(name) !== value) doubtful.add(name)
    cookies.set(name, value)
  }
  for (const name of doubtful) cookies.delete(name)
  return cookies
}
