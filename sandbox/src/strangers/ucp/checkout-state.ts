import { findItem } from '../shop/goods.ts'
import { cartOfSession, orderOfSession, type Session } from './session.ts'
import { products, storyOf } from './stories.ts'
import { storefront, type UcpShop } from './ucp-shop.ts'

type Status =
  | 'incomplete'
  | 'requires_escalation'
  | 'ready_for_complete'
  | 'complete_in_progress'
  | 'completed'
  | 'canceled'

export type Message = {
  type: 'error' | 'warning'
  code: string
  content: string
  path?: string
  /** Of a warning: it has to stand beside what it is about. */
  presentation?: 'disclosure'
  severity?: 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review' | 'unrecoverable'
}

const countries: readonly string[] = ['US', 'CA', 'GB', 'DE', 'FR']

/** How a checkout stands, and what it says about that. */
export function stateOf(shop: UcpShop, session: Session): { status: Status; messages: Message[] } {
  if (session.stage === 'canceled') return { status: 'canceled', messages: [] }
  const hasExpired = Date.now() > Date.parse(session.expiresAt)
  if (session.stage === 'stuck')
    return { status: hasExpired ? 'canceled' : 'complete_in_progress', messages: [] }
  const order = orderOfSession(shop.desk, session)
  if (order !== undefined)
    return { status: order.state === 'charging' ? 'complete_in_progress' : 'completed', messages: [] }
  if (hasExpired) return { status: 'canceled', messages: [] }
  const messages = messagesOf(shop, session)
  if (messages.some(({ severity }) => severity?.startsWith('requires_')))
    return { status: 'requires_escalation', messages }
  const isReady = messages.every(({ type }) => type !== 'error')
  return { status: isReady ? 'ready_for_complete' : 'incomplete', messages }
}

function messagesOf({ desk }: UcpShop, session: Session): Message[] {
  const cart = cartOfSession(desk, session)
  return [
    ...escalationOf(session, cart.lines),
    ...stockOf(cart.lines),
    ...(session.buyer.email === undefined
      ? [missing('$.buyer.email', 'An e-mail address of the buyer is needed.')]
      : []),
    ...deliveryOf(session, cart),
    ...codesOf(session),
    ...disclosuresOf(cart.lines),
  ]
}

function escalationOf(session: Session, lines: readonly { sku: string }[]): Message[] {
  const ask = (code: string, content: string): Message[] => [
    { type: 'error', code, content, severity: 'requires_buyer_review' },
  ]
  if (session.stage === 'challenged')
    return [
      {
        type: 'error',
        code: 'requires_3ds',
        content: 'The bank wants to ask its customer.',
        severity: 'requires_buyer_input',
      },
    ]
  const { escalates } = storyOf(lines)
  if (escalates === 'create' || (escalates === 'update' && session.isUpdated))
    return ask('buyer_review_required', 'The buyer has to look at this order.')
  if (!session.canDeliver && !isDigital(lines))
    return ask('address_required', 'The buyer has to say where this goes.')
  return []
}

function stockOf(lines: readonly { sku: string; quantity: number }[]): Message[] {
  return lines.flatMap(({ sku, quantity }, index) => {
    const stock = findItem(products, sku)?.stock ?? 0
    if (quantity <= stock) return []
    const content = `Insufficient stock: only ${stock} are left.`
    const path = `$.line_items[${index}].quantity`
    return [{ type: 'error', code: 'out_of_stock', content, path, severity: 'recoverable' } as const]
  })
}

function deliveryOf(
  { canDeliver, destinations, selectedDestinationId }: Session,
  cart: { lines: readonly { sku: string }[]; delivery: string | null },
): Message[] {
  const method = '$.fulfillment.methods[0]'
  if (!canDeliver || isDigital(cart.lines)) return []
  const chosen = destinations.find(({ id }) => id === selectedDestinationId)
  if (chosen === undefined)
    return [missing(`${method}.destinations`, 'Say where this goes, and select the destination.')]
  const lacking = (['street_address', 'address_locality', 'postal_code', 'address_country'] as const).find(
    (name) => !chosen[name],
  )
  const at = `${method}.destinations[${destinations.indexOf(chosen)}]`
  if (lacking !== undefined) return [missing(`${at}.${lacking}`, `The address needs ${lacking}.`)]
  if (!countries.includes(chosen.address_country ?? ''))
    return [
      {
        type: 'error',
        code: 'address_undeliverable',
        content: 'The shop does not deliver there.',
        path: at,
        severity: 'recoverable',
      },
    ]
  if (!storefront.deliveries.some(({ id }) => id === cart.delivery))
    return [missing(`${method}.groups[0].selected_option_id`, 'Select how this is delivered.')]
  return []
}

function codesOf({ codes }: Session): Message[] {
  return codes.flatMap((code, index) =>
    isKnownCode(code)
      ? []
      : [
          {
            type: 'warning',
            code: 'discount_code_invalid',
            content: `The code ${code} is not known.`,
            path: `$.discounts.codes[${index}]`,
          } as const,
        ],
  )
}

function disclosuresOf(lines: readonly { sku: string }[]): Message[] {
  const content = storyOf(lines).disclosure
  if (content === undefined) return []
  return [
    { type: 'warning', code: 'final_sale', content, path: '$.line_items[0]', presentation: 'disclosure' },
  ]
}

export function isKnownCode(code: string): boolean {
  return code.toUpperCase() === storefront.promo?.code
}

export function isDigital(lines: readonly { sku: string }[]): boolean {
  return lines.every(({ sku }) => findItem(products, sku)?.product.isDigital)
}

function missing(path: string, content: string): Message {
  return { type: 'error', code: 'missing', content, path, severity: 'recoverable' }
}
