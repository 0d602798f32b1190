import type { Order } from '../shop/memory.ts'
import type { Priced } from '../shop/price-cart.ts'
import { isDigital, isKnownCode, type Message, stateOf } from './checkout-state.ts'
import { checkoutHost, type Face, faces } from './face.ts'
import { handlerList, handlersOf, takesShared } from './handlers.ts'
import { firstRelease, type Release } from './releases.ts'
import { cartOfSession, type Destination, orderOfSession, type Session } from './session.ts'
import { type Story, storyOf } from './stories.ts'
import { priceOf, storefront, type UcpShop } from './ucp-shop.ts'

/** What platform and shop have agreed on. */
export type Agreed = { release: Release; capabilities: readonly string[] }

/** A checkout in the words of its release. `also`: what it says of this call alone. */
export function checkoutDocument(
  shop: UcpShop,
  session: Session,
  { agreed, also = [] }: { agreed: Agreed; also?: readonly Message[] },
): object {
  const { release } = session
  const cart = cartOfSession(shop.desk, session)
  const order = orderOfSession(shop.desk, session)
  const story = storyOf(cart.lines)
  const face = faceOf(session)
  const state = stateOf(shop, session)
  const priced = order?.priced ?? priceOf(shop, session)
  const isMiscounted = story.isMiscounted || (story.miscountsCodes && session.codes.length > 0)
  const isOver = state.status === 'completed' || state.status === 'canceled'
  const has = (name: string) => agreed.capabilities.includes(`dev.ucp.shopping.${name}`)
  return {
    ucp: {
      ...metadata(agreed, ['checkout', 'fulfillment', 'discount']),
      ...(release === firstRelease
        ? {}
        : {
            payment_handlers: handlersOf(face, {
              isPaidElsewhere: story.isPaidElsewhere,
              takesShared: takesShared(shop),
            }),
          }),
    },
    id: session.id,
    // The first release has the word, and its shops do not use it.
    status:
      state.status === 'ready_for_complete' && (release === firstRelease || also.length > 0)
        ? 'incomplete'
        : state.status,
    currency: priced.currency,
    line_items: linesOf(priced),
    ...(Object.keys(session.buyer).length > 0 ? { buyer: session.buyer } : {}),
    totals: totalsOf(priced, release, isMiscounted ? 100 : 0),
    messages: [...also, ...state.messages],
    links: [{ type: 'terms_of_service', url: `https://${session.host}/` }],
    payment: {
      instruments: [],
      ...(release === firstRelease ? { handlers: handlerList(face, story.isPaidElsewhere) } : {}),
    },
    expires_at: session.expiresAt,
    ...(isOver ? {} : { continue_url: continueUrl(session, story) }),
    ...(has('fulfillment') && !isDigital(cart.lines)
      ? { fulfillment: fulfillmentOf(session, cart.delivery, priced) }
      : {}),
    ...(has('discount') ? { discounts: discountsOf(session, priced) } : {}),
    ...(state.status === 'completed' && order !== undefined ? { order: confirmationOf(session, order) } : {}),
  }
}

function continueUrl({ host, id }: Session, { goesOnAt }: Story): string {
  switch (goesOnAt) {
    case undefined:
      return `https://${host}/continue/${id}`
    case 'checkout':
      return `https://${checkoutHost}/continue/${id}`
    case 'elsewhere':
      return `https://collect.evil.test/continue/${id}`
    case 'plain':
      return `http://${host}/continue/${id}`
    default:
      return goesOnAt satisfies never
  }
}

export function permalinkOf({ host }: Pick<Session, 'host'>, { number }: Order): string {
  return `https://${host}/order/${number}`
}

export function metadata({ release, capabilities }: Agreed, relevant: readonly string[]): object {
  const named = relevant
    .map((name) => `dev.ucp.shopping.${name}`)
    .filter((name) => capabilities.includes(name))
  if (release === firstRelease)
    return { version: release, capabilities: named.map((name) => ({ name, version: release })) }
  return {
    version: release,
    ...(release >= '2026-04-08' ? { status: 'success' } : {}),
    capabilities: Object.fromEntries(named.map((name) => [name, [{ version: release }]])),
  }
}

/** What is taken off is negative, but for the older releases. */
export function totalsOf(priced: Priced, release: Release, miscounted = 0): object[] {
  const { subtotal, discount, delivery, tax, total } = priced
  const row = (type: string, display_text: string, amount: number) => ({ type, display_text, amount })
  return [
    row('subtotal', 'Subtotal', subtotal),
    ...(discount > 0 ? [row('discount', 'Discount', release >= '2026-04-08' ? -discount : discount)] : []),
    ...(delivery === null ? [] : [row('fulfillment', 'Shipping', delivery)]),
    ...(tax === null ? [] : [row('tax', 'Tax', tax)]),
    row('total', 'Total', total + miscounted),
  ]
}

function faceOf({ host }: Session): Face {
  const face = faces.find((one) => one.host === host)
  if (face === undefined) throw new Error(`A checkout under a name that the shop does not have: ${host}`)
  return face
}

function confirmationOf(session: Session, order: Order): object {
  return { id: order.id, permalink_url: permalinkOf(session, order), label: order.number }
}

export function linesOf({ lines }: Priced): object[] {
  return lines.map(({ sku, name, unit, quantity, amount }, index) => ({
    id: lineId(index),
    item: { id: sku, title: name, price: unit },
    quantity,
    totals: [
      { type: 'subtotal', amount },
      { type: 'total', amount },
    ],
  }))
}

export function lineId(index: number): string {
  return `li_${index + 1}`
}

function fulfillmentOf(session: Session, delivery: string | null, { lines }: Priced): object {
  const { release, destinations, selectedDestinationId } = session
  const line_item_ids = lines.map((_, index) => lineId(index))
  const options = storefront.deliveries.map(({ id, name, promise, price }) => ({
    id,
    title: name,
    description: release >= '2026-08-25' ? { plain: promise } : promise,
    totals: [
      { type: 'subtotal', amount: price },
      { type: 'total', amount: price },
    ],
  }))
  const group = {
    id: 'package_1',
    line_item_ids,
    options,
    selected_option_id: options.some(({ id }) => id === delivery) ? delivery : null,
  }
  return {
    methods: [
      {
        id: 'shipping_1',
        type: 'shipping',
        line_item_ids,
        destinations: destinations.map((one) => destinationOf(one, release)),
        selected_destination_id: selectedDestinationId,
        groups: selectedDestinationId === null ? [] : [group],
      },
    ],
  }
}

function destinationOf({ id, ...address }: Destination, release: Release): object {
  return { id, ...(release >= '2026-08-25' ? { type: 'shipping_address' } : {}), ...address }
}

export function discountsOf({ codes }: Pick<Session, 'codes'>, { discount }: Priced): object {
  const code = codes.find(isKnownCode)
  const applied =
    code === undefined || discount === 0
      ? []
      : [
          {
            code,
            title: 'Ten percent off',
            amount: discount,
            automatic: false,
            method: 'across',
            priority: 1,
          },
        ]
  return { codes, applied }
}
