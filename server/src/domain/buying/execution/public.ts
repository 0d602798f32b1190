export { PurchaseMeans } from './channels.ts'
export {
  type CollidingRefund,
  findCollidingRefunds,
  findStuckCarts,
  namesOf,
  repairWork,
  type StuckCart,
} from './collisions.ts'
export { guardRail } from './guarded-rail.ts'
export type { PaymentRail } from './port.ts'
export { RailCircuit } from './rail-circuit.ts'
export { railInvariants } from './rail-holds.ts'
export { type RailAndCircuit, type Rails, railsByMode } from './rails.ts'
