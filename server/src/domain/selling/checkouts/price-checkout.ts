import type { ActingContext, Tenant } from '../../../contract/context.ts'
import { toWire } from '../../../core/money.ts'
import type { Place } from '../../../core/place.ts'
import { hasOrderedBefore } from '../../trade/orders/public.ts'
import { type Item, readItemsOfVariants } from '../catalog/public.ts'
import {
  type CartRequest,
  type CartTerms,
  type Goods,
  optionsFor,
  type PriceParts,
  priceGoods,
  type Refused,
  readSellingTerms,
  withDiscount,
} from '../pricing/public.ts'
import {
  countPromotions,
  type RejectedCode,
  type RunningPromotion,
  stackDiscounts,
  sumOfDiscounts,
} from '../promotions/public.ts'
import type {
  CheckoutBuyer,
  CheckoutDestination,
  CheckoutDiscount,
  CheckoutLine,
  CheckoutMessage,
  CheckoutOption,
} from './checkout.ts'
import { currencyOf, type NamedLine, type PricingFacts, type Wanted } from './pricing-facts.ts'
import { refusedLine, sellablePart } from './sellable-part.ts'

export type PricedCheckout = {
  readonly kind: 'priced'
  readonly currency: string
  readonly lines: readonly CheckoutLine[]
  readonly goods: Goods
  readonly price: PriceParts & { readonly taxBasisPoints: number | null }
  readonly discounts: readonly CheckoutDiscount[]
  readonly running: readonly RunningPromotion[]
  /** Whether anything has to be sent. */
  readonly isSent: boolean
  readonly options: readonly CheckoutOption[]
  /** Null where nothing is sent, or where it is not known where to. */
  readonly selectedOptionId: string | null
  /** What is missing, and what could not be done. */
  readonly messages: readonly CheckoutMessage[]
}

type UnpricedCheckout = { readonly kind: 'refused'; readonly messages: readonly CheckoutMessage[] }

type Merchant = { readonly tenant: Tenant; readonly taxBasisPoints: number }

/** The option of a merchant without rate cards. */
const plainOption: CheckoutOption = {
  id: 'standard',
  title: 'Standard',
  description: 'The merchant charges nothing for it.',
  carrier: null,
  amount: 0,
  earliest: null,
  latest: null,
}

type Context = Pick<ActingContext, 'reads' | 'sealer' | 'now'>

/** Prices what a platform wants at a merchant, by the same rules as any cart of it. It reads and changes nothing. */
export async function priceCheckout(
  ctx: Context,
  merchant: Merchant,
  request: Wanted,
): Promise<PricedCheckout | UnpricedCheckout> {
  let facts = await readFacts(ctx, merchant, request)
  const left: CheckoutMessage[] = []
  for (;;) {
    const priced = await priceFacts(ctx, merchant, facts)
    if (priced.kind === 'priced') return { ...priced, messages: [...left, ...priced.messages] }
    const part = request.takesPart ? sellablePart(facts, priced.refusals) : null
    if (part === null) return { kind: 'refused', messages: priced.refusals.map(refusedLine) }
    facts = part.facts
    left.push(...part.messages)
  }
}

async function readFacts(ctx: Context, merchant: Merchant, wanted: Wanted): Promise<PricingFacts> {
  const { lines } = wanted
  const place = placeOf(wanted.destination)
  const [items, terms] = await Promise.all([
    readItemsOfVariants(
      ctx.reads,
      merchant.tenant,
      lines.map(({ itemId }) => itemId),
    ),
    readSellingTerms(ctx.reads, merchant.tenant, place),
  ])
  return { wanted, lines, items, place, isReached: true, terms }
}

async function priceFacts(
  ctx: Context,
  { tenant, taxBasisPoints }: Merchant,
  facts: PricingFacts,
): Promise<PricedCheckout | Refused> {
  const { wanted, lines, items, place, terms } = facts
  const cart = requestOf(ctx.now, facts)
  const isSent = cart.lines.some(({ item }) => item?.item_type === 'product')
  const rated: CartTerms = { taxBasisPoints, rates: terms.rates }
  // Without a destination nothing can be said about the fulfillment: the goods are priced as if they were fetched.
  const isPlaced = (place !== null && facts.isReached) || !isSent
  const options = isSent && isPlaced ? optionsOf(rated, cart) : []
  const chosen = choose(options, wanted.optionId)
  const priced = isPlaced
    ? priceGoods(rated, { ...cart, speed: speedOf(chosen.option) })
    : priceGoods({ ...rated, rates: { ...terms.rates, cards: [], unreached: [] } }, cart)
  if (priced.kind === 'refused') return priced
  const { off, discounts, rejected } = await discountsFor(ctx, tenant, {
    running: terms.running,
    goods: priced,
    wanted,
  })
  const { lines: _, kind: __, total: ___, currency: ____, ...price } = withDiscount(priced, off)
  const isMissing = isSent && place === null
  return {
    kind: 'priced',
    currency: cart.currency,
    lines: linesOf(lines, items, priced),
    goods: priced,
    price,
    discounts,
    running: terms.running,
    isSent,
    options,
    selectedOptionId: chosen.option?.id ?? null,
    messages: [...(isMissing ? [missingDestination] : []), ...chosen.messages, ...rejected.map(rejectedCode)],
  }
}

const missingDestination: CheckoutMessage = {
  type: 'error',
  code: 'fulfillment_destination_required',
  content: 'Say where the goods go: send a destination with country and postal code, and select it.',
  path: '$.fulfillment.methods[0].destinations',
  severity: 'recoverable',
}

