import type { CallContext } from '../../../contract/context.ts'
import type { Place } from '../../../core/place.ts'
import { findVariant, type ResolvedUrl } from '../../selling/catalog/public.ts'
import {
  decideFulfillment,
  type FulfilledLine,
  type FulfillmentVerdict,
  type RateFacts,
  readRateFacts,
} from '../../selling/rate-cards/public.ts'
import type { Fulfillment, IntentItem } from './intent.ts'
import type { PurchasePlan } from './plan-purchase.ts'

/** The rate cards of the merchants of a purchase, by their accounts. */
export type PreviewRates = ReadonlyMap<string, RateFacts>

export async function readPreviewRates(
  ctx: Pick<CallContext, 'reads' | 'tenant'>,
  resolved: readonly (ResolvedUrl | null)[],
  fulfillment: Fulfillment,
): Promise<PreviewRates> {
  const accounts = new Set(resolved.flatMap((found) => (found ? [found.merchant.account_id] : [])))
  const read = [...accounts].map(async (accountId) => {
    const tenant = { accountId, mode: ctx.tenant.mode }
    return [accountId, await readRateFacts(ctx.reads, tenant, placeOf(fulfillment))] as const
  })
  return new Map(await Promise.all(read))
}

/** The fee as the purchase itself will go by it, for lines that can all be sold. */
export function previewFulfillment(
  plan: PurchasePlan,
  lines: readonly { item: IntentItem; resolved: ResolvedUrl | null }[],
  { rates, now }: { rates: PreviewRates; now: Date },
): FulfillmentVerdict {
  const accountId = lines[0]?.resolved?.merchant.account_id ?? ''
  return decideFulfillment(rates.get(accountId) ?? { cards: [], unreached: [], locations: [], markets: [] }, {
    method: plan.fulfillment.method,
    speed: plan.fulfillment.speed,
    place: placeOf(plan.fulfillment),
    currency: plan.currency,
    at: now,
    lines: lines.flatMap(({ item, resolved }) => fulfilledLine(item, resolved)),
  })
}

function fulfilledLine(item: IntentItem, resolved: ResolvedUrl | null): FulfilledLine[] {
  const variant = resolved?.item ? findVariant(resolved.item, item.variant) : 'not_found'
  if (!resolved?.item || typeof variant === 'string') return []
  return [
    {
      itemType: resolved.item.item_type,
      quantity: item.quantity,
      amount: BigInt(variant.price ?? 0),
      weightGrams: variant.weight_grams ?? null,
      label: variant.fulfillment_label ?? null,
    },
  ]
}

function placeOf({ address }: Fulfillment): Place | null {
  if (!address) return null
  const { country, state, city, postal_code: postalCode } = address
  return { country, state, city, postalCode }
}
