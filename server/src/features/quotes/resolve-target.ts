import type { Mode, Reads } from '../../contract/context.ts'
import { Problem } from '../../contract/problem.ts'
import {
  isPublicInMode,
  type MerchantRow,
  selectMerchantBySlug,
  selectMerchantRow,
} from '../merchant/public.ts'
import {
  type ItemRow,
  selectPublishedItem,
  selectPublishedItemOfVariant,
} from '../merchant-catalog/public.ts'
import type { QuoteItem, QuoteRow } from './quote.ts'

export type Selector = {
  catalog_item_id?: string | null | undefined
  catalog_variant_id?: string | null | undefined
  merchant_slug?: string | null | undefined
}

/** Whom a quote asks, and for which item, if it names one. */
export type Target = {
  readonly merchant: MerchantRow
  readonly currency: string
  readonly item: ItemRow | null
  readonly variantId: string | null
}

/**
 * What the selector names, among all merchants of the mode. Throws 404 unless it is published and its merchant public, and 409
 * where the merchant has no currency to name a price in.
 */
export async function resolveTarget(reads: Reads, mode: Mode, selector: Selector): Promise<Target> {
  const found = await findTarget(reads, mode, selector)
  if (!found || !(await isPublicInMode(reads, found.merchant))) {
    const param = Object.entries(selector).find(([, value]) => value !== undefined && value !== null)?.[0]
    throw new Problem('not_found', param === undefined ? {} : { param })
  }
  const { merchant, item, variantId } = found
  const variant = item?.variants.find(({ id }) => id === variantId)
  const currency = merchant.currency ?? variant?.currency ?? item?.variants[0]?.currency ?? null
  if (currency === null) {
    throw new Problem('merchant_setup_incomplete', {
      message: 'The merchant has not finished its setup: it has no currency to name a price in.',
    })
  }
  return { merchant, item, variantId, currency }
}

type Found = Omit<Target, 'currency'>

async function findTarget(reads: Reads, mode: Mode, selector: Selector): Promise<Found | null> {
  if (typeof selector.merchant_slug === 'string') {
    const merchant = await reads.maybe(selectMerchantBySlug({ mode, slug: selector.merchant_slug }))
    return merchant && { merchant, item: null, variantId: null }
  }
  const variantId = selector.catalog_variant_id ?? null
  const item =
    variantId === null
      ? await reads.maybe(selectPublishedItem({ mode, id: selector.catalog_item_id ?? '' }))
      : await reads.maybe(
          selectPublishedItemOfVariant({ mode, variant: JSON.stringify([{ id: variantId }]) }),
        )
  if (!item) return null
  const merchant = await reads.maybe(selectMerchantRow({ account_id: item.account_id, mode }))
  const only = item.variants.length === 1 ? item.variants[0] : undefined
  const variant = variantId === null ? only : item.variants.find(({ id }) => id === variantId)
  return merchant && { merchant, item, variantId: variant?.id ?? null }
}

/** The columns that say whom a quote asks and for what, as it stands at the moment. */
export function targetColumns(target: Target, quantity: number) {
  const { merchant, item, variantId, currency } = target
  return {
    merchant_account_id: merchant.account_id,
    merchant_name: merchant.name,
    merchant_slug: merchant.slug,
    merchant_domain: merchant.domain,
    merchant_currency: currency,
    catalog_item_id: item?.id ?? null,
    catalog_variant_id: variantId,
    item_type: item?.item_type ?? null,
    items: item ? [quotedItem(item, variantId, quantity)] : [],
  } satisfies Partial<QuoteRow>
}

function quotedItem(item: ItemRow, variantId: string | null, quantity: number): QuoteItem {
  const variant = item.variants.find(({ id }) => id === variantId)
  const price = variant?.price ?? null
  const currency = variant?.currency ?? null
  return {
    catalog_item_id: item.id,
    catalog_variant_id: variantId,
    sku: variant?.sku ?? null,
    title: variant?.title ? `${item.title} (${variant.title})` : (item.title ?? item.id),
    url: item.url,
    item_type: item.item_type,
    quantity,
    list_price: price === null || currency === null ? null : { unit_amount: price, currency },
  }
}
