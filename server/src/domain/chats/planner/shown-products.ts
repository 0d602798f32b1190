import { isObject } from '../../../schema/schema-node.ts'
import type { Shown, ShownVariant } from './memory.ts'

/** The products of an answer of the catalog, as far as the planner needs them. Those without a price are left out. */
export function shownIn(answer: unknown): Shown[] {
  const products = isObject(answer) && Array.isArray(answer.products) ? answer.products : [answer]
  return products.flatMap(shownOf)
}

function shownOf(product: unknown): Shown[] {
  if (!isObject(product) || typeof product.id !== 'string' || typeof product.title !== 'string') return []
  const variants = (Array.isArray(product.variants) ? product.variants : []).flatMap(variantOf)
  const [first] = [...variants].sort(
    (a, b) => Number(b.isAvailable) - Number(a.isAvailable) || a.amount - b.amount,
  )
  if (!first) return []
  const merchant = isObject(product.merchant) ? (product.merchant.name ?? product.merchant.domain) : null
  const purchasable = isObject(product.purchasable) ? product.purchasable : {}
  return [
    {
      id: product.id,
      title: product.title,
      merchant: typeof merchant === 'string' ? merchant : hostOf(product.url),
      url: typeof product.url === 'string' ? product.url : null,
      amount: first.amount,
      currency: first.currency,
      variants,
      isSold: purchasable.purchase_intent === true && typeof product.url === 'string',
      needs: needsOf(product.required_inputs),
    },
  ]
}

function variantOf(variant: unknown): ShownVariant[] {
  if (!isObject(variant) || typeof variant.id !== 'string' || !isObject(variant.price)) return []
  const { amount, currency } = variant.price
  if (typeof amount !== 'number' || typeof currency !== 'string') return []
  const options = (Array.isArray(variant.options) ? variant.options : []).flatMap((option: unknown) =>
    isObject(option) && typeof option.name === 'string' && typeof option.label === 'string'
      ? [{ name: option.name, label: option.label }]
      : [],
  )
  const isAvailable = isObject(variant.availability) && variant.availability.available === true
  return [{ id: variant.id, options, amount, currency, isAvailable }]
}

function needsOf(inputs: unknown): string[] {
  return (Array.isArray(inputs) ? inputs : []).flatMap((input: unknown) => {
    if (!isObject(input) || input.required === false) return []
    const label = input.label ?? input.name
    return typeof label === 'string' ? [label] : []
  })
}

function hostOf(url: unknown): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).hostname : ''
}
