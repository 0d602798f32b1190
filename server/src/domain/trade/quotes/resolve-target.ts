import type { Mode, Reads } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Id } from '../../../core/id.ts'
import { catalogCurrency } from '../../selling/catalog/public.ts'
import { type IdentityFacts, identityOf, isPublicInMode } from '../../selling/merchant/public.ts'
import type { QuoteItem, QuoteRow } from './quote.ts'
import {
  selectSetupFacts,
  selectTargetOfItem,
  selectTargetOfSlug,
  selectTargetOfVariant,
  type TargetItem,
  type TargetRow,
} from './target.sql.ts'

export type Selector = {
  catalog_item_id?: string | null | undefined
  catalog_variant_id?: string | null | undefined
  merchant_slug?: string | null | undefined
}

/** The merchant that a quote asks, and the item, if it names one. */
export type Target = {
  readonly merchant: IdentityFacts & Pick<TargetRow, 'name' | 'slug'>
  readonly currency: string
  readonly item: TargetItem | null
  readonly variantId: string | null
  /** The destination that answers for the merchant at this moment. */
  readonly responderId: Id<'dest'> | null
}

/** The target that the selector names, among all merchants of the mode; null unless it is published. */
export function findTarget(reads: Reads, mode: Mode, selector: Selector): Promise<TargetRow | null> {
  const { catalog_item_id: item, catalog_variant_id: variant, merchant_slug: slug } = selector
  if (typeof slug === 'string') return reads.maybe(selectTargetOfSlug({ mode, slug }))
  if (typeof variant === 'string') {
    return reads.maybe(selectTargetOfVariant({ mode, variant: JSON.stringify([{ id: variant }]) }))
  }
  return reads.maybe(selectTargetOfItem({ mode, id: item ?? '' }))
}

/**
 * A found target, if the caller may ask it. Throws 404 unless its merchant is public, and 409 where the merchant has no currency in which
 * to name a price.
 */
export async function resolveTarget(
  reads: Reads,
  selector: Selector,
  found: TargetRow | null,
): Promise<Target> {
  if (!found || !(await isPublic(reads, found))) {
    const param = Object.entries(selector).find(([, value]) => value !== undefined && value !== null)?.[0]
    throw new Problem('not_found', param === undefined ? {} : { param })
  }
  const item = found.item_id === null ? null : found
  const only = item?.variants.length === 1 ? item.variants[0] : undefined
  const wanted = selector.catalog_variant_id ?? null
  const variant = wanted === null ? only : item?.variants.find(({ id }) => id === wanted)
  const named = found.currency ?? variant?.currency ?? item?.variants[0]?.currency ?? null
  const currency = named ?? (await catalogCurrency(reads, { accountId: found.account_id, mode: found.mode }))
  if (currency === null) {
    throw new Problem('merchant_setup_incomplete', {
      message: 'The merchant has not finished its setup: it has no currency for its prices.',
    })
  }
  return { merchant: found, item, variantId: variant?.id ?? null, currency, responderId: found.responder_id }
}

/** The columns for the merchant and the item that a quote asks about, as they are at this moment. */
export function targetColumns(target: Target, quantity: number) {
  const { merchant, item, variantId, currency } = target
  return {
    merchant_account_id: merchant.account_id,
    merchant_name: merchant.name,
    merchant_slug: merchant.slug,
    merchant_domain: merchant.domain,
    merchant_currency: currency,
    merchant_identity: identityOf(merchant),
    catalog_item_id: item?.item_id ?? null,
    catalog_variant_id: variantId,
    item_type: item?.item_type ?? null,
    items: item ? [quotedItem(item, variantId, quantity)] : [],
  } satisfies Partial<QuoteRow>
}

function quotedItem(item: TargetItem, variantId: string | null, quantity: number): QuoteItem {
  const variant = item.variants.find(({ id }) => id === variantId)
  const price = variant?.price ?? null
  const currency = variant?.currency ?? null
  return {
    catalog_item_id: item.item_id,
    catalog_variant_id: variantId,
    sku: variant?.sku ?? null,
    title: variant?.title ? `${item.title} (${variant.title})` : (item.title ?? item.item_id),
    url: item.url,
    item_type: item.item_type,
    quantity,
    list_price: price === null || currency === null ? null : { unit_amount: price, currency },
  }
}

function isPublic(reads: Reads, found: TargetRow): Promise<boolean> {
  const { account_id, mode } = found
  return isPublicInMode(found, () => reads.maybe(selectSetupFacts({ account_id, mode })))
}
