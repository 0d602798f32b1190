import Type from 'typebox'
import { type Reply, reply } from '../../../../contract/operation.ts'
import type { UcpCall } from '../../../../protocols/ucp/ucp-call.ts'
import { CheckoutBody } from '../checkout-body.ts'
import { cartDocument, refusalDocument } from '../checkout-document.ts'
import { readCheckoutBody } from '../read-checkout-body.ts'
import type { CartAnswer } from './change-cart.ts'

const { line_items, buyer, context, discounts, attribution } = CheckoutBody.properties

/** A cart as a platform sends it: the whole of it, each time. */
export const CartBody = Type.Object(
  { line_items, buyer, context, discounts, attribution },
  { additionalProperties: true, description: 'A cart.' },
)

export function readCartBody(...sent: Parameters<typeof readCheckoutBody>) {
  const { delivery: _, ...contents } = readCheckoutBody(...sent)
  return contents
}

type CartReply<Status extends number> = Reply<
  Status,
  ReturnType<typeof cartDocument> | ReturnType<typeof refusalDocument>
>

/** An answer in the words of the protocol. `status`: of a cart that was made. */
export function sayCart<const Status extends 200 | 201>(
  call: UcpCall,
  answer: CartAnswer,
  status: Status,
): CartReply<Status | 200> {
  switch (answer.kind) {
    case 'cart':
      return reply(status, cartDocument(answer, call))
    case 'refused':
      return reply(200, refusalDocument(answer.messages))
    case 'not_found':
      return reply(200, refusalDocument([notFound]))
    default:
      return answer satisfies never
  }
}

const notFound = {
  type: 'error',
  code: 'not_found',
  content: 'There is no such cart, or it is too old.',
  severity: 'unrecoverable',
} as const
