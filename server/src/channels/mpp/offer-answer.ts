import { amountMax } from '../../core/money.ts'
import type {
  Elsewhere,
  Offer,
  OfferAnswer,
  OfferRefusalCode,
  OfferRequest,
} from '../../domain/buying/channels/port.ts'
import { cleanText } from '../../protocols/foreign-document.ts'
import { isCurrency, type Usable } from './choose-challenge.ts'
import { reasonOf, retryAfterOf } from './foreign-words.ts'
import { writeReference } from './offer-reference.ts'
import type { PaidRequest } from './paid-request.ts'
import type { SiteAnswer } from './send-request.ts'

/** The price of a request is what its challenge asks for: all of it is the price of the one item. */
export function offerOf(
  { items, currency }: OfferRequest,
  { sha256 }: PaidRequest,
  { challenge, charge, method, isTool }: Usable & { readonly isTool: boolean },
): OfferAnswer {
  const [item] = items
  if (!item) throw new Error('an offer of nothing')
  const { amount } = charge
  if (!isCurrency(charge, currency)) return unsupported('unsupported_currency', null)
  if (amount < 1n || amount > amountMax)
    return unsupported('merchant_unsupported', 'It asks for an amount that is not paid here.')
  const reference = writeReference({ request: sha256, challenge, isTool })
  if (reference === null)
    return unsupported('merchant_unsupported', 'What it asks for is too long to be kept.')
  const title = cleanText(challenge.description, 255)
  const seller = method.sellerOf(charge)
  const offer: Offer = {
    reference,
    lines: [{ itemId: item.id, quantity: 1, unitAmount: amount, title }],
    subtotal: amount,
    fulfillment: 0n,
    tax: 0n,
    discount: 0n,
    total: amount,
    currency,
    ...(seller === null ? {} : { seller }),
  }
  return { kind: 'offer', offer }
}

/** What an answer without a price means. Nothing was bought by asking, so everything can be asked again. */
export function withoutPrice(said: SiteAnswer, now: Date): OfferAnswer | Elsewhere {
  if (said.kind === 'not_sent' && !said.retryable)
    return unsupported('merchant_unsupported', 'Its address cannot be called.')
  if (said.kind === 'not_sent' || said.kind === 'lost') return { kind: 'unavailable' }
  const { status } = said
  if (status < 300) return { kind: 'elsewhere', why: 'It asks for no payment.' }
  if (status < 400) return { kind: 'elsewhere', why: 'It leads to another address.' }
  if (status === 401 || status === 403 || status === 405)
    return { kind: 'elsewhere', why: 'It does not answer this request.' }
  const { code, message } = said.kind === 'answer' ? reasonOf(said) : { code: null, message: null }
  if (status === 404 || status === 410) return unsupported('product_not_found', message)
  if (status === 409)
    return unsupported(stockRefusals.find((one) => one === code) ?? 'product_out_of_stock', message)
  if (status === 400 || status === 413 || status === 415 || status === 422)
    return unsupported('merchant_unsupported', message)
  const retryAfterSeconds = said.kind === 'answer' ? retryAfterOf(said, now) : null
  return { kind: 'unavailable', retryAfterSeconds }
}

const stockRefusals = ['insufficient_stock', 'product_not_found'] as const

export function unsupported(code: OfferRefusalCode, message: string | null): OfferAnswer {
  return { kind: 'refused', code, message }
}
