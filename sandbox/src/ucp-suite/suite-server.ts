import { BadRequest } from '../fields.ts'
import { type Answer, json, type Route, type RunningServer, serveJson } from '../json-server.ts'
import { openCheckouts } from './checkouts.ts'
import { documentOf, profileOf } from './dialect.ts'
import { openAddresses } from './known-addresses.ts'
import { openMerchant } from './merchant.ts'
import type { SuiteOptions } from './options.ts'
import { openOrders } from './orders.ts'
import { openPlatforms } from './platform.ts'
import { seedShop } from './seed-shop.ts'
import { callerOf, type SuiteCall } from './suite-call.ts'
import { readSuiteData } from './suite-data.ts'

/**
 * The shop that the official suite expects, in the suite's release. It is an ordinary shop of the service, which the service knows in
 * its own releases: here each request becomes one of those, and each answer one of the suite's.
 */
export async function startUcpSuite(options: SuiteOptions): Promise<RunningServer & { items: string[] }> {
  const { dataDir, slug, url } = options
  const data = readSuiteData(dataDir)
  const merchant = openMerchant(options)
  const names = await seedShop(merchant, slug, data)
  let ownUrl = ''
  const at = () => ownUrl
  const platforms = await openPlatforms({ url, slug, ownUrl: at })
  const checkouts = openCheckouts({ platforms, merchant, names, addresses: openAddresses(data), at })
  const orders = openOrders({ platforms, merchant, names, checkouts, secret: options.simulationSecret })
  const server = await serveJson({
    port: options.port,
    controlToken: '',
    settled: async () => {},
    routes: [
      ...asked([
        ['POST', '/checkout-sessions', checkouts.create],
        ['GET', '/checkout-sessions/:id', checkouts.read],
        ['PUT', '/checkout-sessions/:id', checkouts.update],
        ['POST', '/checkout-sessions/:id/complete', checkouts.complete],
        ['POST', '/checkout-sessions/:id/cancel', checkouts.cancel],
        ['GET', '/orders/:id', orders.read],
        ['PUT', '/orders/:id', orders.report],
        ['POST', '/testing/simulate-shipping/:id', orders.simulateShipping],
      ]),
      { method: 'GET', path: '/.well-known/ucp', handle: () => json(200, profileOf(at())) },
      {
        method: 'GET',
        path: '/documents/:file',
        handle: ({ params }) => found(documentOf(at(), params.file ?? '')),
      },
      {
        method: 'GET',
        path: '/platforms/:platform',
        handle: ({ params }) => json(200, platforms.profileOf(params.platform ?? '')),
      },
      { method: 'POST', path: '/platforms/:platform/orders', handle: (call) => orders.hear(call.body()) },
    ],
  })
  ownUrl = server.url
  return { ...server, items: data.products.map(({ id }) => id) }
}

type Asked = [method: string, path: string, handle: (call: SuiteCall) => Promise<Answer>]

/** What the suite asks, and a refusal as its release has it: a status and a sentence. */
function asked(routes: readonly Asked[]): Route[] {
  return routes.map(([method, path, handle]) => ({
    method,
    path,
    handle: async (call) => {
      try {
        return await handle({ ...call, method, caller: callerOf(call) })
      } catch (error) {
        if (!(error instanceof BadRequest)) throw error
        const { code, status, message } = error
        return json(code === 'invalid_request' ? 422 : status, { detail: message })
      }
    },
  }))
}

function found(document: object | undefined): Answer {
  return document === undefined ? json(404, { detail: 'There is no such document.' }) : json(200, document)
}
