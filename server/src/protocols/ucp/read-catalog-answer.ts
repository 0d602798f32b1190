import { isObject } from '../../schema/schema-node.ts'
import { type CatalogEndpoint, catalogReleases } from './ask-catalog.ts'
import { readAnswer, readToolAnswer } from './read-answer.ts'
import { type ReadProduct, readCatalogProduct } from './read-catalog-product.ts'

type HttpAnswer = { readonly status: number; readonly contentType: string; readonly body: Buffer }

/** Why an answer is none. `refused`: the catalog says so itself, for example that it does not have the product. */
export type AnswerFault = 'bad_status' | 'rate_limited' | 'bad_answer' | 'version_unsupported' | 'refused'

type Payload = { readonly payload: Readonly<Record<string, unknown>> } | { readonly fault: AnswerFault }

/** What a catalog answered, whichever way it was asked. Redirects are not followed: they are a status like any other. */
export function readCatalogAnswer(transport: CatalogEndpoint['transport'], answer: HttpAnswer): Payload {
  const { status, contentType, body } = answer
  if (status === 429) return { fault: 'rate_limited' }
  // It understands the protocol and not this question, which somebody else chose.
  if (status === 400) return { fault: 'refused' }
  if (status !== 200) return { fault: 'bad_status' }
  const said = readAnswer({ contentType, body })
  const tool = transport === 'mcp' ? readToolAnswer(said) : null
  if (tool?.kind === 'error') return { fault: 'refused' }
  const result = tool === null ? said : tool.result
  if (!isObject(result) || !isObject(result.ucp)) return { fault: 'bad_answer' }
  if (result.ucp.status !== undefined && result.ucp.status !== 'success') return { fault: 'refused' }
  const isSpoken = catalogReleases.some((release) => isObject(result.ucp) && release === result.ucp.version)
  return isSpoken ? { payload: result } : { fault: 'version_unsupported' }
}

type Page = {
  readonly products: readonly ReadProduct[]
  /** Whether products or variants were left out, because they cannot be read or are too many. */
  readonly isCut: boolean
  /** The catalog's own cursor; null: nothing follows. */
  readonly next: string | null
  /** Whether more follows, and its cursor cannot be kept. */
  readonly isLost: boolean
}

const most = { products: 50, cursorBytes: 512 }

/** Null: it is no page of a search. */
export function readCatalogPage(
  payload: Readonly<Record<string, unknown>>,
  limits: { variantsMax: number },
): Page | null {
  const { products: offered, pagination } = payload
  if (!Array.isArray(offered)) return null
  const read = offered.slice(0, most.products).map((one: unknown) => readCatalogProduct(one, limits))
  const products = read.flatMap((one) => (one ? [one.product] : []))
  const isCut = products.length < offered.length || read.some((one) => one?.isCut)
  const hasNext = isObject(pagination) && pagination.has_next_page === true
  const cursor = isObject(pagination) && hasNext ? pagination.cursor : null
  const isKept =
    typeof cursor === 'string' &&
    cursor !== '' &&
    cursor.isWellFormed() &&
    Buffer.byteLength(cursor) <= most.cursorBytes
  return { products, isCut, next: isKept ? cursor : null, isLost: hasNext && !isKept }
}
