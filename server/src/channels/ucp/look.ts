import type {
  Looked,
  LookItem,
  LookProblem,
  LookRequest,
  ShopLooker,
  Sight,
} from '../../domain/buying/looks/port.ts'
import type { Call } from '../../domain/buying/rails/port.ts'
import type { Checkout } from '../../protocols/ucp/read-checkout.ts'
import type { Business } from './businesses.ts'
import { type Asker, createBody, updateBody } from './checkout-body.ts'
import { chooseDelivery } from './choose-delivery.ts'
import { chosenOf, readProduct } from './find-item.ts'
import {
  abandon,
  deadlineOf,
  fulfillment,
  type Means,
  obstacleIn,
  updatesMax,
  withoutCheckout,
} from './make-offer.ts'
import { payingOf } from './paying-handler.ts'

type SeenItem = Sight['items'][number]
type Asked = { readonly request: LookRequest; readonly remaining: () => Call }

/**
 * Looks at what a business sells, and at what it would cost: in a checkout without a buyer, which is cancelled at once. Nothing in it could
 * be completed, and the business does not learn who asks.
 */
export function createUcpLooker(means: Means): ShopLooker {
  return async (request, call) => {
    const remaining = deadlineOf(call)
    const found = await means.businesses.at(request.site, remaining())
    if (found.kind !== 'business') return found.kind === 'none' ? { kind: 'elsewhere' } : found
    const { business } = found
    const asked = { request, remaining }
    const items: SeenItem[] = []
    for (const item of request.items) {
      const seen = await lookAtItem(means, business, item, asked)
      if ('kind' in seen) return seen
      items.push(seen)
    }
    const handlers = { ofCheckout: [], ofProfile: business.handlers }
    const isPayable = payingOf(means.payable[call.mode], handlers) !== null
    const sight = { items, currency: currencyOf(items), money: null, deliveries: [], isPayable }
    const isWhole = items.every(({ variantId, problem }) => variantId !== null && problem === null)
    const currency = request.currency ?? sight.currency
    if (request.aim === 'product' || !isWhole || currency === null) return { kind: 'seen', sight }
    return await lookAtPrice(means, business, sight, { ...asked, request: { ...request, currency } })
  }
}

async function lookAtItem(
  means: Means,
  business: Business,
  item: LookItem,
  { request, remaining }: Asked,
): Promise<SeenItem | Exclude<Looked, { kind: 'seen' }>> {
  const found = await readProduct(means, business, item.url, remaining)
  const unseen = { product: null, variantId: null, unitAmount: null }
  switch (found.kind) {
    case 'refused':
      return { ...unseen, problem: problemOf(found.code) }
    case 'unavailable':
      return found
    case 'elsewhere':
      // What a search there has shown can be priced all the same.
      return request.aim !== 'product' && item.variant?.id !== undefined
        ? { ...unseen, variantId: item.variant.id, problem: null }
        : { kind: 'elsewhere' }
    case 'product': {
      const { product } = found
      const chosen = chosenOf(product, item)
      if (chosen.kind === 'refused')
        return { ...unseen, product, problem: request.aim === 'product' ? null : problemOf(chosen.code) }
      if (chosen.kind !== 'found') return { ...unseen, product, problem: null }
      const variant = product.variants.find(({ id }) => id === chosen.id)
      return { product, variantId: chosen.id, unitAmount: variant?.price.amount ?? null, problem: null }
    }
    default:
      return found satisfies never
  }
}

/** The sums of a checkout with the destination alone. */
async function lookAtPrice(means: Means, business: Business, sight: Sight, asked: Asked): Promise<Looked> {
  const { request, remaining } = asked
  const { release } = business.endpoint
  const delivers = request.method === 'ship' && business.capabilities.has(fulfillment)
  const asker = askerWithoutName(request)
  const lines = request.items.map(({ quantity }, index) => ({
    id: sight.items[index]?.variantId ?? '',
    quantity,
  }))
  const body = createBody(asker, lines, { release, delivers })
  let said = await means.exchange(
    business,
    { operation: 'create', key: means.newRequestId(), body },
    remaining(),
  )
  let open: Checkout | null = null
  try {
    for (let count = 0; ; count++) {
      if (said.kind !== 'checkout') return withoutPrice(withoutCheckout(said, request), sight)
      const { checkout } = said
      open = checkout
      const obstacle = obstacleIn(checkout, request)
      if (obstacle !== null) return withoutPrice(obstacle, sight)
      const chosen = chooseDelivery(checkout, wishOf(request))
      if (chosen === null || count === updatesMax)
        return pricedBy(means, business, { checkout, sight, asked, delivers, lines })
      const update = updateBody(asker, checkout, { release, chosen })
      const key = means.newRequestId()
      said = await means.exchange(
        business,
        { operation: 'update', id: checkout.id, key, body: update },
        remaining(),
      )
    }
  } finally {
    // What was only looked at is not left open.
    if (open !== null) await abandon(means, business, open, { ...remaining(), timeoutMs: abandonMs })
  }
}

