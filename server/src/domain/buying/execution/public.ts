export { PurchaseMeans } from './channels.ts'
export { guardRail } from './guarded-rail.ts'
export { credentialExpiry, type OrderOfToken, UsedTokens } from './handed-over.ts'
export { issuingTokens } from './issuing-tokens.ts'
export type { ChannelDeclaration } from './port.ts'
export type {
  Call as RailCall,
  ClosableCall,
  NotNow,
  PaymentRail,
  RailAnswer,
  RailDeclaration,
  RailMemory,
  RailObject,
  RailReading,
  RailRefusal,
  SentCall,
} from './rail/port.ts'
export { RailCircuit } from './rail-circuit.ts'
export { type HoldRows, railInvariants } from './rail-holds.ts'
export { nameSharedCapture, type RailAndCircuit, type Rails, railsByMode } from './rails.ts'
