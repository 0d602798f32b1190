/** The ways of paying that the registry is filtered by. */
export const paymentMethods = [
  'card',
  'stripe',
  'tempo',
  'lightning',
  'evm',
  'solana',
  'stellar',
  'usdc',
  'x402',
  'google_pay',
  'apple_pay',
  'shop_pay',
  'paypal',
  'link',
] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** What is handed over when one pays. */
export const paymentInstruments = [
  'card',
  'network_token',
  'shared_payment_token',
  'stablecoin',
  'wallet',
  'bank_account',
] as const
export type PaymentInstrument = (typeof paymentInstruments)[number]

/** The words of UCP handlers: a part of the handler's name, or the type of an instrument. */
const ucpMethods: readonly (readonly [RegExp, PaymentMethod])[] = [
  [/(^|[._])google[._]pay($|[._])/, 'google_pay'],
  [/(^|[._])(apple[._]pay|applepay)($|[._])/, 'apple_pay'],
  [/(^|[._])(shop[._]pay)($|[._])/, 'shop_pay'],
  [/(^|[._])paypal($|[._])/, 'paypal'],
  [/(^|[._])stripe($|[._])/, 'stripe'],
  [/(^|[._])x402($|[._])/, 'x402'],
  [/(^|[._])link($|[._])/, 'link'],
  [/(^|[._])cards?($|[._])/, 'card'],
]

/** The methods that a handler and its instruments name. */
export function methodsOfHandler(name: string, instruments: readonly string[]): PaymentMethod[] {
  return [name, ...instruments].flatMap((word) =>
    ucpMethods.flatMap(([pattern, method]) => (pattern.test(word.toLowerCase()) ? [method] : [])),
  )
}

const instrumentWords: Readonly<Record<string, readonly PaymentInstrument[]>> = {
  card: ['card'],
  visa: ['card'],
  mastercard: ['card'],
  amex: ['card'],
  network_token: ['network_token'],
  shared_payment_token: ['shared_payment_token'],
  stablecoin: ['stablecoin'],
  usdc: ['stablecoin'],
  wallet: ['wallet'],
  google_pay: ['wallet'],
  apple_pay: ['wallet'],
  shop_pay: ['wallet'],
  paypal: ['wallet'],
  link: ['wallet'],
  bank_account: ['bank_account'],
  us_bank_account: ['bank_account'],
  sepa_debit: ['bank_account'],
}

/** What each MPP method is paid with, as its specification says. */
const mppInstruments: Readonly<Record<string, readonly PaymentInstrument[]>> = {
  stripe: ['shared_payment_token'],
  card: ['network_token'],
  tempo: ['stablecoin'],
  evm: ['stablecoin'],
  solana: ['stablecoin'],
  stellar: ['stablecoin'],
  usdc: ['stablecoin'],
  x402: ['stablecoin'],
}

/** The instruments that words of documents, and MPP methods, stand for. Words that nobody knows stand for none. */
export function instrumentsOf(
  words: readonly string[],
  mppMethods: readonly string[] = [],
): PaymentInstrument[] {
  const of = (table: Readonly<Record<string, readonly PaymentInstrument[]>>, word: string) =>
    Object.hasOwn(table, word) ? (table[word] ?? []) : []
  return [
    ...new Set([
      ...words.flatMap((word) => of(instrumentWords, word.toLowerCase())),
      ...mppMethods.flatMap((method) => of(mppInstruments, method)),
    ]),
  ]
}

export function knownMethods(names: readonly string[]): PaymentMethod[] {
  return paymentMethods.filter((method) => names.includes(method))
}
