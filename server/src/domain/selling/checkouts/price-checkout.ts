import type { ActingContext, Tenant } from '../../../contract/context.ts'
import { toWire } from '../../../core/money.ts'
import type { Place } from '../../../core/place.ts'
import { hasOrderedBefore } from '../../trade/orders/public.ts'
import type { Item } from '../catalog/public.ts'
import { readItemsOfVariants } from '../catalog/public.ts'
import {
  type CartRequest,
  type CartTerms,
  type Goods,
  optionsFor,
  type PriceParts,
  priceGoods,
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

export type WantedLine = { readonly id: string | null; readonly itemId: string; readonly quantity: number }

/** What a checkout's price depends on. */
type Wanted = {
  readonly lines: readonly WantedLine[]
  /** Null: that of the first item. */
  readonly currency: string | null
  readonly buyer: CheckoutBuyer | null
  readonly destination: CheckoutDestination | null
  /** The way that was chosen; null: the cheapest. */
  readonly optionId: string | null
  readonly codes: readonly string[]
}

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

/** The names that platforms use at a merchant instead of ids of ours. */
export type MerchantNames = {
  variantOf(name: string): string
  nameOfOption(id: string): string | null
}

type Merchant = {
  readonly tenant: Tenant
  readonly taxBasisPoints: number
  readonly names?: MerchantNames
}

type ResolvedLine = WantedLine & { readonly variantId: string }

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

/** Prices what a platform wants at a merchant, by the same rules as any cart of it. It reads and changes nothing. */
export async function priceCheckout(
  ctx: Pick<ActingContext, 'reads' | 'sealer' | 'now'>,
  merchant: Merchant,
  request: Wanted,
): Promise<PricedCheckout | UnpricedCheckout> {
  const { names } = merchant
  const lines = request.lines.map((line) => ({
    ...line,
    variantId: names?.variantOf(line.itemId) ?? line.itemId,
  }))
  const wanted = { ...request, lines }
  const place = placeOf(wanted.destination)
  const [items, terms] = await Promise.all([
    readItemsOfVariants(
      ctx.reads,
      merchant.tenant,
      lines.map(({ variantId }) => variantId),
    ),
    readSellingTerms(ctx.reads, merchant.tenant, place),
  ])
  const cart = requestOf(ctx.now, wanted, items, place)
  const isSent = cart.lines.some(({ item }) => item?.item_type === 'product')
  const rated: CartTerms = { taxBasisPoints: merchant.taxBasisPoints, rates: terms.rates }
  // Without a destination nothing can be said about the fulfillment: the goods are priced as if they were fetched.
  const isPlaced = place !== null || !isSent
  const options = isSent && place !== null ? optionsOf(rated, cart, names) : []
  const chosen = choose(options, wanted.optionId)
  const priced = isPlaced
    ? priceGoods(rated, { ...cart, speed: speedOf(chosen.option) })
    : priceGoods({ ...rated, rates: { ...terms.rates, cards: [], unreached: [] } }, cart)
  if (priced.kind === 'refused') return { kind: 'refused', messages: priced.refusals.map(messageOf) }
  const { off, discounts, rejected } = await discountsFor(ctx, merchant.tenant, {
    running: terms.running,
    goods: priced,
    wanted,
  })
  const { lines: _, kind: __, total: ___, currency: ____, ...price } = withDiscount(priced, off)
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
    messages: [...(isPlaced ? [] : [missingDestination]), ...chosen.messages, ...rejected.map(rejectedCode)],
  }
}

const missingDestination: CheckoutMessage = {
  type: 'error',
  code: 'fulfillment_destination_required',
  content: 'Say where the goods go: send a destination with country and postal code, and select it.',
  path: '$.fulfillment.methods[0].destinations',
  severity: 'recoverable',
}

