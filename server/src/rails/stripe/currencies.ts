import { minorPerMajor } from '../../core/money.ts'

/**
 * How many of its units Stripe counts in one of a currency, where that is not what ISO 4217 says. Kronur and shillings are hundredths there,
 * from the time when they had some, and must be whole; an ariary has none.
 */
const countedOtherwise: Readonly<Record<string, bigint>> = { ISK: 100n, UGX: 100n, MGA: 1n }

/** Of these, Stripe takes amounts whose last digit is zero. */
const ofThreeDecimals: readonly string[] = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

function unitsOf(currency: string): bigint {
  // guard counted-as-stripe-counts: a krona is a hundred there, and an ariary one
  return countedOtherwise[currency] ?? minorPerMajor(currency)
}

/** The amount as Stripe counts it; null: it cannot be said there. What is charged is never anything else than was agreed. */
export function toStripe(amount: bigint, currency: string): number | null {
  const told = converted(amount, minorPerMajor(currency), unitsOf(currency))
  // guard only-what-stripe-can-count: what cannot be said there is charged nothing, and never something near it
  if (told === null || (ofThreeDecimals.includes(currency) && told % 10n !== 0n)) return null
  return told <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(told) : null
}

/** An amount of Stripe in minor units of ISO 4217; null: it is none. */
export function fromStripe(amount: unknown, currency: string): bigint | null {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0) return null
  return converted(BigInt(amount), unitsOf(currency), minorPerMajor(currency))
}

/** Null: a part would be lost. */
function converted(amount: bigint, from: bigint, to: bigint): bigint | null {
  const product = amount * to
  return product % from === 0n ? product / from : null
}
