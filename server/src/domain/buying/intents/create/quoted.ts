import type { CallContext } from '../../../../contract/context.ts'
import { invalid, Problem } from '../../../../contract/problem.ts'
import { min } from '../../../../core/money.ts'
import { comparableUrl, normalizeCurrency } from '../../../../schema/formats.ts'
import type { PolicyVerdict } from '../../../policies/public.ts'
import {
  hasMerchantChanged,
  identityOf,
  isHostWithin,
  type MerchantRecord,
} from '../../../selling/merchant/public.ts'
import {
  decideAccept,
  lockQuote,
  orderQuote,
  type QuoteAsRead,
  requireQuoteAsRead,
} from '../../../trade/quotes/public.ts'
import type { IntentRow } from '../intent.ts'
import { type PurchaseIntentCreate, purchaseRules } from './create-request.ts'
import { selectQuoteWithMerchant } from './quoted.sql.ts'
import type { Quoted } from './quoted-terms.ts'

/**
 * The quote whose price a request pays, if it names one, read before any lock. Throws what refuses it: a quote is bought alone, whole,
 * and by the profile that it was requested for.
 */
export async function readQuoted(ctx: CallContext, body: PurchaseIntentCreate): Promise<Quoted | null> {
  const index = body.items.findIndex(({ quote_id }) => quote_id !== undefined)
  const item = body.items[index]
  if (!item || item.quote_id === undefined) return null
  if (body.items.length > 1) throw invalid(['body', 'items'], purchaseRules.alone)
  const named = { offerId: null, param: 'items[0].quote_id' }
  const read = await readQuote(ctx, item.quote_id)
  if (!read) throw new Problem('not_found', { param: named.param })
  return quotedBy(ctx, { body, item }, read, named)
}

/** A quote and its merchant, read before any lock. */
type ReadQuote = { readonly row: QuoteAsRead; readonly merchant: MerchantRecord | null }

export async function readQuote(ctx: CallContext, quoteId: string): Promise<ReadQuote | null> {
  const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, id: quoteId }
  const { quotes, merchants } = selectQuoteWithMerchant.read(
    await ctx.reads.rows(selectQuoteWithMerchant(key)),
  )
  const [row] = quotes
  return row ? { row, merchant: merchants[0] ?? null } : null
}

/** The terms that a request pays when it names this quote, or an offer of it. Throws what refuses it. */
export function quotedBy(
  ctx: CallContext,
  { body, item }: { body: PurchaseIntentCreate; item: Item },
  { row, merchant }: ReadQuote,
  named: { offerId: string | null; param: string },
): Quoted {
  // For an agent of one profile no other profile exists: the quote belongs to its own, and any other id counts as unknown.
  if (ctx.profileId !== null && body.profile_id !== ctx.profileId) {
    throw new Problem('not_found', { param: 'profile_id' })
  }
  const offer = acceptable(row, named, ctx.now)
  // guard same-merchant-at-accept: a quote is accepted only from the merchant that was asked
  if (!merchant || hasMerchantChanged(row.merchant_identity, identityOf(merchant))) {
    throw new Problem('merchant_changed', { param: named.param })
  }
  if (merchant.domain === null) {
    throw new Problem('merchant_setup_incomplete', {
      message: 'The merchant has not finished its setup: it has no domain to sell under.',
    })
  }
  assertSame(body, item, row, { domain: merchant.domain, offer })
  return {
    quoteId: row.id,
    quote: row,
    offerId: offer.id,
    total: BigInt(offer.total_amount),
    currency: offer.currency,
    offerEndsAt: new Date(offer.expires_at),
    merchant: { ...merchant, domain: merchant.domain },
    param: named.param,
  }
}

/**
 * Locks the quote before anything else of the purchase. Two calls that accept one quote meet here: the second finds it ordered. The first
 * attempt uses the quote as it was read; if the quote has changed since, it fails like a serialization failure, and the next attempt
 * reads the quote under the lock.
 */
export async function lockQuoteForPurchase(ctx: CallContext, quoted: Quoted): Promise<QuoteAsRead> {
  if (ctx.attempt === 1) {
    requireQuoteAsRead(ctx, quoted.quote)
    return quoted.quote
  }
  const row = await lockQuote(ctx, quoted.quoteId)
  if (!row) throw new Problem('not_found', { param: quoted.param })
  acceptable(row, { offerId: quoted.offerId, param: quoted.param }, ctx.now)
  return row
}

/** A purchase that was declined leaves the quote free for another one. */
export function takeQuote(ctx: CallContext, held: QuoteAsRead, quoted: Quoted, intent: IntentRow): void {
  if (intent.status !== 'declined') orderQuote(ctx, held, { offerId: quoted.offerId, intentId: intent.id })
}

/** The offer is the whole price: nothing is added, no new price is proposed, and an approval lasts no longer than the offer. */
export function exactTerms(verdict: PolicyVerdict, quoted: Quoted | null, now: Date): PolicyVerdict {
  if (!quoted) return verdict
  const leftMinutes = Math.max(0, (quoted.offerEndsAt.getTime() - now.getTime()) / 60_000)
  return {
    ...verdict,
    cap: min(verdict.cap, quoted.total),
    feeAllowance: 0n,
    tolerancePercent: 0,
    onExceed: 'fail',
    approvalExpiresMinutes: Math.min(verdict.approvalExpiresMinutes, leftMinutes),
  }
}

/** The URL of a quoted item, where its own page is not known or does not belong to the merchant. */
export function quotedUrl(row: QuoteAsRead, domain: string): string {
  const url = row.items[0]?.url ?? null
  return url !== null && isHostWithin(new URL(url).hostname, domain) ? url : `https://${domain}/`
}

function acceptable(row: QuoteAsRead, named: { offerId: string | null; param: string }, now: Date) {
  const decision = decideAccept(row, named.offerId, now)
  if (decision.ok) return decision.value
  switch (decision.refusal) {
    case 'offer_not_found':
      throw new Problem('not_found', { param: 'offer_id' })
    case 'offer_required':
      throw invalid(['body', 'items', 0, 'quote_id'], purchaseRules.severalOffers)
    default:
      throw new Problem(decision.refusal, { param: named.param })
  }
}

type Item = PurchaseIntentCreate['items'][number]

/** Everything else that the request says about the purchase must equal what was quoted. */
function assertSame(
  body: PurchaseIntentCreate,
  item: Item,
  row: QuoteAsRead,
  { domain, offer }: { domain: string; offer: { currency: string } },
): void {
  const at = ['body', 'items', 0]
  if (item.quantity !== row.quantity) throw invalid([...at, 'quantity'], purchaseRules.quotedQuantity)
  for (const [loc, said] of [
    [[...at, 'expected_currency'], item.expected_currency],
    [['body', 'currency_code'], body.currency_code],
  ] as const) {
    if (said !== undefined && normalizeCurrency(said) !== offer.currency)
      throw invalid([...loc], purchaseRules.quotedCurrency)
  }
  const isSameUrl = comparableUrl(item.url) === comparableUrl(quotedUrl(row, domain))
  if (!isSameUrl) throw invalid([...at, 'url'], purchaseRules.quotedUrl)
  if (row.profile_id !== null && body.profile_id !== row.profile_id)
    throw invalid(['body', 'profile_id'], purchaseRules.quotedProfile)
  if (body.preferences?.promo_code !== undefined)
    throw invalid(['body', 'preferences', 'promo_code'], purchaseRules.quotedPromo)
}
