export {
  type AskedLook,
  awaitLooks,
  findLooks,
  lookRetrySeconds,
  readSites,
  startLooks,
  type VisibleSite,
} from './ask-looks.ts'
export {
  choicesAbout,
  controlFates,
  type LookerDeclaration,
  type LookRequest,
  ShopLookers,
  type Sight,
  wayEnds,
} from './port.ts'
