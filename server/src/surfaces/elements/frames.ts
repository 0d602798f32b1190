import type { Settings } from '../../contract/context.ts'
import { Problem } from '../../contract/problem.ts'
import type { ElementDoor } from '../../platform/doors/element-door.ts'
import type { Exchange } from '../http/exchange.ts'
import { type FileServer, fileServer, forEver } from '../http/page-files.ts'
import { plainLineOf } from '../http/request-line.ts'
import type { Http, SurfaceContext } from '../http/surface.ts'
import { cardFilePath, cardPage, cardPagePath } from './card-page.ts'
import type { ElementsHost } from './elements-host.ts'
import { openFrameFiles } from './frame-files.ts'
import { type FramePage, framePage, noFramePage } from './frame-page.ts'
import { ownPage } from './own-page.ts'

type FramesOptions = Pick<SurfaceContext, 'onRequest'> & {
  elementDoor: ElementDoor
  host: ElementsHost
  cardsHost: ElementsHost
  cards: Settings['cards'] | null
  vaultUrl: string | null
}

/** One address for all versions, so that a page need not change. */
const loaderPath = '/elements/v1/prokura.js'
const loaderSeconds = 300

/** The documents of frames with what they load, and the loader for pages without a bundler. */
export function mountFrames(http: Http, options: FramesOptions): void {
  const route = (path: `/${string}`, serve: (exchange: Exchange) => Promise<void>) =>
    http.route({ methods: ['GET', 'HEAD'], path, isForPages: true, serve })
  const server = fileServer(http, 'cross-origin')
  const answerPage = (exchange: Exchange, { status, headers, text }: FramePage) => {
    options.onRequest(plainLineOf(exchange, { route: exchange.route.path, status, code: null }))
    http.edge.write(exchange, { status, headers, body: text }, http.edge.base)
  }

  route('/elements/v1/frames/{bootstrap}', async (exchange) => {
    answerPage(exchange, await answerFrame(exchange, options))
  })
  // It says nothing that a request could be asked for: programs that look at links before people do use nothing up.
  for (const [path, name] of [
    ['/elements/v1/approve', 'approval'],
    ['/elements/v1/ceremony', 'ceremony'],
  ] as const)
    route(path, async (exchange) => {
      const isHere = options.host.isHere(exchange.request.headers.host)
      answerPage(exchange, isHere ? ownPage(name, options.vaultUrl, await openFrameFiles()) : noFramePage)
    })
  route('/elements/v1/files/{version}/{name}', async (exchange) => {
    const { version = '', name = '' } = exchange.path
    const file = (await openFrameFiles()).at(version, name)
    if (file === null) throw new Problem('not_found')
    await server(exchange, file, forEver(file))
  })
  mountLoader(route, http, server, options)
  mountCardPage(route, server, answerPage, options)
}

/** What the third origin serves: a document, and the two files that it loads. */
function mountCardPage(
  route: Route,
  server: FileServer,
  answerPage: (exchange: Exchange, page: FramePage) => void,
  { cards, cardsHost, host }: FramesOptions,
): void {
  const isHere = ({ request }: Exchange) => cardsHost.isHere(request.headers.host)
  route(cardPagePath, async (exchange) => {
    // guard cards-on-their-origin: on another origin, a script of the processor could read what people see there
    if (!cards || host.origin === null || !isHere(exchange)) return answerPage(exchange, noFramePage)
    const embedding = exchange.query.host
    const of = { host: typeof embedding === 'string' ? embedding : null, pages: host.origin, cards }
    answerPage(exchange, cardPage(of, await openFrameFiles()))
  })
  for (const name of ['cards.js', 'cards.css'] as const)
    route(`/cards/v1/files/{version}/${name}`, async (exchange) => {
      const file = isHere(exchange) ? (await openFrameFiles()).at(exchange.path.version ?? '', name) : null
      if (file === null) throw new Problem('not_found')
      await server(exchange, file, forEver({ path: cardFilePath(file.path) }))
    })
}

type Route = (path: `/${string}`, serve: (exchange: Exchange) => Promise<void>) => void

/** The loader at one address for all versions; and at that of its content, which says what a page may ask of it. */
function mountLoader(route: Route, http: Http, server: FileServer, { host, onRequest }: FramesOptions): void {
  const newest = { path: loaderPath, maxAgeSeconds: loaderSeconds } as const
  route(loaderPath, async (exchange) => server(exchange, (await openFrameFiles()).loader, newest))
  route('/elements/v1/loaders/{hash}/prokura.js', async (exchange) => {
    const { loader } = await openFrameFiles()
    const isSame = loader.path === `/elements/v1/loaders/${exchange.path.hash}/prokura.js`
    // A page that names an earlier one goes on with this one. Where it asks for its integrity too, the browser refuses it.
    await server(exchange, loader, isSame ? forEver(loader) : newest)
  })
  route('/elements/v1/loader.json', async (exchange) => {
    const { path, integrity } = (await openFrameFiles()).loader
    if (host.origin === null) throw new Problem('not_found')
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' }
    const body = JSON.stringify({ url: `${host.origin}${path}`, integrity })
    onRequest(plainLineOf(exchange, { route: exchange.route.path, status: 200, code: null }))
    http.edge.write(exchange, { status: 200, headers, body }, http.edge.base)
  })
}

async function answerFrame({ path, query, request }: Exchange, options: FramesOptions) {
  const { elementDoor, host, vaultUrl, cards } = options
  const bootstrap = path.bootstrap ?? ''
  // guard frames-on-their-origin: a frame on the origin of the API could read what people see there
  const found = host.isHere(request.headers.host) ? await elementDoor.bootstrap(bootstrap) : null
  if (found === null) return noFramePage
  const isIsolated = query.isolated === '1'
  const cardsUrl = found.mode === 'live' ? (cards?.url ?? null) : null
  return framePage({ ...found, bootstrap, vaultUrl, cardsUrl, isIsolated }, await openFrameFiles())
}
