import type { OperationFacts } from '../../contract/operation.ts'
import type { Business } from '../http/businesses.ts'
import type { Exchange } from '../http/exchange.ts'
import { lineOf } from '../http/request-line.ts'
import type { Ucp } from './ucp-parts.ts'

/** A browser that was given the address of an order: it names no profile, and asks for a page. */
export function isPerson({ request: { headers } }: Exchange): boolean {
  return headers['ucp-agent'] === undefined && /\btext\/html\b/.test(headers.accept ?? '')
}

type Shown = { readonly operation: OperationFacts; readonly business: Business; readonly orderId: string }

/** The order as a page, where a program would be told that it names no profile. */
export async function showOrder(
  { http: { edge }, context, orderPage }: Pick<Ucp, 'http' | 'context' | 'orderPage'>,
  exchange: Exchange,
  { operation, business, orderId }: Shown,
): Promise<void> {
  const { status, headers, html } = await orderPage(business, orderId)
  context.onRequest(lineOf(exchange, operation, { status, code: null, principal: null }))
  const type = { 'content-type': 'text/html; charset=utf-8', vary: 'Accept' }
  edge.write(exchange, { status, headers: { ...headers, ...type }, body: html }, edge.base)
}
