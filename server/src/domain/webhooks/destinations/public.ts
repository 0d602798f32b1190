export { answerDigest } from './answer-digest.ts'
export { hasOnlyRefusedAnswers, recordRefusedAnswer } from './answers.ts'
export { recordBusinessResponse } from './business-response.ts'
export {
  changedSettings,
  type DestinationSettings,
  type StaleReason,
  staleReasons,
} from './destination-settings.ts'
export { canRespondToOrders } from './event-types.ts'
export { identifySignedResponse, responseHeaders } from './identify-signed-response.ts'
export { sealedSecrets } from './sealed-secrets.ts'
export { sendAtOnce } from './send-at-once.ts'
export { FailedRequests } from './settle-attempts.ts'