function requestOf(at: Date, wanted: Resolved, items: readonly Item[], place: Place | null): CartRequest {
  return {
    lines: wanted.lines.map(({ variantId, quantity }) => ({
      item:
        items.find(
          // A checkout is paid once, a subscription never only once.
          ({ variants, status, item_type }) =>
            status === 'published' &&
            item_type !== 'subscription' &&
            variants.some(({ id }) => id === variantId),
        ) ?? null,
      variant: { id: variantId },
      quantity,
    })),
    currency: wanted.currency ?? currencyOf(wanted, items),
    method: 'ship',
    speed: 'cheapest',
    place,
    at,
  }
}

type Resolved = Omit<Wanted, 'lines'> & { readonly lines: readonly ResolvedLine[] }

function currencyOf({ lines }: Resolved, items: readonly Item[]): string {
  const variants = items.flatMap((item) => item.variants)
  const first = lines
    .flatMap(({ variantId }) => variants.find(({ id }) => id === variantId)?.currency ?? [])
    .at(0)
  return first ?? 'USD'
}

function optionsOf(terms: CartTerms, cart: CartRequest, names: MerchantNames | undefined): CheckoutOption[] {
  const { cards, unreached } = terms.rates
  if (cards.length + unreached.length === 0) return [plainOption]
  return optionsFor(terms, cart).map(({ card, amount, estimate, explanation }) => ({
    id: card.id,
    title: card.name,
    description: explanation,
    carrier: card.provider,
    ...aliasOf(names?.nameOfOption(card.id) ?? null),
    amount: toWire(amount),
    earliest: estimate?.earliest.toISOString() ?? null,
    latest: estimate?.latest.toISOString() ?? null,
  }))
}

function aliasOf(alias: string | null): { alias?: string } {
  return alias === null ? {} : { alias }
}

/** The option that was named, else the cheapest. One that is not offered is told, and nothing else is chosen in its place silently. */
function choose(
  options: readonly CheckoutOption[],
  named: string | null,
): { option: CheckoutOption | null; messages: CheckoutMessage[] } {
  const found = options.find(({ id, alias }) => id === named || (named !== null && alias === named))
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
    email: async () => email,
    isFirstPurchase: async () => email === '' || !(await hasOrderedBefore(ctx.reads, merchant, email)),
  }
}

function linesOf(wanted: readonly ResolvedLine[], items: readonly Item[], goods: Goods): CheckoutLine[] {
  return wanted.map(({ id, itemId, variantId, quantity }, index) => {
    const sold = goods.lines[index]
    const item = items.find(({ variants }) => variants.some((variant) => variant.id === variantId))
    const variant = item?.variants.find((one) => one.id === variantId)
    if (!sold || !item || !variant) throw new Error('a priced line without its item')
    return {
      id: id ?? `li_${index + 1}`,
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

const refusals = {
  product_not_found: ['item_unavailable', 'The merchant does not sell this item.'],
  product_out_of_stock: ['out_of_stock', 'The item is out of stock.'],
  insufficient_stock: ['out_of_stock', 'There are fewer units than that. Lower the quantity.'],
  variant_required: ['item_unavailable', 'The id names a product. Name one of its variants.'],
  unsupported_currency: ['item_unavailable', 'The item is not sold in the currency of this checkout.'],
  merchant_unsupported: ['item_unavailable', 'The item cannot be bought at once.'],
  address_undeliverable: ['address_undeliverable', 'The merchant does not deliver there.'],
} as const

function messageOf({
  line,
  code,
  message,
}: Extract<ReturnType<typeof priceGoods>, { kind: 'refused' }>['refusals'][number]): CheckoutMessage {
  const [name, content] = refusals[code]
  const path =
    code === 'address_undeliverable'
      ? '$.fulfillment.methods[0].selected_destination_id'
      : `$.line_items[${line}]`
  return { type: 'error', code: name, content: message ?? content, path, severity: 'recoverable' }
}

function placeOf(destination: CheckoutDestination | null): Place | null {
  if (!destination?.country) return null
  const { country, state, city, postal_code: postalCode } = destination
  return { country, state, city, postalCode }
}
