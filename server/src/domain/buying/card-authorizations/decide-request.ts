import type { CardRequest, NetworkMerchant } from './port.ts'

/** A card as it stands under its lock. */
export type ChargeableCard = {
  /** Its number may have been typed, and its cart has not ended it. */
  readonly isOpen: boolean
  readonly isFrozen: boolean
  readonly limit: bigint
  /** What merchants were allowed and have not given back. */
  readonly allowed: bigint
  readonly currency: string
  /** Null: anywhere. */
  readonly countries: readonly string[] | null
  /** The first one that was allowed something; null: none was. */
  readonly merchant: NetworkMerchant | null
}

export type DeclineReason =
  | 'card_closed'
  | 'frozen'
  | 'wrong_currency'
  | 'wrong_country'
  | 'other_merchant'
  | 'over_limit'

/** Why a merchant is declined; null: it is approved. What was allowed before is counted, whether it was captured by now or not. */
export function declineOf(
  card: ChargeableCard,
  { amount, currency, country, merchant }: CardRequest,
): DeclineReason | null {
  // guard closed-cards-pay-nothing: a merchant that comes after the end of its cart gets nothing
  if (!card.isOpen) return 'card_closed'
  // guard freezes-decline-charges: a freeze stops what merchants charge, too
  if (card.isFrozen) return 'frozen'
  // guard charges-in-their-currency: an amount is compared with a limit of the same currency
  if (currency !== card.currency) return 'wrong_currency'
  if (card.countries !== null && (country === null || !card.countries.includes(country)))
    return 'wrong_country'
  // guard one-merchant-a-card: a number that got into other hands pays nobody else
  if (card.merchant !== null && !isSame(card.merchant, merchant)) return 'other_merchant'
  // guard charges-within-the-limit: all that merchants are allowed together stays within the limit
  return amount > card.limit - card.allowed ? 'over_limit' : null
}

/** In minor units. By so little shops find out whether a card is good, and give it back at once, which nobody tells us in time. */
const checkMax = 100n

/**
 * What a request uses of the card's limit here. A check before anything else uses nothing, so that the order that follows it is not declined;
 * the rail counts it until it is given back, and keeps the limit by itself.
 */
export function countedOf(
  { merchant }: Pick<ChargeableCard, 'merchant'>,
  { amount }: Pick<CardRequest, 'amount'>,
): bigint {
  // guard one-check-a-card: only the first thing that a card is asked for can be a check
  return merchant === null && amount <= checkMax ? 0n : amount
}

function isSame(one: NetworkMerchant, other: NetworkMerchant): boolean {
  return one.id === other.id && one.name === other.name
}
