import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, Text } from '../../../contract/schemas.ts'
import { type RequestRates, takeRequestRates } from '../../../platform/limits/rates.ts'
import { conformanceHandlers } from '../../../protocols/ucp/conformance-handlers.ts'
import { type UcpCall, UcpHeaders } from '../../../protocols/ucp/ucp-call.ts'
import type { CheckoutAnswer } from '../checkouts/public.ts'
import { conformanceCheckout } from '../checkouts/public.ts'
import { shortOf } from './read-conformance-body.ts'

/** What all operations of the base are. */
export const ofSuite = {
  auth: 'platform',
  scope: null,
  surfaces: ['ucp-conformance'],
  forBound: 'refused',
  tag: 'UCP conformance',
} as const

export const ConformanceHeaders = UcpHeaders
export const SimulationHeaders = Type.Object(
  { ...UcpHeaders.properties, simulation_secret: Type.Optional(Text(255)) },
  { additionalProperties: false },
)
export const IdParams = Closed({ id: Text(64, { description: 'The checkout or the order.' }) })

const rates: RequestRates = {
  // A run of the suite takes a few seconds, and more than a minute allows.
  anonymous: ['checkoutsAddressHour'],
  live: 'checkoutsAddressHour',
  test: 'checkoutsAddressHour',
}

/** Strangers make rows here. */
export function takeConformanceRate(ctx: CallContext): Promise<void> {
  return takeRequestRates(ctx, rates)
}

/** The checkout in the words of the release; throws where there is none, or where it is not what was asked for. */
export function shownCheckout(answer: CheckoutAnswer, { business }: Pick<UcpCall, 'business'>) {
  switch (answer.kind) {
    case 'checkout':
      return conformanceCheckout(answer.checkout, { business, handlers: conformanceHandlers(business) })
    case 'refused':
      throw refusedLines(answer.messages)
    case 'not_found':
      throw new Problem('not_found', { message: 'There is no such checkout.' })
    case 'not_open':
      throw new Problem('checkout_not_open', {
        message: `The checkout is ${answer.checkout.status}, and does not change any more.`,
      })
    default:
      return answer satisfies never
  }
}

type Messages = Extract<CheckoutAnswer, { kind: 'refused' }>['messages']

const ofGoods = ['out_of_stock', 'item_unavailable', 'address_undeliverable']

/** Why goods cannot be sold, which this release answers with 400. */
export function refusedLines(messages: Messages): Problem {
  const [first] = messages.filter(({ code }) => ofGoods.includes(code))
  if (!first) throw new Error('goods are refused without a reason')
  if (first.code === 'out_of_stock') return shortOf(first.path ?? '')
  const message = first.code === 'item_unavailable' ? `Product not found: ${first.content}` : first.content
  return new Problem('conformance_checkout_refused', { message })
}

/** A change that was refused for its goods left the checkout as it was. */
export function areGoodsRefused(answer: CheckoutAnswer): Messages | null {
  if (answer.kind !== 'checkout') return null
  const { messages } = answer.checkout
  return messages.some(({ type, code }) => type === 'error' && ofGoods.includes(code)) ? messages : null
}
