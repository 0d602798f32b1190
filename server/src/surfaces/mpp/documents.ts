import { paidAddress, paidPaths } from '../../contract/business-address.ts'
import type { Mode } from '../../contract/context.ts'
import type { Business } from '../http/businesses.ts'
import type { Dialect } from '../http/dialect.ts'
import type { Exchange } from '../http/exchange.ts'
import { requireBusiness } from '../http/find-business.ts'
import { queryReaderOf, sendDocument } from '../http/public-document.ts'
import { plainLineOf } from '../http/request-line.ts'
import { withCustomApis } from './custom-apis.ts'
import { manifest } from './described-documents.ts'
import { manifestOf } from './manifest.ts'
import type { Mpp } from './mpp-parts.ts'
import { paidOpenApi } from './paid-openapi.ts'

const manifestPath = '/.well-known/mpp.json'
const root = '/mpp'

/**
 * What the service and each of its merchants say of themselves. No document names merchants, since the registry does; but one that
 * publishes an API of its own wants to be found.
 */
export function mountDocuments(mpp: Mpp): void {
  const { publicUrl } = mpp.context
  const paidModes = (['live', 'test'] as const).filter((mode) => mpp.methods[mode].length > 0)
  const mode = paidModes[0] ?? 'test'
  // These two are of the service and no merchant's: they are refused as its other documents are.
  const ofService = { ...mpp, dialect: undefined }
  mount(ofService, manifest.path, {
    file: 'mpp.json',
    make: async () =>
      withCustomApis(
        manifestOf(mpp, {
          id: 'prokura',
          name: 'Prokura',
          description: 'Order from merchants by answering a payment challenge.',
          base: paidAddress(publicUrl, { mode, slug: '{slug}' }),
          openApi: `${publicUrl}${root}/openapi.json`,
          mode,
        }),
        await mpp.customApis.newest(mode),
      ),
  })
  mount(ofService, `${root}/openapi.json`, {
    file: 'openapi.json',
    make: async () =>
      paidOpenApi(mpp, {
        title: 'Prokura: orders that are paid by HTTP 402',
        base: `${publicUrl}${root}`,
        modes: paidModes.map((one) => ({
          mode: one,
          below: `${paidPaths[one].slice(root.length)}/{slug}`,
        })),
      }),
  })
  for (const [mode, path] of Object.entries(paidPaths) as [Business['mode'], string][])
    mountMerchant(mpp, mode, `${path}/{slug}`)
}

function mountMerchant(mpp: Mpp, mode: Mode, path: string): void {
  const found = async (exchange: Exchange) => {
    const business = await requireBusiness(mpp.findBusiness, mode, exchange.path.slug)
    const { slug } = business
    const own = mpp.hosts.addressOf(exchange.request.headers.host)
    const base = own === null ? paidAddress(mpp.context.publicUrl, { mode, slug }) : `${own}${root}`
    return { business, slug, base, openApiBase: own ?? base, below: own === null ? '' : root }
  }
  mount(mpp, `${path}${manifestPath}`, {
    file: 'mpp.json',
    make: async (exchange) => {
      const { business, slug, base, openApiBase } = await found(exchange)
      const description = `Order from ${slug} by answering a payment challenge.`
      const openApi = `${openApiBase}/openapi.json`
      const described = manifestOf(mpp, { id: slug, name: slug, description, base, openApi, mode })
      return withCustomApis(described, await mpp.customApis.of(business))
    },
  })
  mount(mpp, `${path}/openapi.json`, {
    file: 'openapi.json',
    make: async (exchange) => {
      const { slug, openApiBase, below } = await found(exchange)
      return paidOpenApi(mpp, { title: `Orders at ${slug}`, base: openApiBase, modes: [{ mode, below }] })
    },
  })
}

type Made = { readonly file: string; make(exchange: Exchange): Promise<object> }

const readQuery = queryReaderOf(manifest)

type Mounting = Pick<Mpp, 'http' | 'context'> & { readonly dialect: Dialect | undefined }

function mount({ http, context, dialect }: Mounting, path: string, { file, make }: Made): void {
  http.route({
    methods: ['GET', 'HEAD'],
    path,
    ...(dialect ? { dialect } : {}),
    async serve(exchange) {
      const isDownload = readQuery(exchange.query).download === true
      const document = await make(exchange)
      const more = isDownload ? { 'content-disposition': `attachment; filename="${file}"` } : {}
      sendDocument(http, exchange, document, more)
      context.onRequest(plainLineOf(exchange, { route: path, status: 200, code: null }))
    },
  })
}
