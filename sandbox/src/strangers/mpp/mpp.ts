import type { Desk } from '../shop/desk.ts'
import { html } from '../web/html.ts'
import { shopPage } from '../web/layout.ts'
import { bytes, notFound, type OpenedShop, page, type Reply, type Visit } from '../web/site.ts'
import { apis } from './apis.ts'
import { toolsRoute } from './mcp-tools.ts'
import { openapiDocument } from './openapi-document.ts'
import { serveApi } from './serve-api.ts'

const look = { title: 'Pay per Forecast', tagline: 'Weather by the request', lang: 'en', accent: '#4d6b2f' }

/** A paid API: each request is answered 402 with what it costs, and once more when that is paid. */
export function openShop(desk: Desk): OpenedShop {
  const handle = (visit: Visit): Reply | Promise<Reply> => {
    const { name = '' } = visit.params
    const api = Object.hasOwn(apis, name) ? apis[name] : undefined
    return api === undefined ? notFound() : serveApi({ desk, name, api, visit })
  }
  return {
    sites: {
      [desk.host]: [
        { method: 'GET', path: '/', handle: () => page(homePage()) },
        { method: 'GET', path: '/openapi.json', handle: () => document(openapiDocument(desk)) },
        { method: 'GET', path: '/v1/:name', handle },
        { method: 'POST', path: '/v1/:name', handle },
        toolsRoute(desk),
      ],
    },
  }
}

function document(body: object): Reply {
  return bytes(200, JSON.stringify(body), {
    'content-type': 'application/json',
    'cache-control': 'public, max-age=300',
  })
}

function homePage() {
  const rows = Object.entries(apis).map(
    ([name, { about }]) => html`<li><code>GET /v1/${name}</code> ${about}</li>`,
  )
  return shopPage({ look, title: 'Forecasts', body: html`<h1>Forecasts</h1><ul>${rows}</ul>` })
}
