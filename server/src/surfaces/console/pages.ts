import { Problem } from '../../contract/problem.ts'
import { html } from '../../platform/pages/html.ts'
import type { Exchange } from '../http/exchange.ts'
import { fileServer, forEver, type PageFiles } from '../http/page-files.ts'
import { plainLineOf } from '../http/request-line.ts'
import type { Http, SurfaceContext } from '../http/surface.ts'
import { openConsoleFiles } from './console-files.ts'

/** Every address below the console is a view, but those of its calls and files. */
const view = ':view(^(?!(?:v1|files)$).+$)'

/** One document for all views, with what it loads. `address`: where people open the console. */
export function mountPages(http: Http, address: string, onRequest: SurfaceContext['onRequest']): void {
  const server = fileServer(http, 'same-origin')
  const route = (path: `/${string}`, serve: (exchange: Exchange) => Promise<void>) =>
    http.route({ methods: ['GET', 'HEAD'], path, serve })

  for (const path of ['/console', '/console/', `/console/${view}`, `/console/${view}/*`] as const)
    route(path, async (exchange) => {
      const body = shell(address, await openConsoleFiles())
      onRequest(plainLineOf(exchange, { route: '/console/*', status: 200, code: null }))
      http.edge.write(exchange, { status: 200, headers, body }, http.edge.base)
    })
  route('/console/files/{version}/{name}', async (exchange) => {
    const { version = '', name = '' } = exchange.path
    const file = (await openConsoleFiles()).at(version, name)
    if (file === null) throw new Problem('not_found')
    await server(exchange, file, forEver(file))
  })
}

/** The same for everybody: who somebody is and what they see, its code asks the interface. */
function shell(address: string, files: PageFiles): string {
  // Behind a proxy the console may be below a path of another service.
  const above = new URL(address).pathname.replace(/\/console$/, '')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Prokura</title>
<link rel="stylesheet" href="${above}${files.of('console.css').path}">
<script type="module" src="${above}${files.of('console.js').path}"></script>
</head>
<body>
<div id="root" data-home="${address}"></div>
<noscript><p>The console needs JavaScript. Open it again in a browser that has it.</p></noscript>
</body>
</html>
`.text
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'self'",
    // guard console-in-no-frame: nobody has a person click on a page of the console that they do not see
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
  // The address of a sign-in names where to go on; nobody else needs it.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
}
