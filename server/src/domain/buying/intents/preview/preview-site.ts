import type { Mode } from '../../../../contract/context.ts'
import type { AskedLook, Sight, VisibleSite } from '../../looks/public.ts'
import type { Offer } from '../cart.ts'
import type { FailureCode } from '../failure.ts'
import type { PreviewCart } from './preview-carts.ts'
import { notSeen, type ShopPreview } from './preview-shape.ts'

type Seeing = {
  readonly look: AskedLook | null
  readonly mode: Mode
  readonly currency: string
  readonly feeAllowance: bigint
}

/** What a shop elsewhere has shown, as one of the merchants of a preview. */
export function siteMerchant(cart: PreviewCart, site: VisibleSite, seeing: Seeing): ShopPreview {
  const { lines } = cart
  const { look, mode } = seeing
  const head = { domain: site.host, name: site.name ?? site.host }
  const unsupported: ShopPreview = {
    ...head,
    ...notSeen,
    supported: false,
    channel: null,
    problems: ofAll(lines, 'merchant_unsupported'),
  }
  const { channel } = site
  if (channel === null) return unsupported
  const hasRequest = lines.some(({ item }) => item.request !== undefined)
  if (channel === 'mpp' || hasRequest)
    return channel === 'mpp' && mode === 'test'
      ? { ...head, ...notSeen, supported: true, channel }
      : unsupported
  const unseen = { ...head, ...notSeen, supported: true, channel }
  // More shops than one preview looks at.
  if (look === null) return unseen
  if (look.known === null) return { ...unseen, looking: true }
  const { answer, at } = look.known
  switch (answer.kind) {
    case 'unsupported':
      return unsupported
    case 'unavailable':
      return { ...unseen, problems: ofAll(lines, 'merchant_unavailable') }
    case 'seen': {
      const { sight } = answer
      const { isPayable } = sight
      return {
        ...head,
        supported: isPayable,
        channel: isPayable ? answer.channel : null,
        looking: false,
        offer: offerOf(sight, at, seeing),
        products: productsOf(cart, sight),
        delivery_options: sight.deliveries.map(({ title, amount, latest, isChosen }) => ({
          title,
          amount,
          latest_at: latest,
          chosen: isChosen,
        })),
        ...checkoutOf(sight),
        problems: isPayable ? problemsOf(cart, sight, seeing) : ofAll(lines, 'merchant_unsupported'),
      }
    }
    default:
      return answer satisfies never
  }
}

function productsOf({ lines }: PreviewCart, { items, currency }: Sight): ShopPreview['products'] {
  return lines.flatMap(({ index }, position) => {
    const seen = items[position]
    if (seen === undefined || (seen.product === null && seen.unitAmount === null && !seen.unclear)) return []
    const { product, variantId, unitAmount, unclear } = seen
    const chosen = product?.variants.find(({ id }) => id === variantId)
    return {
      item: index,
      title: product?.title ?? unclear?.title ?? null,
      variant_id: variantId,
      unit_amount: unitAmount,
      price_note: unclear ? priceUnclear : null,
      currency_code: unitAmount === null ? null : (currency ?? chosen?.price.currency ?? null),
      variants: (product?.variants ?? []).map(({ description, barcodes, options, ...variant }) => ({
        ...variant,
        description: { plain: description },
        barcodes: [...barcodes],
        options: [...options],
      })),
    }
  })
}

/** It is no reason to fail: the cart of the shop says what it costs, and more than was agreed to is asked about. */
const priceUnclear =
  'The page of the shop does not say for sure what one unit costs. What its checkout asks for is compared with your price before anything is paid.'

/** Amounts of another currency say nothing about this purchase. */
function offerOf({ money, currency }: Sight, at: Date, { currency: wanted }: Seeing): Offer | null {
  return money === null || currency !== wanted ? null : { ...money, as_of: at.toISOString() }
}

function problemsOf(
  { lines }: PreviewCart,
  { items, money, currency, deliveries, way }: Sight,
  { currency: wanted, feeAllowance }: Seeing,
): ShopPreview['problems'] {
  const ofItems = lines.flatMap(({ index }, position) => {
    const { problem = null, message } = items[position] ?? {}
    return problem === null ? [] : [problemOf(index, problem, message)]
  })
  if (ofItems.length > 0) return ofItems
  if (currency !== null && currency !== wanted) return ofAll(lines, 'unsupported_currency')
  if (way?.stop) return ofAll(lines, way.stop.code, way.stop.message ?? undefined)
  const fee = money?.fulfillment ?? deliveries.find(({ isChosen }) => isChosen)?.amount ?? null
  return fee !== null && BigInt(fee) > feeAllowance ? ofAll(lines, 'fulfillment_fee_exceeded') : []
}

function ofAll(lines: PreviewCart['lines'], code: FailureCode, message?: string): ShopPreview['problems'] {
  return lines.map(({ index }) => problemOf(index, code, message))
}

function problemOf(item: number, code: FailureCode, message?: string): ShopPreview['problems'][number] {
  return { item, code, ...(message === undefined ? {} : { merchant_message: message }) }
}

/** What its cart says so far is no offer: delivery and tax may be added. */
export function checkoutOf({ way, currency }: Sight): Pick<ShopPreview, 'checkout'> {
  if (way === undefined) return {}
  const { reached, mayBeGuest: guests, sums } = way
  return {
    checkout: {
      reached,
      guests,
      cart: sums === null || currency === null ? null : { ...sums, currency_code: currency },
    },
  }
}
