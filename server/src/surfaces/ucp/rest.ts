import { readUcpAgent } from '../../protocols/ucp/ucp-agent.ts'
import { parseJson } from '../../schema/strict-json.ts'
import type { Business } from '../http/businesses.ts'
import type { Exchange } from '../http/exchange.ts'
import { requireBusiness } from '../http/find-business.ts'
import { readRawBody } from '../http/read-raw-body.ts'
import { isPerson, showOrder } from './order-pages.ts'
import { oldErrorBody, type UcpAnswer } from './ucp-answer.ts'
import type { OfferedOperation, Ucp } from './ucp-parts.ts'
import { writeAnswer } from './write-answer.ts'

/** Every operation that a business offers, below its address. */
export function mountRest(ucp: Ucp, mode: Business['mode'], at: string): void {
  for (const offered of ucp.offered) {
    const { method, path } = offered.shopping
    ucp.http.route({
      // A page may be looked at by programs that ask for its head alone.
      methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
      path: `${at}/{slug}${path}`,
      dialect: ucp.dialect,
      serve: (exchange) => serve(ucp, { exchange, offered, mode, at }),
    })
  }
}

type Serving = { exchange: Exchange; offered: OfferedOperation; mode: Business['mode']; at: string }

async function serve(ucp: Ucp, { exchange, offered, mode, at }: Serving): Promise<void> {
  const { edge } = ucp.http
  const { slug, ...path } = exchange.path
  let raw: Uint8Array
  let business: Business
  try {
    raw = await readRawBody(ucp.http, exchange)
    business = await requireBusiness(ucp.findBusiness, mode, slug)
  } catch (error) {
    return edge.refuse(exchange, error, { operation: offered.operation })
  }
  if (offered.shopping.tool === 'get_order' && isPerson(exchange))
    return await showOrder(ucp, exchange, { operation: offered.operation, business, orderId: path.id ?? '' })
  const { headers } = exchange.request
  const agent = headers['ucp-agent']
  const key = headers['idempotency-key']
  const parsed = raw.length === 0 ? null : parseJson(raw)
  const answer = await ucp.run({
    exchange,
    business,
    offered,
    profileUrl: typeof agent === 'string' ? readUcpAgent(agent) : null,
    raw,
    target: targetOf(exchange, `${at}/${slug}`),
    idempotencyKey: typeof key === 'string' ? key : undefined,
    path,
    query: exchange.query,
    body: parsed?.ok ? parsed.value : undefined,
    bodyError: parsed && !parsed.ok ? parsed.error : null,
    coerce: true,
  })
  await writeAnswer(ucp, exchange, saidOverRest(answer))
}

/** What stands behind the address of the business in the URL of a request. A host of its own has nothing before it. */
export function targetOf({ request }: Pick<Exchange, 'request'>, before: string): string {
  const url = request.url ?? ''
  return url.startsWith(before) ? url.slice(before.length) : url
}

export function saidOverRest(answer: UcpAnswer) {
  const { status, headers } = answer
  if (answer.kind === 'document') return { status, headers, body: JSON.stringify(answer.body) }
  const { code, content, isOld } = answer
  return { status, headers, body: JSON.stringify(isOld ? oldErrorBody(answer) : { code, content }) }
}
