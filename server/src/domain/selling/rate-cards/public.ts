export { decideFulfillment, type FulfilledLine, type FulfillmentVerdict } from './decide-fulfillment.ts'
export type { RateFacts } from './decide-rates.ts'
export { readRateFacts } from './read-rate-facts.ts'
