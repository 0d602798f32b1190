import { conformanceAddress, conformancePath } from '../../contract/conformance-address.ts'
import { Problem } from '../../contract/problem.ts'
import { conformanceHandlers } from '../../protocols/ucp/conformance-handlers.ts'
import { conformanceRelease, shoppingService } from '../../protocols/ucp/releases.ts'
import type { FindBusiness } from '../http/businesses.ts'
import type { Dialect } from '../http/dialect.ts'
import type { Exchange } from '../http/exchange.ts'
import { requireBusiness } from '../http/find-business.ts'
import { sendDocument } from '../http/public-document.ts'
import { plainLineOf } from '../http/request-line.ts'
import type { Http, SurfaceContext } from '../http/surface.ts'

type Base = { http: Http; context: SurfaceContext; dialect: Dialect; findShop: FindBusiness }

/** What a merchant of the suite can do, by the file in which the protocol describes it. */
const capabilities = {
  'dev.ucp.shopping.checkout': { file: 'checkout' },
  'dev.ucp.shopping.order': { file: 'order' },
  'dev.ucp.shopping.discount': { file: 'discount', extends: 'dev.ucp.shopping.checkout' },
  'dev.ucp.shopping.fulfillment': { file: 'fulfillment', extends: 'dev.ucp.shopping.checkout' },
  'dev.ucp.shopping.buyer_consent': { file: 'buyer_consent', extends: 'dev.ucp.shopping.checkout' },
} as const satisfies Readonly<Record<string, { file: string; extends?: string }>>

/** The documents that the profile names, which the suite fetches. They lead to the protocol's own. */
const schemas = new Map<string, string>([
  ...Object.values(capabilities).map(({ file }): [string, string] => [file, `schemas/shopping/${file}.json`]),
  ['service', 'services/shopping/rest.openapi.json'],
  ...['google_pay', 'mock_payment_handler', 'shop_pay'].map((id): [string, string] => [
    id,
    'schemas/shopping/types/payment_handler.json',
  ]),
])

export function mountConformanceDocuments(base: Base): void {
  const { http, dialect } = base
  http.route({
    methods: ['GET', 'HEAD'],
    path: `${conformancePath}/{slug}/.well-known/ucp`,
    dialect,
    serve: (exchange) => serve(base, exchange, profileOf),
  })
  http.route({
    methods: ['GET', 'HEAD'],
    path: `${conformancePath}/{slug}/documents/{name}`,
    dialect,
    serve: (exchange) => serve(base, exchange, (address) => documentOf(address, exchange.path.name ?? '')),
  })
}

async function serve(
  { http, context, findShop }: Base,
  exchange: Exchange,
  make: (address: string) => object,
): Promise<void> {
  const business = await requireBusiness(findShop, 'test', exchange.path.slug)
  sendDocument(http, exchange, make(conformanceAddress(context.publicUrl, business.slug)))
  context.onRequest(plainLineOf(exchange, { route: conformancePath, status: 200, code: null }))
}

function profileOf(address: string) {
  const documented = (file: string) => ({
    spec: `${address}/documents/${file}.json`,
    schema: `${address}/documents/${file}.json`,
  })
  return {
    ucp: {
      version: conformanceRelease,
      services: {
        [shoppingService]: {
          version: conformanceRelease,
          spec: documented('service').spec,
          rest: { schema: documented('service').schema, endpoint: address },
        },
      },
      capabilities: Object.entries(capabilities).map(([name, { file, ...more }]) => ({
        name,
        version: conformanceRelease,
        ...documented(file),
        ...more,
      })),
    },
    payment: { handlers: conformanceHandlers(address) },
  }
}

function documentOf(address: string, name: string) {
  const file = schemas.get(name.replace(/\.json$/, ''))
  if (file === undefined) throw new Problem('not_found')
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${address}/documents/${name}`,
    title: `A part of UCP ${conformanceRelease}`,
    description: 'The protocol describes it in the document that this one refers to.',
    allOf: [{ $ref: `https://ucp.dev/${file}` }],
  }
}
