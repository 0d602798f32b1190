export {
  decideFulfillment,
  type FulfilledLine,
  type FulfilledPurchase,
  fulfillmentOptions,
} from './decide-fulfillment.ts'
export type { RateFacts, RateOption } from './decide-rates.ts'
export { noRates, rateKeysOf } from './read-rate-facts.ts'
