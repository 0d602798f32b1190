import {
  AMOUNT_MAX,
  amount,
  BadRequest,
  currency,
  type Fields,
  integer,
  isObject,
  objectField,
  optionalText,
  text,
} from '../fields.ts'
import type { SignIn, Standing } from './sign-in.ts'

type OfferRequest = {
  cartKey: string
  merchant: string
  currency: string
  items: { url: URL; quantity: number; unitAmount: number; hasVariant: boolean }[]
  fulfillment: { method: 'ship' | 'pickup' | 'digital'; feeAllowance: number }
  signIn: SignIn | null
}

type OfferItem = { url: string; quantity: number; unit_amount: number; available: number }

/** What the shop asks for these items. Its total, and nothing that a buyer sends later, is what gets charged. */
export type Offer = {
  offer_id: string
  cart_key: string
  merchant: string
  items: OfferItem[]
  subtotal: number
  fulfillment: number
  tax: number
  total: number
  currency: string
}

export type Refusal = {
  code: string
  message: string
  item_url?: string
  available?: number
  session?: string
}

type Priced = { kind: 'offer'; offer: Offer } | { kind: 'refusal'; refusal: Refusal }

const scenarios = [
  'out_of_stock',
  'insufficient_stock',
  'price_up_3',
  'price_up_20',
  'fee_over_cap',
  'variant_required',
  'slow',
  'error_then_ok',
  'rejected',
  'captcha',
  'lost_answer_placed',
  'lost_answer_not_placed',
  'late_confirmation',
  'sign_in_required',
  'sign_in_refused',
  'sign_in_code',
] as const

export type Scenario = (typeof scenarios)[number]

export function parseOfferRequest(body: Fields): OfferRequest {
  const given = body.items
  if (!Array.isArray(given) || given.length < 1 || given.length > 100)
    throw new BadRequest('items must be a list of 1 to 100 items')
  const cartVariant = hasVariant(body)
  const items = given.map((item: unknown) => {
    if (!isObject(item)) throw new BadRequest('each item must be an object')
    return {
      url: httpsUrl(item),
      quantity: integer(item, 'quantity', { min: 1, max: 10_000 }),
      unitAmount: amount(item, 'unit_amount'),
      hasVariant: cartVariant || hasVariant(item),
    }
  })
  const fulfillment = objectField(body, 'fulfillment')
  const method = fulfillment.method
  if (method !== 'ship' && method !== 'pickup' && method !== 'digital') {
    throw new BadRequest('fulfillment.method must be ship, pickup or digital')
  }
  return {
    cartKey: text(body, 'cart_key'),
    merchant: merchantOf(optionalText(body, 'merchant'), items),
    currency: currency(body),
    items,
    fulfillment: { method, feeAllowance: amount(fulfillment, 'fee_allowance') },
    signIn: signInOf(body.sign_in),
  }
}

export function scenariosOf(request: OfferRequest): Set<Scenario> {
  return new Set(request.items.flatMap((item) => scenarioOf(item.url) ?? []))
}

export function priceOffer(request: OfferRequest, offerId: string, standing: Standing = 'nobody'): Priced {
  for (const item of request.items) {
    const refusal = refusalOf(item, standing)
    if (refusal !== undefined) return { kind: 'refusal', refusal: { ...refusal, item_url: item.url.href } }
  }
  const items = request.items.map((item) => ({
    url: item.url.href,
    quantity: item.quantity,
    unit_amount: unitPrice(item.unitAmount, scenarioOf(item.url)),
    available: 10_000,
  }))
  const subtotal = items.reduce((sum, item) => sum + BigInt(item.unit_amount) * BigInt(item.quantity), 0n)
  const fulfillment = feeOf(request)
  const tax = (subtotal * 8n) / 100n
  const total = subtotal + BigInt(fulfillment) + tax
  if (total > BigInt(AMOUNT_MAX)) throw new BadRequest('This cart is more than any shop can sell')
  const offer: Offer = {
    offer_id: offerId,
    cart_key: request.cartKey,
    merchant: request.merchant,
    items,
    subtotal: Number(subtotal),
    fulfillment,
    tax: Number(tax),
    total: Number(total),
    currency: request.currency,
  }
  return { kind: 'offer', offer }
}

