import { BadRequest, type Fields, isObject } from '../fields.ts'

type Message = { type: string; code: string; content: string; path?: string }

/** A refusal in the words of the suite: a status, and one sentence. */
export function refused(status: number, sentence: string): BadRequest {
  return new BadRequest(sentence, 'refused', status)
}

export function messagesOf(document: Fields): Message[] {
  const given = Array.isArray(document.messages) ? document.messages : []
  return given.filter(isObject).map(({ type, code, content, path }) => ({
    type: String(type),
    code: String(code),
    content: String(content),
    ...(typeof path === 'string' ? { path } : {}),
  }))
}

/** What the service turned away. A body that it could not read is a 422 of the suite's release. */
export function refusalIn(status: number, said: Fields): BadRequest {
  const messages = messagesOf(said)
  const goods = refusedGoods(messages)
  if (goods) return goods
  const [first] = messages
  return refused(first?.code === 'invalid_request' ? 422 : status, first?.content ?? JSON.stringify(said))
}

const ofGoods = ['out_of_stock', 'item_unavailable', 'address_undeliverable']

/** Why goods cannot be sold. The service sells what is left of a checkout; the suite's release has an error for it. */
export function refusedGoods(messages: readonly Message[]): BadRequest | null {
  const first = messages.find(({ type, code }) => type === 'error' && ofGoods.includes(code))
  if (!first) return null
  if (first.code === 'out_of_stock') return shortOf(first.path ?? '')
  return refused(
    400,
    first.code === 'item_unavailable' ? `Product not found: ${first.content}` : first.content,
  )
}

export function shortOf(item: string): BadRequest {
  return refused(400, `Insufficient stock for item ${item}`)
}

export function refusedPayment(sentence: string): BadRequest {
  return refused(402, sentence)
}

/** Why a checkout cannot be paid for as it is. */
export function refusedCompletion(messages: readonly Message[]): BadRequest {
  const isUnplaced = messages.some(({ code }) => code.startsWith('fulfillment_'))
  return refused(
    400,
    isUnplaced
      ? 'Fulfillment address and option must be selected'
      : (messages[0]?.content ?? 'The checkout is not ready.'),
  )
}
