export { openSession, sessionFields } from './open-session.ts'
export { takePageRates } from './publishable-key.ts'
