export { decideFulfillment, type FulfilledLine, type FulfilledPurchase } from './decide-fulfillment.ts'
export type { RateFacts } from './decide-rates.ts'
export { noRates, rateKeysOf } from './read-rate-facts.ts'
