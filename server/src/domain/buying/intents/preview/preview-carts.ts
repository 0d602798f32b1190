import type { CallContext, Tenant } from '../../../../contract/context.ts'
import type { Id } from '../../../../core/id.ts'
import type { Place } from '../../../../core/place.ts'
import { type ResolvedUrl, resolveUrls } from '../../../selling/catalog/public.ts'
import type { MerchantRecord } from '../../../selling/merchant/public.ts'
import {
  type PricedCart,
  priceCart,
  priceQuoted,
  type QuotedListing,
  type Refused,
  readSellingTerms,
} from '../../../selling/pricing/public.ts'
import { countPromotions } from '../../../selling/promotions/public.ts'
import { hasOrderedBefore } from '../../../trade/orders/public.ts'
import type { VisibleSite } from '../../looks/public.ts'
import type { CreateFacts } from '../create/create-facts.ts'
import type { PurchasePlan } from '../create/plan-purchase.ts'
import type { Quoted } from '../create/quoted-terms.ts'
import type { Fulfillment, IntentItem } from '../intent.ts'
import { domainKeyOf } from '../read/purchase-facts.ts'

type Shelved = ResolvedUrl<MerchantRecord>
type Line = { readonly index: number; readonly item: IntentItem; readonly found: Shelved | null }

/** The items of one shop, which would become one cart; `index` is an item's place in the request. */
export type PreviewCart = {
  readonly merchant: MerchantRecord | null
  readonly lines: readonly Line[]
  /** The shop, where none of ours sells them and the registry knows it. */
  readonly site: VisibleSite | null
  /** Its price, where a merchant of ours sells it. */
  readonly price: PricedCart | Refused | null
}

/** A quote is one cart at the price of its offer. */
export function quotedCart(
  { items: [item] }: PurchasePlan,
  { total, currency, merchant, quote }: Quoted,
  listing: QuotedListing | null,
): PreviewCart {
  if (!item) throw new Error('a purchase at a quoted price without its item')
  const price = priceQuoted(
    { total, currency, quantity: item.quantity, title: quote.items[0]?.title ?? null },
    listing,
  )
  return {
    merchant,
    lines: [{ index: 0, item, found: null }],
    site: null,
    price: price.kind === 'refused' ? price : { ...price, rejected: [] },
  }
}

type Known = {
  readonly facts: CreateFacts
  readonly catalog: Parameters<typeof resolveUrls>[2]
  readonly promoCode: string | null
  /** By their hosts. */
  readonly sites: ReadonlyMap<string, VisibleSite>
}

/** Divides a purchase by its shops and computes the prices of merchants of ours: everything is read at once, then each cart is priced. */
export async function previewCarts(
  ctx: CallContext,
  plan: PurchasePlan,
  known: Known,
): Promise<PreviewCart[]> {
  const place = placeOf(plan.fulfillment)
  const carts = divided(plan, known)
  const read = await Promise.all(
    carts.map(
      async ({ merchant }) => merchant && (await readSellingTerms(ctx.reads, tenantOf(merchant), place)),
    ),
  )
  return await Promise.all(
    carts.map(async (cart, index) => {
      const { merchant } = cart
      const terms = read[index]
      if (!merchant || !terms) return cart
      const promotions = await countPromotions(ctx, terms.running, forBuyer(ctx, merchant, known.facts))
      const { tax_basis_points: taxBasisPoints } = merchant
      const price = priceCart(
        { taxBasisPoints, rates: terms.rates, promotions },
        {
          lines: cart.lines.map(({ item: { quantity, variant, inputs = {} }, found }) => ({
            item: found?.item ?? null,
            quantity,
            variant,
            inputs,
          })),
          currency: plan.currency,
          method: plan.fulfillment.method,
          speed: plan.fulfillment.speed,
          place,
          at: ctx.now,
          codes: known.promoCode === null ? [] : [known.promoCode],
        },
      )
      return { ...cart, price }
    }),
  )
}

/** As the purchase would be: what is at no shop of ours and at no site of the registry is divided by domain. */
function divided(plan: PurchasePlan, { facts, catalog, sites }: Known): PreviewCart[] {
  const found = resolveUrls(
    plan.items.map(({ url }) => url),
    facts.merchants,
    catalog,
  )
  const carts = new Map<
    Id<'acct'> | string,
    { merchant: MerchantRecord | null; lines: Line[]; site: VisibleSite | null; price: null }
  >()
  plan.items.forEach((item, index) => {
    const here = found[index] ?? null
    const site = here ? null : (sites.get(new URL(item.url).host) ?? null)
    const key = here?.merchant.account_id ?? site?.id ?? domainKeyOf(item)
    const cart = carts.get(key) ?? { merchant: here?.merchant ?? null, lines: [], site, price: null }
    cart.lines.push({ index, item, found: here })
    carts.set(key, cart)
  })
  return [...carts.values()]
}

function forBuyer(ctx: CallContext, seller: MerchantRecord, { profile }: CreateFacts) {
  const merchant = tenantOf(seller)
  return {
    merchant,
    buyer: {
      profile: profile.id,
      email: profile.email,
      isFirstPurchase: async () => !(await hasOrderedBefore(ctx.reads, merchant, profile.email)),
    },
  }
}

function tenantOf({ account_id: accountId, mode }: MerchantRecord): Tenant {
  return { accountId, mode }
}

export function placeOf({ address }: Fulfillment): Place | null {
  if (!address) return null
  const { country, state, city, postal_code: postalCode } = address
  return { country, state, city, postalCode }
}
