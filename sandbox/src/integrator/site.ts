import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { BadRequest, type Fields, isObject } from '../fields.ts'
import type { RunningServer } from '../json-server.ts'
import { Chats } from './chats.ts'
import type { IntegratorOptions } from './options.ts'
import { pageScripts } from './page-scripts.ts'
import { openService, type Service } from './service-calls.ts'

const page = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

const pages = new Map([
  ['/', page('add-card.html')],
  ['/buy', page('buy.html')],
  ['/buy-react', page('buy-react.html')],
  ['/budget', page('budget.html')],
  ['/chat', page('chat.html')],
])

/** The site of an integrator: its pages have a publishable key, and its server, which answers them, the secret one. */
export async function startIntegrator(options: IntegratorOptions): Promise<RunningServer> {
  const service = openService(options)
  const profileId = await service.addVisitor()
  const chats = new Chats(options, profileId)
  const shown = async (page: string) =>
    page
      .replaceAll('{{elements}}', options.elementsUrl)
      .replaceAll('{{publishable_key}}', options.publishableKey)
      .replaceAll('{{profile_id}}', profileId)
      .replaceAll('{{chat_id}}', page.includes('{{chat_id}}') ? await chats.open() : '')
  const server = createServer(async (request, response) => {
    const said = await answer(request, response, { service, chats, profileId, shown })
    if (said === null || response.headersSent) return
    const { status, type, body } = said
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // of a server that listens at a port
  return {
    url: `http://localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Site = {
  service: Service
  chats: Chats
  profileId: string
  shown: (page: string) => Promise<string>
}

/** Null: it has been answered. */
async function answer(request: IncomingMessage, response: ServerResponse, site: Site) {
  const { method, url = '' } = request
  try {
    const shown = method === 'GET' ? pages.get(url) : undefined
    if (shown !== undefined)
      return { status: 200, type: 'text/html; charset=utf-8', body: await site.shown(shown) }
    const script = method === 'GET' && url.endsWith('.js') ? (await pageScripts())[url.slice(1)] : undefined
    if (script !== undefined) return { status: 200, type: 'text/javascript; charset=utf-8', body: script }
    if (await site.chats.answer(request, response)) return null
    const said = await orderNow(request, site)
    return said === null ? json(404, { summary: 'There is nothing here.' }) : json(200, said)
  } catch (error) {
    const status = error instanceof BadRequest ? error.status : 502
    return json(status, { summary: error instanceof Error ? error.message : String(error) })
  }
}

/** Null: the site has no such address. */
async function orderNow(request: IncomingMessage, { service, profileId }: Site): Promise<object | null> {
  const { method, url = '' } = request
  const [, id, isApproval] = /^\/orders\/(pi_[0-9a-z]+)(\/approve)?$/.exec(url) ?? []
  if (method === 'GET') return id === undefined || isApproval ? null : service.look(id)
  if (method !== 'POST') return null
  const body = await bodyOf(request)
  if (url === '/purchases') return { summary: await service.buy(profileId, paymentMethodIn(body)) }
  if (url === '/client_secrets') return service.letPageAsk(profileId)
  if (url === '/orders') return service.order(profileId)
  return id === undefined || !isApproval ? null : service.approve(id, body)
}

function json(status: number, body: object) {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}

async function bodyOf(request: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (!isObject(body)) throw new BadRequest('the body must be an object')
  return body
}

function paymentMethodIn({ payment_method_id: id }: Fields): string {
  if (typeof id !== 'string') throw new BadRequest('payment_method_id must be a string')
  return id
}