const abandonMs = 5_000

function wishOf({ speed, feeAllowance }: LookRequest) {
  return { speed, feeAllowance: BigInt(feeAllowance ?? 0) }
}

function askerWithoutName({ currency, place, method }: LookRequest): Asker {
  if (currency === null) throw new Error('a price was asked for in no currency')
  const destination = place && {
    ...(place.city ? { address_locality: place.city } : {}),
    ...(place.state ? { address_region: place.state } : {}),
    ...(place.postalCode ? { postal_code: place.postalCode } : {}),
    address_country: place.country,
  }
  return {
    currency,
    buyer: null,
    place,
    destination: method === 'ship' ? destination : null,
    promoCode: null,
  }
}

type Priced = {
  readonly checkout: Checkout
  readonly sight: Sight
  readonly asked: Asked
  readonly delivers: boolean
  readonly lines: readonly { readonly id: string; readonly quantity: number }[]
}

/** A checkout with other goods, or sums that do not add up, shows no price; nobody would pay it either. */
function pricedBy(means: Means, business: Business, priced: Priced): Looked {
  const { checkout, sight, asked, delivers, lines } = priced
  const { totals, currency } = checkout
  if (totals === null || !totals.isSum) return { kind: 'elsewhere' }
  const listed = lines.map(({ id, quantity }) =>
    checkout.lines.find((line) => line.itemId === id && line.quantity === quantity),
  )
  if (checkout.lines.length !== lines.length || listed.includes(undefined)) return { kind: 'elsewhere' }
  const handlers = { ofCheckout: checkout.handlers, ofProfile: business.handlers }
  const { mode } = asked.remaining()
  const { subtotal, fulfillment: fee, tax, discount, total } = totals
  const isComplete = !delivers || isDelivered(checkout, asked.request)
  return {
    kind: 'seen',
    sight: {
      items: sight.items.map((item, index) => ({ ...item, unitAmount: listed[index]?.price ?? null })),
      currency,
      money: isComplete ? { subtotal, fulfillment: fee, tax, discount, total } : null,
      deliveries: deliveriesOf(checkout),
      isPayable: payingOf(means.payable[mode], handlers) !== null,
    },
  }
}

/** Whether the sums say what delivery costs: where nothing is said of it, nothing is shipped. */
function isDelivered({ methods }: Checkout, { place }: LookRequest): boolean {
  if (methods.length === 0) return true
  return (
    place !== null &&
    methods.every(({ groups }) => groups.length > 0 && groups.every((one) => one.selectedOptionId !== null))
  )
}

function deliveriesOf({ methods }: Checkout): Sight['deliveries'] {
  return methods.flatMap(({ groups }) =>
    groups.flatMap(({ options, selectedOptionId }) =>
      options.map(({ id, title, amount, latest }) => ({
        title,
        amount,
        latest,
        isChosen: id === selectedOptionId,
      })),
    ),
  )
}

/** What was seen of the goods stays seen. Nobody knows of which item of several a shop speaks. */
function withoutPrice(answer: ReturnType<typeof withoutCheckout>, sight: Sight): Looked {
  switch (answer.kind) {
    case 'elsewhere':
      return { kind: 'elsewhere' }
    case 'refused': {
      const problem = problemOf(answer.code)
      return { kind: 'seen', sight: { ...sight, items: sight.items.map((item) => ({ ...item, problem })) } }
    }
    case 'sign_in':
    case 'needs_input':
    case 'offer':
    case 'unavailable':
    case 'not_now':
      return { kind: 'unavailable' }
    default:
      return answer satisfies never
  }
}

function problemOf(
  code: Extract<ReturnType<typeof withoutCheckout>, { kind: 'refused' }>['code'],
): LookProblem {
  switch (code) {
    case 'price_changed':
    case 'merchant_changed':
    case 'merchant_unavailable':
      return 'merchant_unsupported'
    default:
      return code
  }
}

/** Of all that is sold there, where it is one. */
function currencyOf(items: readonly SeenItem[]): string | null {
  const named = new Set(
    items.flatMap(({ product }) => product?.variants.map(({ price }) => price.currency) ?? []),
  )
  const [only, ...others] = named
  return only !== undefined && others.length === 0 ? only : null
}
