import { isObject } from '../../../schema/schema-node.ts'
import type { ActionRequest, ChatPart, ProductCard, PurchaseSummary } from '../parts.ts'

/** What people see of an answer. It is made by code from the answer alone, so that no card or button says what no object says. */
export function partsOfAnswer(name: string, result: unknown, goods: readonly KnownGoods[]): ChatPart[] {
  if (!isObject(result)) return []
  switch (name) {
    case 'v1_create_purchase_intent':
    case 'v1_retry_purchase_intent':
    case 'v1_get_purchase_intent':
    case 'v1_cancel_purchase_intent':
      return purchaseOf(result, goods)
    case 'v1_create_quote':
    case 'v1_get_quote':
      return typeof result.id === 'string' && typeof result.status === 'string'
        ? [{ type: 'quote', quote_id: result.id, status: result.status }]
        : []
    default:
      return []
  }
}

type Standing = { readonly id: string; readonly told: string; readonly isOver: boolean }

/** Whether it stands otherwise than somebody was told, in a way that somebody has to be told. */
export function isNews(standing: Standing | null, told: string): standing is Standing {
  return standing !== null && standing.told !== told && standing.told !== 'under_way'
}

/** How a purchase stands, as far as somebody has to be told; `isOver`: nothing more will be told. */
export function standingOf(intent: unknown): Standing | null {
  if (!isObject(intent) || typeof intent.id !== 'string' || typeof intent.status !== 'string') return null
  const { id, status, next_action: action } = intent
  const isOver = ['succeeded', 'failed', 'cancelled', 'declined'].includes(status)
  if (isOver || !isObject(action)) return { id, told: isOver ? status : 'under_way', isOver }
  return { id, told: `needs ${action.type} ${action.cart_id ?? ''} ${action.expires_at ?? ''}`, isOver }
}

/** What is known of goods by their address: from the catalog, or remembered from it. */
type KnownGoods = Pick<ProductCard, 'url' | 'title' | 'merchant'>

const cardsMax = 10

/** A list of these products, as the catalog answered them in this chat last. An id that it never answered is left out. */
export function productList(ids: readonly string[], parts: readonly ChatPart[]): ChatPart[] {
  const known = new Map(cardsIn(parts).map((card) => [card.id, card]))
  const products = [...new Set(ids)].slice(0, cardsMax).flatMap((id) => known.get(id) ?? [])
  return products.length === 0 ? [] : [{ type: 'product_list', products }]
}

/** Every product that the catalog has answered. */
export function cardsIn(parts: readonly ChatPart[]): ProductCard[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool_result' || part.is_error || !isObject(part.result)) return []
    if (part.name === 'v1_get_catalog_product') return cardOf(part.result)
    if (part.name !== 'v1_search_catalog' && part.name !== 'v1_lookup_catalog') return []
    return Array.isArray(part.result.products) ? part.result.products.flatMap(cardOf) : []
  })
}

function cardOf(product: unknown): ProductCard[] {
  if (!isObject(product) || typeof product.id !== 'string') return []
  const price = isObject(product.price_range) ? product.price_range.min : null
  const merchant = isObject(product.merchant) ? product.merchant : {}
  const variants = Array.isArray(product.variants) ? product.variants : []
  return [
    {
      id: product.id,
      title: textOf(product.title) ?? product.id,
      merchant: textOf(merchant.name) ?? textOf(merchant.domain),
      url: textOf(product.url),
      amount: isObject(price) && typeof price.amount === 'number' ? price.amount : null,
      currency: isObject(price) ? textOf(price.currency) : null,
      options: optionsOf(product.options),
      is_available: variants.some(
        (variant: unknown) =>
          isObject(variant) && isObject(variant.availability) && variant.availability.available === true,
      ),
    },
  ]
}

function optionsOf(options: unknown): ProductCard['options'] {
  return (Array.isArray(options) ? options : []).flatMap((option: unknown) => {
    if (!isObject(option) || typeof option.name !== 'string' || !Array.isArray(option.values)) return []
    const values = option.values.flatMap((value: unknown) =>
      isObject(value) && typeof value.label === 'string' ? [value.label] : [],
    )
    return [{ name: option.name, values }]
  })
}

const elements = new Set<ActionRequest['element']>([
  'AddOrSelectPaymentMethod',
  'AddPaymentMethod',
  'MerchantAuthHandoff',
])

function purchaseOf(intent: Record<string, unknown>, goods: readonly KnownGoods[]): ChatPart[] {
  const summary = summaryOf(intent, goods)
  if (summary === null) return []
  const action = intent.next_action
  if (!isObject(action)) return [summary]
  const element = [...elements].find((known) => known === action.element)
  const url = textOf(action.url)
  if (element === undefined) return [summary]
  return [summary, { type: 'action_request', element, purchase_intent_id: summary.purchase_intent_id, url }]
}

function summaryOf(intent: Record<string, unknown>, goods: readonly KnownGoods[]): PurchaseSummary | null {
  const { id, status, currency_code: currency } = intent
  if (typeof id !== 'string' || typeof status !== 'string' || typeof currency !== 'string') return null
  const items = (Array.isArray(intent.items) ? intent.items : []).filter(isObject)
  const fulfillment = isObject(intent.preferences) ? intent.preferences.fulfillment : null
  const delivery = isObject(fulfillment) ? fulfillment : {}
  const failure = isObject(intent.failure_reason) ? intent.failure_reason : {}
  const hosts = items.flatMap(({ url }) => hostOf(url))
  return {
    type: 'purchase_intent',
    purchase_intent_id: id,
    status,
    merchants: [...new Set(items.map((item, index) => merchantOf(item, goods) ?? hosts[index] ?? ''))],
    items: items.map((item) => ({ title: titleOf(item, goods), quantity: numberOf(item.quantity) })),
    currency,
    expected_amount: numberOf(intent.expected_amount),
    max_allowed_amount: numberOf(intent.max_allowed_amount),
    actual_amount: numberOf(intent.actual_amount),
    delivery: {
      method: textOf(delivery.method) ?? 'ship',
      speed: textOf(delivery.speed) ?? 'cheapest',
      address_id: textOf(delivery.address_id),
    },
    returns: null,
    needs_person: isObject(intent.next_action),
    failure_code: textOf(failure.code),
  }
}

function merchantOf(item: Record<string, unknown>, goods: readonly KnownGoods[]): string | null {
  const merchant = isObject(item.merchant) ? textOf(item.merchant.name) : null
  return merchant ?? goods.find(({ url }) => url === item.url)?.merchant ?? null
}

function titleOf(item: Record<string, unknown>, goods: readonly KnownGoods[]): string {
  return goods.find(({ url }) => url === item.url)?.title ?? textOf(item.title) ?? textOf(item.url) ?? ''
}

function hostOf(url: unknown): string[] {
  return typeof url === 'string' && URL.canParse(url) ? [new URL(url).hostname] : ['']
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
