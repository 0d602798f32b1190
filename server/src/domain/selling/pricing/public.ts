export { lineAmount, type PriceParts, taxAtSubtotal, totalOf } from './amounts.ts'
export {
  type CartRequest,
  type CartTerms,
  type Goods,
  optionsFor,
  type Priced,
  type PricedCart,
  priceCart,
  priceGoods,
  type Refused,
  withDiscount,
} from './price-cart.ts'
export { priceQuoted, type QuotedListing, readQuotedListing } from './price-quoted.ts'
export { readGoods, readSellingTerms } from './read-selling-terms.ts'
