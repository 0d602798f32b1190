export {
  type AskedLook,
  awaitLooks,
  findLooks,
  lookRetrySeconds,
  readSites,
  startLooks,
  type VisibleSite,
} from './ask-looks.ts'
export { type LookerDeclaration, type LookRequest, ShopLookers, type Sight } from './port.ts'
