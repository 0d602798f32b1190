/** The brands of cards that people pay with here. */
export const cardBrands = ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay'] as const

export type CardBrand = (typeof cardBrands)[number]
