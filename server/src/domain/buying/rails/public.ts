export { againPace, backoffSeconds, putOffBy, putOffSeconds } from './call-again.ts'
export type { Difference, OurMove } from './compare-moves.ts'
export { guardRail } from './guarded-rail.ts'
export { issuingTokens } from './issuing-tokens.ts'
export { askedForNobody, sentForNobody } from './nobody-there.ts'
export type {
  AllowedCharge,
  Answer,
  Call,
  ClosableCall,
  DisputeReading,
  HoldAnswer,
  MovementPage,
  NeedsPerson,
  NotNow,
  PaymentCard,
  PaymentRail,
  RailAnswer,
  RailAuthorize,
  RailCall,
  RailDeclaration,
  RailDispute,
  RailEvent,
  RailEventPage,
  RailInputs,
  RailMemory,
  RailObject,
  RailReading,
  RailRefusal,
  RailStep,
  Recalled,
  Remembered,
  SentCall,
  ShareAnswer,
  WalletTerms,
} from './port.ts'
export { RailCircuit } from './rail-circuit.ts'
export { type HoldRows, type OurHold, railInvariants } from './rail-holds.ts'
export { type NamedRail, PaymentRails, type Rails, railsByMode } from './rails.ts'
export {
  type BookedRail,
  dayInvariant,
  describeDifference,
  type MoveRows,
  type ReconciledDay,
  reconcileDay,
  yesterday,
} from './reconcile-day.ts'
export { outlastsLease, timing } from './timing.ts'
