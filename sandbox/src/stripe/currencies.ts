import { StripeError } from './stripe-error.ts'

/**
 * The currencies that Stripe presents amounts in, by how it counts them, as https://docs.stripe.com/currencies lists them. An account may
 * have fewer, by its country.
 */
const listed = {
  /** Its amount is the number itself: no hundredths, whatever ISO 4217 says of them. */
  zero_decimal: 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf',
  /** Hundredths that must be whole. */
  whole_hundredths: 'isk ugx',
  /** Thousandths whose last digit is 0. */
  three_decimal: 'bhd jod kwd omr tnd',
  two_decimal: `aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd cad cdf chf cny cop crc cve czk dkk
    dop dzd egp etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl htg huf idr ils inr jmd kes kgs khr kyd kzt lak lbp lkr lrd lsl mad mdl mkd
    mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sek sgd shp sle sos srd
    std szl thb tjs top try ttd twd tzs uah usd uyu uzs wst xcd xcg yer zar zmw`,
} as const

const steps: ReadonlyMap<string, number> = new Map([
  ...each(listed.zero_decimal, 1),
  ...each(listed.two_decimal, 1),
  ...each(listed.three_decimal, 10),
  ...each(listed.whole_hundredths, 100),
])

function each(codes: string, step: number): [string, number][] {
  return codes.split(/\s+/).map((code) => [code, step])
}

/** Refuses a currency that Stripe does not have, for which it has no code, and an amount that it cannot count in one. */
export function checkMoney(currency: string, amount: number): void {
  const step = steps.get(currency)
  if (step === undefined)
    throw new StripeError(400, { param: 'currency', message: `Invalid currency: ${currency}.` })
  checkAmount(currency, { amount, param: 'amount' })
}

export function checkAmount(currency: string, { amount, param }: { amount: number; param: string }): void {
  if (amount % (steps.get(currency) ?? 1) !== 0)
    throw new StripeError(400, { param, message: `Invalid amount: ${amount} cannot be said in ${currency}` })
}