function refusalOf(item: OfferRequest['items'][number], standing: Standing): Refusal | undefined {
  switch (scenarioOf(item.url)) {
    case 'out_of_stock':
      return { code: 'product_out_of_stock', message: 'This product is out of stock', available: 0 }
    case 'insufficient_stock':
      return {
        code: 'insufficient_stock',
        message: 'The shop has fewer units than that',
        available: item.quantity - 1,
      }
    case 'variant_required':
      return item.hasVariant ? undefined : { code: 'variant_required', message: 'Choose a variant first' }
    case 'captcha':
      return { code: 'captcha_blocked', message: 'The shop asks for proof that a person is buying' }
    case 'sign_in_required':
    case 'sign_in_refused':
    case 'sign_in_code':
      return refusalAtWall(standing)
    default:
      return undefined
  }
}

function refusalAtWall(standing: Standing): Refusal | undefined {
  switch (standing) {
    case 'signed_in':
      return undefined
    case 'nobody':
      return { code: 'sign_in_required', message: 'The shop sells only to customers who are signed in' }
    case 'refused':
      return { code: 'sign_in_refused', message: 'The shop does not accept this user name and password' }
    case 'code_sent':
      return {
        code: 'sign_in_code',
        message: 'The shop has sent a code to its customer',
        session: 'shop_page',
      }
    default:
      return standing satisfies never
  }
}

/** Only that somebody signed in matters here; what they typed is never looked at or kept. */
function signInOf(said: unknown): SignIn | null {
  if (said === undefined || said === null || said === false) return null
  const { ticket, session } = isObject(said) ? said : {}
  return { ticket: typeof ticket === 'string' ? ticket : '', isCode: typeof session === 'string' }
}

function unitPrice(expected: number, scenario: Scenario | undefined): number {
  if (scenario === 'price_up_3') return percentUp(expected, 3n)
  if (scenario === 'price_up_20') return percentUp(expected, 20n)
  return expected
}

/** Rounded up: a raised price is above the expected one even when the amount is a single cent. */
function percentUp(amount: number, percent: bigint): number {
  return Number((BigInt(amount) * (100n + percent) + 99n) / 100n)
}

const FEE = 500

function feeOf({ items, fulfillment }: OfferRequest): number {
  if (items.some((item) => scenarioOf(item.url) === 'fee_over_cap')) return fulfillment.feeAllowance + 100
  return fulfillment.method === 'ship' ? Math.min(FEE, fulfillment.feeAllowance) : 0
}

function scenarioOf(url: URL): Scenario | undefined {
  return scenarios.find((scenario) => scenario === url.searchParams.get('scenario'))
}

function httpsUrl(item: Fields): URL {
  const url = text(item, 'url')
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new BadRequest('the url of an item must be an https URL')
  return new URL(url)
}

/** A cart is of one merchant: every host is the merchant's domain or below it. */
function merchantOf(named: string | undefined, items: OfferRequest['items']): string {
  const hosts = items.map((item) => item.url.hostname)
  const merchant = named?.toLowerCase() ?? hosts[0] ?? ''
  if (!hosts.every((host) => host === merchant || host.endsWith(`.${merchant}`))) {
    throw new BadRequest(
      'All items of a cart must be of its merchant; name it in `merchant` when their hosts differ',
    )
  }
  return merchant
}

function hasVariant(from: Fields): boolean {
  const { variant } = from
  return isObject(variant) ? Object.keys(variant).length > 0 : typeof variant === 'string' && variant !== ''
}