function requestOf(at: Date, { wanted, lines, items, place }: PricingFacts): CartRequest {
  return {
    lines: lines.map(({ itemId, quantity }) => ({
      item:
        items.find(
          // A checkout is paid once, a subscription never only once.
          ({ variants, status, item_type }) =>
            status === 'published' &&
            item_type !== 'subscription' &&
            variants.some(({ id }) => id === itemId),
        ) ?? null,
      variant: { id: itemId },
      quantity,
    })),
    currency: currencyOf({ wanted, lines, items }),
    method: 'ship',
    speed: 'cheapest',
    place,
    at,
  }
}

function optionsOf(terms: CartTerms, cart: CartRequest): CheckoutOption[] {
  const { cards, unreached } = terms.rates
  if (cards.length + unreached.length === 0) return [plainOption]
  return optionsFor(terms, cart).map(({ card, amount, estimate, explanation }) => ({
    id: card.id,
    title: card.name,
    description: explanation,
    carrier: card.provider,
    amount: toWire(amount),
    earliest: estimate?.earliest.toISOString() ?? null,
    latest: estimate?.latest.toISOString() ?? null,
  }))
}

/** The option that was named, else the cheapest. One that is not offered is told, and nothing else is chosen in its place silently. */
function choose(
  options: readonly CheckoutOption[],
  named: string | null,
): { option: CheckoutOption | null; messages: CheckoutMessage[] } {
  const found = options.find(({ id }) => id === named)
  if (named === null || found || options.length === 0)
    return { option: found ?? options[0] ?? null, messages: [] }
  const message = {
    type: 'error' as const,
    code: 'fulfillment_option_unavailable',
    content: 'The selected option is not offered for this destination. Select one of the options.',
    path: '$.fulfillment.methods[0].groups[0].selected_option_id',
    severity: 'recoverable' as const,
  }
  return { option: options[0] ?? null, messages: [message] }
}

function speedOf(option: CheckoutOption | null): CartRequest['speed'] {
  return option === null || option.id === plainOption.id ? 'cheapest' : { cardId: option.id }
}

type Promoted = {
  readonly running: readonly RunningPromotion[]
  readonly goods: Goods
  readonly wanted: Pick<Wanted, 'buyer' | 'codes'>
}

async function discountsFor(
  ctx: Pick<ActingContext, 'reads' | 'sealer' | 'now'>,
  merchant: Tenant,
  { running, goods, wanted: { buyer, codes } }: Promoted,
) {
  const by = promotedBuyer(ctx, merchant, buyer)
  const counted = await countPromotions(ctx, running, { merchant, buyer: by })
  const { discounts, rejected } = stackDiscounts(counted, goods.promoted, { codes, now: ctx.now })
  return {
    off: sumOfDiscounts(discounts),
    discounts: discounts.map(({ of: { promotion }, code, ofLines, merchandise, fulfillment }) => ({
      promotion_id: promotion.id,
      title: promotion.name,
      code,
      amount: toWire(merchandise + fulfillment),
      of_lines: ofLines.map(toWire),
    })),
    rejected,
  }
}

/** The protocol's codes of rejection. One that is not named here does not fit the cart. */
const codeRejections: Partial<Record<RejectedCode['why'], readonly [code: string, content: string]>> = {
  unknown: ['discount_code_invalid', 'The merchant has no such code.'],
  twice: ['discount_code_already_applied', 'The code is named twice.'],
  not_active: ['discount_code_expired', 'The code is not valid at this time.'],
  total_uses_reached: ['discount_code_expired', 'The code was used as often as it can be.'],
  budget_reached: ['discount_code_expired', 'The code was used as often as it can be.'],
  identity_uses_reached: ['discount_code_user_ineligible', 'The buyer has used the code already.'],
  identity_not_eligible: ['discount_code_user_ineligible', 'The code is not for this buyer.'],
}

function rejectedCode({ index, why }: RejectedCode): CheckoutMessage {
  const [code, content] = codeRejections[why] ?? [
    'discount_code_invalid',
    'The code takes nothing off this cart: it is for other goods, another place or a higher total.',
  ]
  return { type: 'warning', code, content, path: `$.discounts.codes[${index}]` }
}

/** A buyer without an account is known by the e-mail address alone. */
export function promotedBuyer(
  ctx: Pick<ActingContext, 'reads'>,
  merchant: Tenant,
  buyer: CheckoutBuyer | null,
): Parameters<typeof countPromotions>[2]['buyer'] {
  const email = buyer?.email ?? ''
  return {
    profile: `guest ${email.toLowerCase()}`,
    email,
    isFirstPurchase: async () => email === '' || !(await hasOrderedBefore(ctx.reads, merchant, email)),
  }
}

function linesOf(wanted: readonly NamedLine[], items: readonly Item[], goods: Goods): CheckoutLine[] {
  return wanted.map(({ id, itemId, quantity }, index) => {
    const sold = goods.lines[index]
    const item = items.find(({ variants }) => variants.some((variant) => variant.id === itemId))
    const variant = item?.variants.find((one) => one.id === itemId)
    if (!sold || !item || !variant) throw new Error('a priced line without its item')
    return {
      id,
      item_id: itemId,
      quantity,
      catalog_item_id: item.id,
      catalog_variant_id: variant.id,
      sku: variant.sku,
      title: sold.title ?? item.title ?? itemId,
      url: item.url,
      unit_amount: toWire(sold.unitAmount),
    }
  })
}

function placeOf(destination: CheckoutDestination | null): Place | null {
  if (!destination?.country) return null
  const { country, state, city, postal_code: postalCode } = destination
  return { country, state, city, postalCode }
}
