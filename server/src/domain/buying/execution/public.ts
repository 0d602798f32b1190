export { PurchaseMeans } from './channels.ts'
export { credentialExpiry, type OrderOfToken, UsedTokens } from './place/handed-over.ts'
export type { ChannelDeclaration } from './port.ts'
export { guardRail } from './rail/guarded-rail.ts'
export { issuingTokens } from './rail/issuing-tokens.ts'
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
export { RailCircuit } from './rail/rail-circuit.ts'
export { type HoldRows, railInvariants } from './rail/rail-holds.ts'
export { nameSharedCapture, type RailAndCircuit, type Rails, railsByMode } from './rail/rails.ts'
