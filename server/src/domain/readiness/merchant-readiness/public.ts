export { changeMerchant } from './read-readiness.ts'
