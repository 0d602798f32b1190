export { recordBusinessResponse } from './business-response.ts'
export { canRespondToOrders, cartEvents, type EventType, eventTypes, intentEvents } from './event-types.ts'
export { identifySignedResponse, responseHeaders } from './identify-signed-response.ts'
export { sendAtOnce } from './send-at-once.ts'
