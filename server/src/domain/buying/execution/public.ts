export { type ExecutionDeps, PurchaseMeans } from './channels.ts'
export { type RepairedCart, selectRepairedCarts } from './collisions.sql.ts'
export {
  type CollidingRefund,
  findCollidingRefunds,
  findStuckCarts,
  namesOf,
  repairWork,
  type StuckCart,
} from './collisions.ts'
export { wakeCarts } from './execution.sql.ts'
export { guardRail } from './guarded-rail.ts'
export { isUnansweredEffect } from './invariants.sql.ts'
export type { PaymentRail } from './port.ts'
export { RailCircuit } from './rail-circuit.ts'
export { railInvariants } from './rail-holds.ts'
export { type RailAndCircuit, type Rails, railsByMode } from './rails.ts'
